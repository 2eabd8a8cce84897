internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// What places say of pictures beside their color: the shape of a sample, the part that is meant to
/// be seen, fields, and eyes.
///
/// Encoded, the keys are the properties' names; what is unstated is left out.
public struct ShapeReport: Sendable, Encodable {
  /// Width and height of a sample: `59:54`.
  public let pixelAspectRatio: String?
  /// The part of the pictures that is meant to be seen: `704×480`.
  public let cleanAperture: String?
  /// The order of fields that the container states, where it is another than the pictures'.
  public let containerFieldOrder: String?
  /// Pictures for two eyes; left out where nothing says so.
  public let spatialVideo: SpatialReport?

  /// What is said of pictures for two eyes.
  public struct SpatialReport: Sendable, Encodable {
    /// `MV-HEVC` where the second eye has a layer of its own, `frame packed` where both are in one
    /// picture, otherwise `one layer`.
    public let kind: String
    /// The boxes that say so.
    public let boxes: [String]
    /// The horizontal field of view in degrees.
    public let horizontalFieldOfView: Double?
  }

  init(_ track: AssetTrack) {
    pixelAspectRatio = track.demuxed.sampleAspectRatio.map { "\($0)" }
    cleanAperture = track.cleanAperture.map { "\($0)" }
    containerFieldOrder = track.fieldConflict == nil ? nil : track.containerFieldOrder?.rawValue
    let spatial = track.spatialVideo
    guard spatial != nil || track.isMVHEVC else {
      spatialVideo = nil
      return
    }
    let other = spatial?.isPacked == true ? "frame packed" : "one layer"
    spatialVideo = SpatialReport(
      kind: track.isMVHEVC ? "MV-HEVC" : other, boxes: (spatial?.boxes ?? []).map { "\($0)" },
      horizontalFieldOfView: spatial?.horizontalFieldOfView)
  }

  var lines: [String] {
    let shape = [
      pixelAspectRatio.map { "pixels \($0)" }, cleanAperture.map { "clean aperture \($0)" },
    ].compactMap { $0 }
    var lines = shape.isEmpty ? [] : ["  shape      \(shape.joined(separator: ", "))"]
    if let containerFieldOrder {
      lines.append("    CONFLICT   the container says \(containerFieldOrder)")
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
