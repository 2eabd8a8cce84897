internal import Dispatch
internal import Foundation
internal import Glibc
internal import ISOBMFF
internal import MediaCore

/// A file as a source of boxes.
final class FileByteSource: ByteSource, Sendable {
  let size: UInt64
  fileprivate let handle: FileHandle

  /// Opens a file.
  init(path: String) throws(ISOBMFFError) {
    let descriptor = unsafe open(SystemPath.bytes(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .inputOutput("cannot read \(path): \(unsafe String(cString: strerror(errno)))")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      size = try handle.seekToEnd()
    } catch {
      throw .inputOutput("cannot read \(path): \(error.localizedDescription)")
    }
  }

  func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    // A count that a damaged file states is not memory to be reserved.
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), size - offset)))
    let done = try read(at: offset, into: &bytes)
    return done == bytes.count ? bytes : Array(bytes.prefix(done))
  }

  /// Has the system fetch bytes from the disk that will be read soon. It waits for no byte, but for
  /// a place among the disk's orders.
  func prefetch(at offset: UInt64, count: UInt64) {
    guard offset < size else { return }
    // Only advice: a file system that cannot take it changes nothing.
    _ = posix_fadvise(
      handle.fileDescriptor, off_t(offset), off_t(min(count, size - offset)), POSIX_FADV_WILLNEED)
  }

  /// Has the system fetch the beginning of the file while the caller does other work.
  func startPrefetch() {
    DispatchQueue.global().async { [self] in
      for offset in stride(from: 0, to: Self.prefetchSize, by: 4 << 20) {
        prefetch(at: offset, count: 4 << 20)
      }
    }
  }

  private static let prefetchSize: UInt64 = 256 << 20

  /// Fills an array.
  ///
  /// - Returns: how many bytes there were.
  func read(at offset: UInt64, into bytes: inout [UInt8]) throws(ISOBMFFError) -> Int {
    var done = 0
    while done < bytes.count {
      let step = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return unsafe pread(
          handle.fileDescriptor, rest.baseAddress, rest.count, Int(offset) + done)
      }
      if step < 0 && errno == EINTR { continue }
      guard step >= 0 else {
        throw .inputOutput("reading failed: \(unsafe String(cString: strerror(errno)))")
      }
      guard step > 0 else { break }
      done += step
    }
    return done
  }
}

/// A file that boxes are written to, out of another file.
struct FileByteSink: ByteSink, Sendable {
  private let handle: FileHandle
  private let source: FileByteSource
  private let checkpoint: Pipeline.Checkpoint
  private let writeback: FileWriteback

  /// Empties a file that takes parts of `source`.
  ///
  /// - Parameter path: a file that is there, such as an ``UnfinishedFile``.
  init(
    path: String, source: FileByteSource, checkpoint: @escaping Pipeline.Checkpoint
  ) throws(ISOBMFFError) {
    self.source = source
    self.checkpoint = checkpoint
    let descriptor = unsafe open(SystemPath.bytes(path), O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .inputOutput("it cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    writeback = FileWriteback(handle)
  }

  func write(_ bytes: [UInt8]) throws(ISOBMFFError) {
    let start = try position()
    try write(bytes, at: start)
    try move(to: start + UInt64(bytes.count))
  }

  private func write(_ bytes: [UInt8], at offset: UInt64) throws(ISOBMFFError) {
    var done = 0
    while done < bytes.count {
      let step = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        return unsafe pwrite(
          handle.fileDescriptor, rest.baseAddress, rest.count, Int(offset) + done)
      }
      if step < 0 && errno == EINTR { continue }
      guard step > 0 else {
        throw .inputOutput("writing failed: \(unsafe String(cString: strerror(errno)))")
      }
      done += step
    }
  }

  private func position() throws(ISOBMFFError) -> UInt64 {
    do { return try handle.offset() } catch { throw failure(error) }
  }

  private func move(to offset: UInt64) throws(ISOBMFFError) {
    do { try handle.seek(toOffset: offset) } catch { throw failure(error) }
  }

  /// Copies a part of the source, inside the kernel where the file systems let it.
  func copy(_ range: Range<UInt64>) throws(ISOBMFFError) {
    let start = try position()
    var done: UInt64 = 0
    while done < UInt64(range.count) {
      do { try checkpoint() } catch { throw .inputOutput("interrupted") }
      let place = range.lowerBound + done
      let count = Int(min(range.upperBound - place, Self.blockSize))
      source.prefetch(at: place + Self.prefetchDistance, count: UInt64(count))
      var copied = copyInKernel(at: place, count: count)
      if copied == 0 {
        let bytes = try source.read(at: place, count: count)
        guard bytes.count == count else {
          throw .inputOutput("the source became shorter")
        }
        try write(bytes, at: start + done)
        try move(to: start + done + UInt64(count))
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
  /// - Returns: how many bytes: 0 where the kernel cannot, or failed, which reading and writing
  ///   will then say better.
  private func copyInKernel(at offset: UInt64, count: Int) -> Int {
    var offset = off_t(offset)
    return unsafe max(
      sendfile(handle.fileDescriptor, source.handle.fileDescriptor, &offset, count), 0)
  }

  /// Sends what was written to the disk, while other work goes on.
  func startWriteback() {
    writeback.start()
  }

  /// Closes the file after all its bytes have reached the disk.
  func close() throws(ISOBMFFError) {
    startWriteback()
    do {
      try writeback.finish()
      try handle.close()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> ISOBMFFError {
    .inputOutput("writing failed: \(error.localizedDescription)")
  }
}
