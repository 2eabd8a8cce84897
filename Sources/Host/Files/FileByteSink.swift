// SPDX-License-Identifier: GPL-2.0-or-later
internal import Dispatch
internal import Glibc
package import ISOBMFF
internal import Synchronization

/// A file that boxes are written to, out of other files.
package struct FileByteSink: ByteSink, Sendable {
  private let file: OpenFile
  private let name: String
  private let source: JoinedByteSource
  private let checkpoint: SendableCheckpoint
  private let writeback: FileWriteback

  /// Empties a file that takes parts of `source`.
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
    writeback = FileWriteback(self.file)
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

  /// Copies a part of a file, inside the kernel where the file systems let it.
  private func copy(_ range: Range<UInt64>, of source: FileByteSource) throws(ISOBMFFError) {
    var done: UInt64 = 0
    while done < UInt64(range.count) {
      try checkpoint()
      let place = range.lowerBound + done
      let count = Int(min(range.upperBound - place, Self.blockSize))
      source.prefetch(at: place + Self.prefetchDistance, count: UInt64(count))
      var copied = copyInKernel(at: place, count: count, of: source)
      if copied == 0 {
        let bytes = try source.read(at: place, count: count)
        guard bytes.count == count else {
          throw .inputOutput("the source became shorter")
        }
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

  /// Copies to the current position.
  ///
  /// - Returns: the number of bytes: 0 where the kernel cannot, or failed; reading and writing then
  ///   tell why.
  private func copyInKernel(at offset: UInt64, count: Int, of source: FileByteSource) -> Int {
    var offset = off_t(offset)
    return unsafe max(
      sendfile(file.descriptor, source.file.descriptor, &offset, count), 0)
  }

  /// Sends what was written to the disk, while other work goes on.
  package func startWriteback() {
    writeback.start()
  }

  /// Waits until all bytes have reached the disk; nothing is written after that.
  package func close() throws(ISOBMFFError) {
    startWriteback()
    try check(writeback.finish())
  }

  private func check(_ error: Int32) throws(ISOBMFFError) {
    guard error == 0 else {
      throw .inputOutput("writing \(name) failed: \(SystemCall.text(error))")
    }
  }
}

/// A file's way to the disk, which goes on beside the work on the file: a copy is then as fast as
/// the slower of memory and disk, not as slow as both together.
private final class FileWriteback: Sendable {
  private let file: OpenFile
  private let queue = DispatchQueue(label: "writeback")
  private let failure = Mutex<Int32>(0)

  /// The way of a file that is being written.
  init(_ file: OpenFile) {
    self.file = file
  }

  /// Sends what the file holds now to the disk, and returns at once.
  func start() {
    queue.async { [self] in
      let error = SystemCall.synchronize(file.descriptor)
      // The system names an error once; the first one counts.
      failure.withLock { if $0 == 0 { $0 = error } }
    }
  }

  /// Waits until everything sent has arrived.
  ///
  /// - Returns: 0, or the system's error number.
  func finish() -> Int32 {
    queue.sync {}
    return failure.withLock { $0 }
  }
}
