internal import Dispatch
internal import Foundation
internal import Glibc
internal import ISOBMFF
internal import Synchronization

/// A file as a source of boxes.
final class FileByteSource: ByteSource, Sendable {
  let size: UInt64
  fileprivate let handle: FileHandle

  /// Opens a file.
  init(path: String) throws(ISOBMFFError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
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
  private let path: String
  private let checkpoint: Pipeline.Checkpoint
  private let writeback: FileWriteback

  /// Creates a file that takes parts of `source`.
  init(
    path: String, source: FileByteSource, checkpoint: @escaping Pipeline.Checkpoint
  ) throws(ISOBMFFError) {
    self.path = path
    self.source = source
    self.checkpoint = checkpoint
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .inputOutput("cannot create \(path): \(unsafe String(cString: strerror(errno)))")
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
        throw .inputOutput("writing \(path) failed: \(unsafe String(cString: strerror(errno)))")
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

  /// Copies on two threads, so that one reads while the other writes.
  func copy(_ range: Range<UInt64>) throws(ISOBMFFError) {
    let start = try position()
    let blocks = Int((UInt64(range.count) + Self.blockSize - 1) / Self.blockSize)
    let next = Atomic(0)
    let failed = Mutex<ISOBMFFError?>(nil)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(range.count), Self.blockSize)))
      while failed.withLock({ $0 == nil }) {
        let block = next.add(1, ordering: .relaxed).oldValue
        guard block < blocks else { break }
        let offset = UInt64(block) * Self.blockSize
        do {
          try checkpoint()
          try copy(range.lowerBound + offset, upTo: range.upperBound, to: start + offset, &bytes)
        } catch {
          failed.withLock { $0 = $0 ?? error as? ISOBMFFError ?? .inputOutput("interrupted") }
        }
        if block % 256 == 255 { startWriteback() }
      }
    }
    if let error = failed.withLock({ $0 }) { throw error }
    try move(to: start + UInt64(range.count))
  }

  private static let blockSize: UInt64 = 256 << 10

  private func copy(
    _ position: UInt64, upTo end: UInt64, to target: UInt64, _ bytes: inout [UInt8]
  ) throws(ISOBMFFError) {
    let rest = Int(min(end - position, Self.blockSize))
    if rest < bytes.count { bytes.removeLast(bytes.count - rest) }
    guard try source.read(at: position, into: &bytes) == bytes.count else {
      throw .inputOutput("\(path): the source became shorter")
    }
    try write(bytes, at: target)
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
    .inputOutput("writing \(path) failed: \(error.localizedDescription)")
  }
}
