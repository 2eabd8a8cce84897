// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import Reading

/// A frame's light as a histogram, and the frame's cells, which show how much of the scene stands
/// still. A black frame has no `FrameLight`, so the histogram is never empty.
typealias FrameLight = (histogram: LightHistogram, cells: FrameCells)

/// A track whose frames can be measured on any thread.
struct LightSource: Sendable {
  let track: AssetTrack
  let plan: ConversionPlan
  let hlgPeakLuminance: Double
  let size: VideoDimensions

  private let cellScale: FrameCells.Scale
  /// The PQ signal above which light counts as a highlight.
  private let brightSignal: Double

  init(
    track: AssetTrack, plan: ConversionPlan, hlgPeakLuminance: Double, size: VideoDimensions
  ) {
    (self.track, self.plan) = (track, plan)
    (self.hlgPeakLuminance, self.size) = (hlgPeakLuminance, size)
    cellScale = FrameCells.Scale(plan, hlgPeakLuminance: hlgPeakLuminance)
    brightSignal = plan.brightSignal
  }

  /// Every eighth row is measured.
  static let rowStep = 8

  /// A new meter, or `nil` if frames of this kind cannot be measured.
  var meter: LightMeter? {
    LightMeter(plan.source, size: size, peakLuminance: hlgPeakLuminance)
  }

  /// Returns the light of a sync sample.
  ///
  /// - Parameter found: the metadata in the packet, if frames need reshaping.
  /// - Returns: `nil` if the packet cannot be decoded, or the frame is black.
  func light(
    of packet: Packet, _ found: FrameMetadataReader.Found?
  ) -> FrameLight? {
    // Each sync sample gets a new decoder. So its frame does not depend on what was decoded before,
    // and a segment of a clip gets the same curves as the whole clip.
    guard let decoder = try? ReshapingDecoder(track, onePicture: true) else {
      return nil
    }
    try? decoder.send(packet, found)
    var frame = try? decoder.receiveUnshaped()
    if frame == nil {
      // A decoder that reorders frames holds back the first one until it is flushed.
      try? decoder.send(nil)
      frame = try? decoder.receiveUnshaped()
    }
    return frame.flatMap { light(of: decoder.reshaped($0).pixelBuffer, cells(of: $0)) }
  }

  /// Returns the light of a frame.
  ///
  /// - Returns: `nil` if the frame is black, or its format or size differs from the track's.
  func light(of picture: PixelBuffer, _ cells: FrameCells) -> FrameLight? {
    guard picture.format == plan.source.format, picture.size == size,
      let histogram = meter?.histogram(of: picture, step: Self.rowStep, white: brightSignal),
      histogram.total > 0
    else { return nil }
    return (histogram, cells)
  }

  /// Returns the cells of a frame. The frame may still have to be reshaped.
  func cells(of frame: DecodedFrame) -> FrameCells {
    let picture = frame.pixelBuffer
    let scale = frame.metadata.pendingReshaping.map {
      cellScale.reshaped(by: $0, bitDepth: picture.format.bitDepth)
    }
    return FrameCells(of: picture, scale ?? cellScale)
  }
}
