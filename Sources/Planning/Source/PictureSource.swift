// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
package import Settings

/// Frames that are to be encoded: those of a track of a file, or those that a program makes.
package struct PictureSource: Sendable {
  /// Name in messages: `track 1`.
  package let name: String
  package var facts: VideoFacts
  /// Format of the frames before they are turned for display.
  private(set) var originalFormat: PixelFormat
  /// Ticks a second of their times.
  var timescale: Int32
  var frameRate: FrameRate
  /// Frames a second, as levels count them; nil where that is known only after the last is read.
  var nominalFrameRate: Double?
  package var sampleAspectRatio: PixelAspectRatio?
  var matrix: [Int32]?
  let language: String?
  /// True if the track has opacity beside its frames.
  package let hasOpacityBeside: Bool
  /// The part of the frames that is meant to be seen; nil where nothing says so.
  var cleanAperture: CleanAperture?
  /// The part of the frames without the black bars that are to be cut off; nil for the whole.
  var withoutBars: PixelRectangle?
  /// Composition that made the frames; nil where they are the track's own.
  var composition: CompositionPlan?

  /// - Throws: ``TranscodingError`` where no frame of the track could be decoded.
  package init(_ track: AssetTrack) throws {
    try track.refuseUndecodable()
    guard let facts = track.video else {
      throw TranscodingError(
        .unusableInput,
        "track \(track.demuxed.id) (\(track.demuxed.codec.codecName)): no frame could be decoded: "
          + "it is damaged, or of a variant that FFmpeg's library does not decode here"
          + (track.dolbyVisionObstacle.map { "; it is \($0)" } ?? ""))
    }
    self.init(facts, track: track)
  }

  /// Frames with the statements of a track about them.
  ///
  /// - Parameters:
  ///   - track: the track that they come from; nil for frames that a program makes.
  ///   - first: the first of them, for its times where there is no track.
  package init(_ facts: VideoFacts, track: AssetTrack?, first: VideoFrame? = nil) {
    let duration = first?.duration ?? .zero
    let own = FrameRate(Int(duration.timescale), per: Int(duration.value))
    name = track.map { "track \($0.demuxed.id)" } ?? "the input"
    self.facts = facts
    originalFormat = facts.format
    timescale = track?.demuxed.timescale ?? Self.timescale(of: first)
    frameRate = track?.demuxed.averageFrameRate ?? own ?? FrameRate(framesPerSecond: 30)
    nominalFrameRate = track?.box.flatMap { box in
      SampleTimes(box).flatMap(box.nominalFrameRate)
    }
    sampleAspectRatio = track?.demuxed.sampleAspectRatio
    let size = track?.video?.size ?? facts.size
    matrix = track?.statedMatrix.flatMap(DisplayMatrix.init)?.scaled(from: size, to: facts.size)
    language = track?.demuxed.language
    hasOpacityBeside = track?.demuxed.hasOpacityBeside ?? false
    cleanAperture = size == facts.size ? track?.cleanAperture : nil
  }

  /// The frames that a composition makes of these.
  func composed(by plan: CompositionPlan) -> PictureSource {
    var result = self
    result.facts = plan.facts(from: facts)
    result.originalFormat = result.facts.format
    result.sampleAspectRatio =
      plan.compositor.sampleAspectRatio(sampleAspectRatio, forSource: facts.size)
      ?? sampleAspectRatio
    result.matrix = matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: facts.size, to: result.facts.size)
    // Statements about the source's frames are not true of frames that were made from them.
    (result.cleanAperture, result.withoutBars) = (nil, nil)
    result.composition = plan
    return result
  }

  /// The part of the frames that settings take, on the raster of subsampled chroma: without black
  /// bars, and inside of the clean aperture where that is to be cut out; nil for the whole.
  package func part(
    takenBy settings: VideoSettings, subsampling: ChromaSubsampling
  ) -> PixelRectangle? {
    let aperture = settings.cleanAperture == .crop ? cleanAperture : nil
    let seen = aperture?.samples(of: facts, subsampling: subsampling)
    guard let bars = withoutBars, let seen else { return seen ?? withoutBars }
    return seen.intersection(bars) ?? seen
  }

  /// Frames a second by their average, as levels count them.
  var averageFrameRate: Double {
    ConfigurationRecord.nominalFrameRate(frameRate.framesPerSecond)
  }

  /// Ticks a second that hold the first frame's time and duration exactly, and are not coarse:
  /// the times of the others are not known yet.
  private static func timescale(of first: VideoFrame?) -> Int32 {
    guard let first else { return 600 }
    let both =
      (MediaTime(value: 0, timescale: first.duration.timescale) + first.presentationTimeStamp)
      .timescale
    if both >= 600 { return both }
    return 90_000 % both == 0 ? 90_000 : both * ((600 + both - 1) / both)
  }

  /// Refuses a frame that is not like the first, for which everything was planned.
  ///
  /// - Parameters:
  ///   - input: the source of the frames, for the message.
  ///   - ignoringColor: true if the user stated the color, whatever the file states.
  package func refuseChange(_ frame: VideoFrame, of input: String, ignoringColor: Bool = false)
    throws
  {
    let buffer = frame.pixelBuffer
    let (signal, first) = (buffer.attachments.signal, facts.firstSignal)
    var changes: [String] = []
    if buffer.format != facts.format || buffer.size != facts.size {
      changes.append(
        "frames change from \(facts.size), \(facts.format) to \(buffer.size), \(buffer.format)")
    }
    // A statement that ends in the middle does not contradict the one before.
    if signal.color != first.color, !signal.color.isUnspecified, !ignoringColor {
      changes.append("colors change from \(first.color) to \(signal.color)")
    }
    if let range = signal.videoFullRangeFlag, range != first.videoFullRangeFlag ?? false {
      changes.append("range changes to \(range ? "full" : "limited")")
    }
    if facts.claims.first?.source == .attachments, let location = signal.chromaLocation,
      location != first.chromaLocation ?? .left
    {
      changes.append("chroma location changes to \(location)")
    }
    guard let change = changes.first else { return }
    throw TranscodingError(
      .unusableInput,
      "\(input): its \(change) at \(frame.presentationTimeStamp.seconds) s; cut it there first")
  }
}

