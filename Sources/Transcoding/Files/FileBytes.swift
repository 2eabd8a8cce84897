internal import Foundation
internal import ISOBMFF

/// A file as a source of boxes.
final class FileByteSource: ByteSource {
  let size: UInt64
  fileprivate let handle: FileHandle

  /// Opens a file.
  init(path: String) throws(ISOBMFFError) {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      self.handle = handle
      size = try handle.seekToEnd()
    } catch {
      throw .inputOutput("cannot read \(path): \(error.localizedDescription)")
    }
  }

  func read(at offset: UInt64, count: Int) throws(ISOBMFFError) -> [UInt8] {
    guard offset < size, count > 0 else { return [] }
    // A count that a damaged file states is not memory to be reserved.
    let wanted = Int(min(UInt64(count), size - offset))
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, done in
      done = 0
      while done < wanted, let base = buffer.baseAddress {
        let step = unsafe pread(
          handle.fileDescriptor, base + done, wanted - done, Int(offset) + done)
        if step < 0 && errno == EINTR { continue }
        if step < 0 { failure = errno }
        guard step > 0 else { break }
        done += step
      }
    }
    guard failure == 0 else {
      throw .inputOutput("reading failed: \(unsafe String(cString: strerror(failure)))")
    }
    return bytes
  }
}

/// A file that boxes are written to, out of another file.
struct FileByteSink: ByteSink {
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
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw .inputOutput("cannot create \(path)") }
    self.handle = handle
  }

  func write(_ bytes: [UInt8]) throws(ISOBMFFError) {
    do {
      try handle.write(contentsOf: bytes)
    } catch {
      throw failure(error)
    }
  }

  func copy(_ range: Range<UInt64>) throws(ISOBMFFError) {
    var position = range.lowerBound
    while position < range.upperBound {
      do { try checkpoint() } catch { throw .inputOutput("interrupted") }
      if let done = copyInKernel(position..<min(range.upperBound, position + Self.step)) {
        position += done
        continue
      }
      let bytes = try source.read(
        at: position, count: Int(min(range.upperBound - position, 4 << 20)))
      guard !bytes.isEmpty else { throw .inputOutput("\(path): the source became shorter") }
      try write(bytes)
      position += UInt64(bytes.count)
    }
  }

  /// Bytes that are copied between two looks at whether to go on.
  private static let step: UInt64 = 64 << 20

  /// Copies without the bytes passing through here; nil where the file system cannot.
  private func copyInKernel(_ range: Range<UInt64>) -> UInt64? {
    var from = Int(range.lowerBound)
    let done = unsafe sendfile(
      handle.fileDescriptor, source.handle.fileDescriptor, &from, range.count)
    return done > 0 ? UInt64(done) : nil
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
