// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
package import DolbyVision
package import LibAV
package import MediaCore
package import Reading

/// HDR metadata from one file that is put onto the copied frames of another file.
package struct GraftedMetadata: Sendable {
  /// The metadata of each frame, at the times of the copied frames.
  package let frames: FrameMetadataTable
  /// The kinds of dynamic metadata in `frames`.
  package let kinds: [any DynamicHDRMetadataKind.Type]
  package let staticMetadata: StaticHDRMetadata
  /// The Dolby Vision record that the metadata comes with, if any.
  package let record: ConfigurationRecord?

  package init(
    frames: FrameMetadataTable, kinds: [any DynamicHDRMetadataKind.Type],
    staticMetadata: StaticHDRMetadata, record: ConfigurationRecord?
  ) {
    (self.frames, self.kinds, self.staticMetadata) = (frames, kinds, staticMetadata)
    self.record = record
  }
}

extension FrameMetadata {
  /// Returns the metadata for a frame that was cropped or scaled.
  ///
  /// - Parameters:
  ///   - scaling: the part of the source's frame that is shown, and its place in the new frame.
  ///   - size: the size of the source's frame.
  package func moved(
    by scaling: FrameScaler.Geometry, from size: VideoDimensions
  ) throws -> FrameMetadata {
    let area = ActiveArea(
      composition: nil, scaling: scaling, sourceSize: size, size: scaling.size)
    return try map { value in
      try (value as? any FittedHDRMetadataKind)?.moved(by: area) ?? value
    }
  }

  /// Returns the metadata for a frame that was rotated by the matrix in `tkhd`.
  package func turned(by matrix: [Int32]) -> FrameMetadata {
    let turn = Orientation(matrix: matrix).turn
    return map { $0.turned(turn) }
  }
}
