// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import Reading
internal import Settings
package import Shots
package import VideoEncoders

/// Conditions of encoding frames in several segments.
extension TranscodePlan {
  /// True if frames are encoded.
  package var encodesFrames: Bool { video?.encoding != nil }

  /// The codec of the output's frames; nil where none are encoded.
  package var encodedCodec: VideoCodec? { video?.encoding?.codec }

  /// The settings that its encoder gets; nil where no frames are encoded.
  package var encoderSettings: VideoEncoderSettings? { video?.encoding?.encoder }

  /// The shots that tone curves are fitted to; nil where there is one curve.
  package var shots: ShotPlan? { video?.encoding?.shots }

  /// Setting that keeps the frames from being encoded in several segments; nil for none.
  package var segmentObstacle: SegmentObstacle? {
    guard let video, let encoder = video.encoding?.encoder else { return nil }
    if let shape = video.shape {
      if shape.deinterlacing?.touchesAll == true { return .shape("video.deinterlace") }
      if shape.rate != nil { return .shape("video.frameRate") }
    }
    if case .averageBitRate = encoder.rateControl { return .averageBitRate }
    let ofBuffer = [
      CodedPictureBuffer.rateOption, CodedPictureBuffer.sizeOption, CodedPictureBuffer.startOption,
    ]
    let wide = encoder.options.keys.sorted().first { name in
      let plain = name.replacing("_", with: "-")
      if encoder.buffer != nil, ofBuffer.contains(plain) { return false }
      return Self.wideOptions.contains { plain == $0 || plain.hasPrefix("\($0)-") }
    }
    return wide.map { .encoderOption($0) }
  }

  /// Options that speak of picture numbers or of the whole, of buffers whose end is not known, or
  /// which decide how many threads share a picture.
  private static let wideOptions = [
    "abr-ladder", "analysis", "asm", "bitrate", "chunk", "const-vbv", "cplxblur", "crf-max",
    "crf-min", "deterministic", "frame-threads", "hrd", "lookahead-slices", "lookahead-threads",
    "no-wpp", "non-deterministic", "numa-pools", "pass", "pme", "pmode", "pools", "qblur",
    "qpfile", "ratetol", "scenecut-qp-config", "sliced-threads", "slices", "stats", "strict-cbr",
    "sync-lookahead", "threads", "vbv", "wpp", "zonefile", "zones",
  ]
}
