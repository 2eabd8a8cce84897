// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import ISOBMFF
internal import LibAV
internal import NALUnits

/// What containers and bitstreams say about stereoscopic or spherical video.
extension AssetTrack {
  /// What the boxes for spatial video say; `nil` if there are none.
  package var spatialVideo: SpatialVideo? {
    box?.sampleEntries.lazy.compactMap { SpatialVideo($0) }.first
  }

  /// The places that declare stereoscopic or spherical video: boxes, Matroska's elements, messages.
  package var spatialPlaces: [String] {
    let boxes = spatialVideo?.boxes.map { "\($0)" } ?? []
    // For a movie, libavformat derives these elements from the boxes. If they counted as well, each
    // place would count twice.
    let elements = box == nil ? demuxed.spatialElements.map(\.rawValue) : []
    return boxes + elements
      + (isFramePacked ? ["\(StatementPlace.message(SEIPayloadType.framePacking))"] : [])
  }

  /// Whether a message says that both eyes are in one frame or in alternating frames.
  private var isFramePacked: Bool { video?.bitstream?.hasFramePacking == true }

  /// Whether both eyes are in one frame, or in alternating frames.
  private var isPacked: Bool {
    spatialVideo?.isPacked == true || isFramePacked
      || box == nil && demuxed.spatialElements.contains(.stereoMode)
  }

  /// Whether the bitstream is HEVC with a layer for the second eye. That layer is not decoded.
  package var isMVHEVC: Bool { multiviewCodec == .hevc }

  /// The codec whose bitstream has a layer or view for the second eye; `nil` if there is none.
  private var multiviewCodec: NALCodec? {
    if spatialVideo?.hasSecondLayer == true { return .hevc }
    return video?.bitstream.flatMap { $0.hasOtherLayers ? $0.codec : nil }
  }

  /// `MV-HEVC`, `MVC`, `frame packed` or `one layer`; `nil` if nothing declares stereoscopic or
  /// spherical video.
  package var spatialKind: String? {
    if let multiviewCodec { return multiviewCodec.multiviewName }
    return spatialPlaces.isEmpty ? nil : isPacked ? "frame packed" : "one layer"
  }

  /// The boxes that Matroska has no place for: the record of a second layer, and Apple's boxes for
  /// two eyes.
  package var spatialBoxesOfMovies: [String] {
    // Matroska has elements for what the boxes of Spherical Video V2 say, so nothing of that is
    // lost.
    spatialVideo?.boxes.filter { ["lhvC", "vexu", "hfov"].contains($0) }.map { "\($0)" } ?? []
  }

  /// A notice about what is lost if only the first layer is decoded; `nil` if nothing is lost.
  package var spatialLoss: Notice? {
    let claims = spatialPlaces.joined(separator: ", ")
    if let multiviewCodec {
      return .secondEyeNotCarried(multiviewCodec.multiviewName, claims: claims)
    }
    return claims.isEmpty ? nil : .spatialVideoNotCarried(claims: claims, isPacked: isPacked)
  }
}
