// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A report on the shape of frames: pixel aspect ratio, clean aperture, fields, and eyes.
///
/// Encoded with the properties' names as keys. Absent values are left out.
package struct ShapeReport: Sendable, Encodable {
  /// The width and height of a sample: `59:54`.
  package let pixelAspectRatio: String?
  /// Set if container and bitstream disagree about the pixel aspect ratio.
  package let aspectConflict: Notice?
  /// The size of the part of the frames that is meant to be seen: `704×480`.
  package let cleanAperture: String?
  /// What is wrong with a clean aperture that is therefore ignored.
  package let apertureFault: Notice?
  /// The container's field order, if it differs from the frames'.
  package let containerFieldOrder: String?
  /// Set if container and frames disagree about the field order.
  package let fieldConflict: Notice?
  /// What is known about frames for two eyes, if anything says that there are any.
  package let spatialVideo: SpatialReport?

  /// What the file says about video for two eyes.
  package struct SpatialReport: Sendable, Encodable {
    /// `MV-HEVC`, or `MVC` of H.264, if the second eye has its own layer; `frame packed` if both
    /// are in one frame; otherwise `one layer`.
    package let kind: String
    /// The places that state it: boxes, Matroska's `StereoMode` and `Projection`, `SEI 45`.
    package let boxes: [String]
    /// The horizontal field of view, in degrees.
    package let horizontalFieldOfView: Double?
  }

  init(_ track: AssetTrack) {
    pixelAspectRatio = track.demuxed.sampleAspectRatio.map { "\($0)" }
    aspectConflict = track.aspectConflict
    cleanAperture = track.cleanAperture.map { "\($0)" }
    apertureFault = track.apertureFault
    fieldConflict = track.fieldConflict
    // Without a conflict, the field order is already part of the video's own line.
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
