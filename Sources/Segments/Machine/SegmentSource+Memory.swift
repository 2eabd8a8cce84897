// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore
internal import Planning
internal import VideoEncoders

/// Estimates how much memory the work on a source takes.
extension SegmentSource {
  /// The maximum memory that a worker takes, in bytes.
  package var memoryOfWorker: UInt64 {
    // Frames in the decoder, the queues and the encoder take most of it.
    Self.baseMemory
      + UInt64(WorkModel.threads(cores: WorkerCount.cores)) * Self.memoryOfThread + memoryOfReader
      + Self.bytes(encoder.size, encoder.format) * Self.encodedFrames
  }

  /// Returns how many readers of the source may decode side by side.
  func readers(within memory: UInt64) -> Int {
    max(min(Int(clamping: memory / memoryOfReader), WorkerCount.cores), 1)
  }

  /// The memory, in bytes, of the frames in a reader's decoder and in the queues behind it.
  private var memoryOfReader: UInt64 {
    // The result is at least 1, because `readers(within:)` divides by it.
    max(Self.bytes(sourceFrame.0, sourceFrame.1) * Self.decodedFrames, 1)
  }

  private static func bytes(_ size: VideoDimensions, _ format: PixelFormat) -> UInt64 {
    // Count in halves of a luma plane: 4:2:0 has samples for one and a half planes, 4:2:2 for two,
    // and 4:4:4 for three.
    let planes = format.chromaSubsampling == .cs444 ? 6 : format.chromaSubsampling == .cs422 ? 4 : 3
    return UInt64(size.width * size.height * planes / 2 * (format.bitDepth > 8 ? 2 : 1))
  }

  /// How many bytes code and tables take.
  static let baseMemory: UInt64 = 96 << 20
  /// The bytes that x265 takes for each thread of its pool.
  private static let memoryOfThread: UInt64 = 4 << 20
  /// How many frames of the source's size are in the decoder and the queues.
  private static let decodedFrames: UInt64 = 40
  /// How many frames of the output's size are in an encoder: references, the lookahead, and the
  /// lookahead's downscaled planes.
  private static let encodedFrames: UInt64 = 110
}
