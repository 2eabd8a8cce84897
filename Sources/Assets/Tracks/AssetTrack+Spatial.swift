// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import ISOBMFF
internal import LibAV
internal import NALUnits

/// Statements of places about frames for two eyes, or all around.
extension AssetTrack {
  /// Statements of the boxes; nil where there are none.
  package var spatialVideo: SpatialVideo? {
    box?.sampleEntries.lazy.compactMap { SpatialVideo($0) }.first
  }

  /// The places that speak of it: boxes, Matroska's elements, messages.
  package var spatialPlaces: [String] {
    let boxes = spatialVideo?.boxes.map { "\($0)" } ?? []
    // Of a movie, libavformat reads the boxes.
    let elements = box == nil ? demuxed.spatialElements.map(\.rawValue) : []
    return boxes + elements
      + (isFramePacked ? ["\(StatementPlace.message(SEIPayloadType.framePacking))"] : [])
  }

  /// True if a message says that both eyes are in one frame or in frames in turn.
  private var isFramePacked: Bool { video?.bitstream?.hasFramePacking == true }

  /// True if both eyes are in one frame, or in frames in turn.
  private var isPacked: Bool {
    spatialVideo?.isPacked == true || isFramePacked
      || box == nil && demuxed.spatialElements.contains(.stereoMode)
  }

  /// True if there is a layer for the second eye, which is not decoded.
  package var isMVHEVC: Bool { multiviewCodec == .hevc }

  /// The codec whose bitstream has a layer or view of its own for the second eye; nil where there
  /// is none.
  private var multiviewCodec: NALCodec? {
    if spatialVideo?.hasSecondLayer == true { return .hevc }
    return video?.bitstream.flatMap { $0.hasOtherLayers ? $0.codec : nil }
  }

  /// `MV-HEVC`, `MVC`, `frame packed` or `one layer`; nil where nothing speaks of two eyes or of a
  /// sphere.
  package var spatialKind: String? {
    if let multiviewCodec { return multiviewCodec.multiviewName }
    return spatialPlaces.isEmpty ? nil : isPacked ? "frame packed" : "one layer"
  }

  /// The boxes that Matroska has no place for: a record of a second layer, and what Apple says of
  /// two eyes. Those of Spherical Video V2 have elements of their own there.
  package var spatialBoxesOfMovies: [String] {
    spatialVideo?.boxes.filter { ["lhvC", "vexu", "hfov"].contains($0) }.map { "\($0)" } ?? []
  }

  /// Notice about boxes that a copy in Matroska lacks; nil where there are none.
  package var spatialLossInMatroska: Notice? {
    let claims = spatialBoxesOfMovies.joined(separator: ", ")
    return claims.isEmpty ? nil : .spatialVideoNotCarried(claims: claims, isPacked: false)
  }

  /// Notice about the loss where only the first layer is decoded; nil where nothing is lost.
  package var spatialLoss: Notice? {
    let claims = spatialPlaces.joined(separator: ", ")
    if let multiviewCodec {
      return .secondEyeNotCarried(multiviewCodec.multiviewName, claims: claims)
    }
    return claims.isEmpty ? nil : .spatialVideoNotCarried(claims: claims, isPacked: isPacked)
  }
}
