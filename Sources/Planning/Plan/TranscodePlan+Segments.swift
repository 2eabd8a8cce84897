// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
package import Reading
internal import Settings
package import Shots
package import VideoEncoders

/// Whether frames can be encoded in several segments.
extension TranscodePlan {
  /// Whether frames are encoded.
  package var encodesFrames: Bool { video?.encoding != nil }

  /// The codec of the output's frames, if they are encoded.
  package var encodedCodec: VideoCodec? { video?.encoding?.codec }

  /// The encoder's settings, if frames are encoded.
  package var encoderSettings: VideoEncoderSettings? { video?.encoding?.encoder }

  /// The shots that tone curves or gain curves are fitted to, or `nil` for a single curve.
  package var shots: ShotPlan? { video?.encoding?.shots }

  /// What keeps frames from being encoded in several segments, if anything.
  package var segmentObstacle: SegmentObstacle? {
    // Copied frames are not encoded, so there is no obstacle.
    guard let video, let encoder = video.encoding?.encoder else { return nil }
    if let shape = video.shape {
      // Deinterlacing and frame rate conversion need frames from both sides of the border between
      // two segments.
      if shape.deinterlacing?.touchesAll == true { return .shape("video.deinterlace") }
      if shape.rate != nil { return .shape("video.frameRate") }
    }
    // A frame without a tone map from the author uses the most recent one, which may be in any
    // earlier segment.
    if [video.composition?.conversion, video.encoding?.conversion].contains(where: {
      $0?.followsAuthor == true
    }) {
      return .shape("video.conversion.toneMapping 'authored'")
    }
    if case .averageBitRate = encoder.rateControl { return .averageBitRate }
    let ofBuffer = [
      CodedPictureBuffer.rateOption, CodedPictureBuffer.sizeOption, CodedPictureBuffer.startOption,
    ]
    let wide = encoder.options.keys.sorted().first { name in
      let plain = name.optionWithHyphens
      // For this package's own buffer, each segment is told how full the buffer is at its start. So
      // options for that buffer are no obstacle.
      if encoder.buffer != nil, ofBuffer.contains(plain) { return false }
      return Self.wideOptions.contains { plain == $0 || plain.hasPrefix("\($0)-") }
    }
    return wide.map { .encoderOption($0) }
  }

  /// Options that refer to frame numbers or to the whole file, that depend on a buffer whose final
  /// fullness is unknown, or that decide how many threads share a frame. With any of them, the
  /// frames of a segment would differ from the same frames encoded in one run.
  private static let wideOptions = [
    "abr-ladder", "analysis", "asm", "bitrate", "chunk", "const-vbv", "cplxblur", "crf-max",
    "crf-min", "deterministic", "frame-threads", "hrd", "lookahead-slices", "lookahead-threads",
    "no-wpp", "non-deterministic", "numa-pools", "pass", "pme", "pmode", "pools", "qblur",
    "qpfile", "ratetol", "scenecut-qp-config", "sliced-threads", "slices", "stats", "strict-cbr",
    "sync-lookahead", "threads", "vbv", "wpp", "zonefile", "zones",
  ]
}
