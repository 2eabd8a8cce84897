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
  }

  func write(_ bytes: [UInt8]) throws(ISOBMFFError) {
    var done = 0
    while done < bytes.count {
      let step = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        return unsafe Glibc.write(handle.fileDescriptor, rest.baseAddress, rest.count)
      }
      if step < 0 && errno == EINTR { continue }
      guard step > 0 else {
        throw .inputOutput("writing \(path) failed: \(unsafe String(cString: strerror(errno)))")
      }
      done += step
    }
  }

  func copy(_ range: Range<UInt64>) throws(ISOBMFFError) {
    var bytes = [UInt8](repeating: 0, count: min(range.count, 4 << 20))
    var position = range.lowerBound
    while position < range.upperBound {
      do { try checkpoint() } catch { throw .inputOutput("interrupted") }
      let rest = Int(range.upperBound - position)
      if rest < bytes.count { bytes.removeLast(bytes.count - rest) }
      guard try source.read(at: position, into: &bytes) == bytes.count else {
        throw .inputOutput("\(path): the source became shorter")
      }
      try write(bytes)
      position += UInt64(bytes.count)
    }
  }

  /// Closes the file after all its bytes have reached the disk.
  func close() throws(ISOBMFFError) {
    do {
      try handle.synchronize()
      try handle.close()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> ISOBMFFError {
    .inputOutput("writing \(path) failed: \(error.localizedDescription)")
  }
}

/// A file's way to the disk, which goes on while the file is read back.
final class FileFlush: Sendable {
  private let group = DispatchGroup()
  private let failure = Mutex<(any Error)?>(nil)

  /// Starts.
  init(_ sink: FileByteSink) {
    DispatchQueue.global().async(group: group) { [self] in
      do {
        try sink.close()
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Waits until all bytes have reached the disk.
  ///
  /// - Throws: ``ISOBMFFError`` where they could not.
  func wait() throws {
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
