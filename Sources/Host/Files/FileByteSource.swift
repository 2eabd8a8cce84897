// SPDX-License-Identifier: GPL-2.0-or-later
internal import Dispatch
internal import Glibc
package import ISOBMFF

/// A file that boxes are read from.
package final class FileByteSource: ByteSource, Sendable {
  package let size: UInt64
  let file: OpenFile

  package convenience init(path: String) throws(ISOBMFFError) {
    // A pipe without a writer should be an error at once. A plain open would wait for a writer.
    let descriptor = PosixPath.openAtOnce(path, O_RDONLY)
    guard descriptor >= 0 else { throw .inputOutput("cannot read \(path): \(SystemCall.text())") }
    try self.init(OpenFile(closing: descriptor), path: path)
  }

  /// Takes ownership of an open file.
  package init(_ file: OpenFile, path: String) throws(ISOBMFFError) {
    self.file = file
    let end = lseek(file.descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .inputOutput("cannot read \(path): \(SystemCall.text())") }
    size = UInt64(end)
  }

  package func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    // `count` may come from a damaged file, so never allocate more than the file's size.
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), size - offset)))
    let done = try read(at: offset, into: &bytes)
    return done == bytes.count ? bytes : Array(bytes.prefix(done))
  }

  /// Asks the system to read bytes ahead. Does not wait for the bytes, but may wait for room in the
  /// disk's queue.
  func prefetch(at offset: UInt64, count: UInt64) {
    guard offset < size else { return }
    // This is only advice. A file system that ignores the advice does no harm.
    _ = posix_fadvise(
      file.descriptor, off_t(offset), off_t(min(count, size - offset)), POSIX_FADV_WILLNEED)
  }

  /// Asks the system to read the beginning of the file while the caller does other work.
  package func startPrefetch() {
    // The request itself may wait for the disk's queue, so it happens on another thread.
    DispatchQueue.global().async { [self] in
      for offset in stride(from: 0, to: Self.prefetchSize, by: 4 << 20) {
        prefetch(at: offset, count: 4 << 20)
      }
    }
  }

  private static let prefetchSize: UInt64 = 256 << 20

  /// Fills an array from a place in the file.
  ///
  /// - Returns: the number of bytes read. At the end of the file, this is less than the array's
  ///   size.
  func read(at offset: UInt64, into bytes: inout [UInt8]) throws(ISOBMFFError) -> Int {
    var done = 0
    while done < bytes.count {
      let step = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return unsafe pread(
          file.descriptor, rest.baseAddress, rest.count, Int(offset) + done)
      }
      if step < 0 && errno == EINTR { continue }
      guard step >= 0 else {
        throw .inputOutput("reading failed: \(SystemCall.text())")
      }
      guard step > 0 else { break }
      done += step
    }
    return done
  }
}
