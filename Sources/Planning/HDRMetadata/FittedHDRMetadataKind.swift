// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// A kind of dynamic HDR metadata that can be fitted to frames that are not the source's any more:
/// parts of a value move with them, or values are computed.
protocol FittedHDRMetadataKind: DynamicHDRMetadataKind {
  /// Part that computes values; nil where the source's are kept, or frames cannot be measured.
  static func composer(for plan: EncodingPlan) -> MetadataComposer?

  /// The value of a frame that was cut.
  ///
  /// - Parameter area: the move of the active area.
  func moved(by area: ActiveArea) throws -> Self
}

/// Makes the metadata of a frame as it will be decoded.
///
/// - Parameters:
///   - source: the metadata of the frame that it was made from.
typealias MetadataComposer = (
  _ picture: PixelBuffer, _ source: FrameMetadata, _ beginsShot: Bool
) throws -> any DynamicHDRMetadataKind
