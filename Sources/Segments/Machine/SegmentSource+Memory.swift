// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore
internal import VideoEncoders

/// Memory that work on a source takes.
extension SegmentSource {
  /// The bytes that a worker takes at most, by estimate: frames that wait for the decoder, the
  /// stages and the encoder, and what libraries take.
  package var memoryOfWorker: UInt64 {
    Self.baseMemory
      + UInt64(WorkModel.threads(cores: WorkerCount.cores)) * Self.memoryOfThread + memoryOfReader
      + Self.bytes(encoder.size, encoder.format) * Self.encodedFrames
  }

  /// Number of readers of the source that may decode side by side.
  func readers(within memory: UInt64) -> Int {
    max(min(Int(clamping: memory / memoryOfReader), WorkerCount.cores), 1)
  }

  /// The bytes that frames take that are decoded, and that wait to be encoded.
  private var memoryOfReader: UInt64 {
    max(Self.bytes(sourceFrame.0, sourceFrame.1) * Self.decodedFrames, 1)
  }

  private static func bytes(_ size: VideoDimensions, _ format: PixelFormat) -> UInt64 {
    let planes = format.chromaSubsampling == .cs444 ? 6 : format.chromaSubsampling == .cs422 ? 4 : 3
    return UInt64(size.width * size.height * planes / 2 * (format.bitDepth > 8 ? 2 : 1))
  }

  /// Bytes of code and tables.
  static let baseMemory: UInt64 = 96 << 20
  /// Bytes that x265 has for each thread of its pool.
  private static let memoryOfThread: UInt64 = 4 << 20
  /// Frames of the source's size that a decoder and the queues have.
  private static let decodedFrames: UInt64 = 40
  /// Frames of the output's size that an encoder has, references, lookahead and its small planes.
  private static let encodedFrames: UInt64 = 110
}
