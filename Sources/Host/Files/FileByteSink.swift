// SPDX-License-Identifier: GPL-2.0-or-later
internal import Dispatch
internal import Glibc
package import ISOBMFF
internal import Synchronization

/// A file that boxes are written to. Bytes of other files can be copied into it.
package final class FileByteSink: ByteSink, Sendable {
  private let file: OpenFile
  private let name: String
  private let source: JoinedByteSource
  private let checkpoint: SendableCheckpoint
  // The file is flushed while the work on it goes on. Copying to memory and writing to disk then
  // overlap, so a copy takes only as long as the slower of these two steps.
  private let writeback = DispatchQueue(label: "writeback")
  /// The first error of a flush, as the system's number; 0 if there is none.
  private let failure = Mutex<Int32>(0)

  /// Opens and empties the output. Copied ranges refer to `source`.
  package init(
    _ file: UnfinishedFile, source: JoinedByteSource, checkpoint: @escaping Pipeline.Checkpoint
  ) throws(ISOBMFFError) {
    let descriptor = PosixPath.open(file.path, O_WRONLY | O_TRUNC)
    name = file.destination
    guard descriptor >= 0 else {
      throw .inputOutput("\(name) cannot be written: \(SystemCall.text())")
    }
    self.source = source
    self.checkpoint = interruptible(checkpoint)
    self.file = OpenFile(closing: descriptor)
  }

  package func write(_ bytes: [UInt8]) throws(ISOBMFFError) {
    try check(SystemCall.write(bytes, to: file.descriptor))
  }

  package func copy(_ range: Range<UInt64>) throws(ISOBMFFError) {
    for part in source.parts(in: range) {
      switch part {
      case .bytes(let bytes): try write(bytes)
      case .file(let file, let range): try copy(range, of: file)
      }
    }
  }

  /// Copies a part of a file.
  private func copy(_ range: Range<UInt64>, of source: FileByteSource) throws(ISOBMFFError) {
    var done: UInt64 = 0
    while done < UInt64(range.count) {
      try checkpoint()
      let place = range.lowerBound + done
      let count = Int(min(range.upperBound - place, Self.blockSize))
      // The kernel's own read-ahead stops at a fraction of a megabyte. A disk with some latency
      // stays busy only if more than that is requested in advance.
      source.prefetch(at: place + Self.prefetchDistance, count: UInt64(count))
      var copied = copyInKernel(at: place, count: count, of: source)
      if copied == 0 {
        let bytes = try source.read(at: place, count: count)
        guard bytes.count == count else {
          throw .inputOutput("the source became shorter")
        }
        // The kernel could not copy, so copy through memory. If writing fails as well, its error
        // says why.
        try write(bytes)
        copied = count
      }
      let isDue = (done + UInt64(copied)) / Self.writebackSize > done / Self.writebackSize
      if isDue { startWriteback() }
      done += UInt64(copied)
    }
  }

  private static let blockSize: UInt64 = 1 << 20
  private static let prefetchDistance: UInt64 = 32 << 20
  private static let writebackSize: UInt64 = 64 << 20

  /// Copies to the current position, inside the kernel.
  ///
  /// - Returns: the number of copied bytes, or 0 if the kernel cannot copy or failed.
  private func copyInKernel(at offset: UInt64, count: Int, of source: FileByteSource) -> Int {
    // `sendfile` avoids copying the bytes into this process and out again. Some file systems refuse
    // it.
    var offset = off_t(offset)
    return unsafe max(
      sendfile(file.descriptor, source.file.descriptor, &offset, count), 0)
  }

  /// Starts to flush the file's data from memory to the disk, and returns at once.
  package func startWriteback() {
    writeback.async { [self] in
      let error = SystemCall.synchronize(file.descriptor)
      // The kernel reports a write error to one `fsync` only. Later calls succeed, so keep the
      // first error.
      failure.withLock { if $0 == 0 { $0 = error } }
    }
  }

  /// Waits until all bytes have reached the disk. Nothing may be written after that.
  package func close() throws(ISOBMFFError) {
    startWriteback()
    writeback.sync {}
    try check(failure.withLock { $0 })
  }

  private func check(_ error: Int32) throws(ISOBMFFError) {
    guard error == 0 else {
      throw .inputOutput("writing \(name) failed: \(SystemCall.text(error))")
    }
  }
}
