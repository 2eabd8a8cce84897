// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore
internal import Planning

/// Estimates how much memory stills take.
extension StillSession {
  /// Returns the maximum memory that stills of a file take, in bytes.
  ///
  /// - Throws: ``TranscodingError`` if the file cannot be read.
  package static func memory(of input: String, _ options: StillOptions) async throws -> UInt64 {
    let asset = try await MediaAsset.load(path: input)
    guard let track = asset.videoTrack else { return baseMemory }
    let facts = try FrameSource(track).facts
    let decoded = Self.bytes(facts.size, planes: 3, facts.format.bitDepth)
    // The conversion has chroma for every pixel, in 16 bits.
    let converted = Self.bytes(facts.size, planes: 6, 16)
    var still = facts.size
    if let width = options.width ?? options.layout.usualWidth, width < still.width {
      let height = Double(still.height) * Double(width) / Double(max(still.width, 1))
      still = VideoDimensions(width: width, height: max(Int(height), 1))
    }
    let file = Self.bytes(options.layout.size(of: still), planes: 6, 16)
    return baseMemory + decoded * decodedFrames + converted * convertedFrames + file * fileCopies
  }

  /// - Parameter planes: the size of all planes of a frame together, counted in halves of a luma
  ///   plane.
  private static func bytes(
    _ size: VideoDimensions, planes: UInt64, _ bitDepth: Int
  ) -> UInt64 {
    let (width, height) = (UInt64(max(size.width, 0)), UInt64(max(size.height, 0)))
    return width * height * planes / 2 * (bitDepth > 8 ? 2 : 1)
  }

  /// The bytes of code and tables.
  private static let baseMemory: UInt64 = 96 << 20
  /// How many frames are in the decoder and its queues.
  private static let decodedFrames: UInt64 = 40
  /// How many frames all steps of a conversion hold at the same time.
  private static let convertedFrames: UInt64 = 4
  /// How many copies of a file's pixels there are: the stills of a sheet, the sheet, and what the
  /// image's encoder makes of it.
  private static let fileCopies: UInt64 = 4
}
