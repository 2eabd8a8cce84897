// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore

/// The light of a picture, which is not empty, so that black pictures have none, and its parts, by
/// which what stands still is known.
typealias PictureLight = (histogram: LightHistogram, cells: FrameCells)

/// A track whose pictures are measured, on any thread.
struct LightSource: Sendable {
  let track: AssetTrack
  let plan: ConversionPlan
  let hlgPeakLuminance: Double
  let size: VideoDimensions

  /// So many rows lie between two whose pixels are counted.
  static let rowStep = 8

  /// A meter; nil where the light of the frames is not known.
  var meter: LightMeter? {
    LightMeter(plan.source, width: size.width, peakLuminance: hlgPeakLuminance)
  }

  /// The light of a sync sample.
  ///
  /// - Returns: nil for a packet that cannot be decoded, and where a picture has none.
  func light(of packet: Packet) -> PictureLight? {
    guard let decoder = try? VideoDecoder(track: track.demuxed, onePicture: true) else {
      return nil
    }
    try? decoder.send(packet)
    var frame = try? decoder.receive()
    if frame == nil {
      try? decoder.send(nil)
      frame = try? decoder.receive()
    }
    return (frame?.pixelBuffer).flatMap { light(of: $0, FrameCells(of: $0)) }
  }

  /// The light of a picture.
  ///
  /// - Returns: nil for a black picture, and for one unlike the first.
  func light(of picture: PixelBuffer, _ cells: FrameCells) -> PictureLight? {
    guard picture.format == plan.source.format, picture.size == size,
      let histogram = meter?.histogram(of: picture, step: Self.rowStep), histogram.total > 0
    else { return nil }
    return (histogram, cells)
  }
}