extension VideoFacts {
  /// Facts that a frame's attachments state; there is no file behind it.
  package init(_ frame: VideoFrame) {
    let buffer = frame.pixelBuffer
    let signal = buffer.attachments.signal
    let claims = [SignalClaim(source: .attachments, signal: signal)]
    self.init(
      claims: claims, tags: ResolvedTags(claims), bitstream: nil,
      size: buffer.size, format: buffer.format,
      isRGB: signal.color.matrixCoefficients == .identity,
      hasAlpha: false, fieldOrder: frame.fieldOrder,
      hdrMetadata: HDRMetadata(buffer.attachments))
  }

  /// Signal of the first frame, as the decoder or the attachments state it.
  fileprivate var firstSignal: SignalDescription {
    claims.first { $0.source == .decoder || $0.source == .attachments }?.signal
      ?? SignalDescription()
  }
}

extension HDRMetadata {
  /// HDR metadata that is attached to a frame.
  fileprivate init(_ attachments: Attachments) {
    self.init(attachments.staticHDRMetadata, places: [.buffer])
    frames = attachments.metadata.read
  }
}

extension PictureSource {
  /// Facts about Dolby Vision; nil where there is none.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for frames that cannot be converted.
  package func dolbyVision() throws -> DolbyVisionSource? {
    let source = DolbyVisionSource(facts.hdrMetadata)
    if let obstacle = source?.obstacle {
      throw TranscodingError(.unusableInput, "\(name) is \(obstacle)")
    }
    return source
  }
}
