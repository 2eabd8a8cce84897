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
    do {
      try handle.seek(toOffset: offset)
      return [UInt8](try handle.read(upToCount: count) ?? Data())
    } catch {
      throw .inputOutput("reading failed: \(error.localizedDescription)")
    }
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
      let bytes = try source.read(
        at: position, count: Int(min(range.upperBound - position, 4 << 20)))
      guard !bytes.isEmpty else { throw .inputOutput("\(path): the source became shorter") }
      do { try checkpoint() } catch { throw .inputOutput("interrupted") }
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
