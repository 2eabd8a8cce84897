// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A report on the statements about frames beside their color: pixel aspect ratio, clean aperture,
/// fields, and eyes.
///
/// Encoded, the keys are the properties' names; what is unstated is left out.
package struct ShapeReport: Sendable, Encodable {
  /// Width and height of a sample: `59:54`.
  package let pixelAspectRatio: String?
  /// Notice that container and bitstream contradict each other on it; nil where they do not.
  package let aspectConflict: Notice?
  /// The part of the frames that is meant to be seen: `704×480`.
  package let cleanAperture: String?
  /// The fault of a clean aperture that is stated and counts as unstated; nil for none.
  package let apertureFault: Notice?
  /// The order of fields that the container states, where it is another than the frames'.
  package let containerFieldOrder: String?
  /// Notice that container and frames contradict each other on it; nil where they do not.
  package let fieldConflict: Notice?
  /// Frames for two eyes; left out where nothing says so.
  package let spatialVideo: SpatialReport?

  /// The statements about video for two eyes.
  package struct SpatialReport: Sendable, Encodable {
    /// `MV-HEVC`, or `MVC` of H.264, where the second eye has a layer of its own, `frame packed`
    /// where both are in one frame, otherwise `one layer`.
    package let kind: String
    /// The places that say so: boxes, `StereoMode` and `Projection` of Matroska, `SEI 45`.
    package let boxes: [String]
    /// The horizontal field of view in degrees.
    package let horizontalFieldOfView: Double?
  }

  init(_ track: AssetTrack) {
    pixelAspectRatio = track.demuxed.sampleAspectRatio.map { "\($0)" }
    aspectConflict = track.aspectConflict
    cleanAperture = track.cleanAperture.map { "\($0)" }
    apertureFault = track.apertureFault
    fieldConflict = track.fieldConflict
    containerFieldOrder = fieldConflict == nil ? nil : track.containerFieldOrder?.rawValue
    spatialVideo = track.spatialKind.map { kind in
      SpatialReport(
        kind: kind, boxes: track.spatialPlaces,
        horizontalFieldOfView: track.spatialVideo?.horizontalFieldOfView)
    }
  }

  var lines: [String] {
    let shape = [
      pixelAspectRatio.map { "pixels \($0)" }, cleanAperture.map { "clean aperture \($0)" },
    ].compactMap { $0 }
    var lines = shape.isEmpty ? [] : ["  shape      \(shape.joined(separator: ", "))"]
    if let aspectConflict { lines.append("    CONFLICT   \(aspectConflict)") }
    if let apertureFault { lines.append("    NOTE       \(apertureFault)") }
    if let containerFieldOrder {
      lines.append("    CONFLICT   the container says \(containerFieldOrder)")
    } else if let fieldConflict {
      lines.append("    NOTE       \(fieldConflict)")
    }
    if let spatialVideo {
      let view = spatialVideo.horizontalFieldOfView.map { ", field of view \($0)°" } ?? ""
      let boxes =
        spatialVideo.boxes.isEmpty ? "" : " (\(spatialVideo.boxes.joined(separator: ", ")))"
      lines.append("  spatial    \(spatialVideo.kind)\(boxes)\(view)")
    }
    return lines
  }
}
