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

/// The frames to encode, from a track of a file or from a program.
package struct FrameSource: Sendable {
  /// The source's name in messages: `track 1`.
  package let name: String
  package var facts: VideoFacts
  /// The format of the frames before they are turned for display.
  private(set) var originalFormat: PixelFormat
  /// The timescale of presentation times, in ticks a second.
  var timescale: Int32
  var frameRate: FrameRate
  /// The frame rate that decides Dolby Vision's level, or `nil` if it is known only after the whole
  /// track is read.
  var nominalFrameRate: Double?
  package var sampleAspectRatio: PixelAspectRatio?
  var matrix: [Int32]?
  let language: String?
  /// The Dolby Vision of the track, such as "Dolby Vision 8.4". If frames are reshaped, the one in
  /// ``facts`` differs.
  let dolbyVision: String?
  /// The Dolby Vision of the frames, if it has an enhancement layer.
  let dualLayer: DualLayerDolbyVision?
  /// Whether the opacity of frames is in separate packets (VP8 and VP9 in Matroska).
  package let hasOpacityBeside: Bool
  /// The part of the frames that is meant to be seen, if the source declares one.
  var cleanAperture: CleanAperture?
  /// The part without black bars, if bars should be cropped.
  var withoutBars: PixelRectangle?
  /// The composition that made the frames, if any.
  var composition: CompositionPlan?

  /// - Throws: ``TranscodingError`` if no frame of the track could be decoded.
  package init(_ track: AssetTrack) throws {
    try track.refuseUndecodable()
    try track.refuseOtherEntries()
    guard let facts = track.shownVideo else {
      throw TranscodingError(
        .unusableInput,
        "track \(track.demuxed.id) (\(track.demuxed.codec.codecName)): no frame could be decoded: "
          + (track.demuxed.codec.hasFloatingPointFrames
            ? "frames with floating-point samples are not supported"
            : "the track is damaged, or this FFmpeg library cannot decode its variant of the codec")
          + (track.dolbyVisionObstacle.map { "; the track is \($0)" } ?? ""))
    }
    self.init(facts, track: track)
  }

  /// Makes a source from facts about frames and from what their track says.
  ///
  /// - Parameters:
  ///   - track: their track, or `nil` for frames from a program.
  ///   - first: the first frame. Its times are used if there is no track.
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
    dolbyVision = (track?.video ?? facts).dynamicRange(of: DolbyVisionRPU.self)
    dualLayer = track?.dualLayerDolbyVision
    hasOpacityBeside = track?.demuxed.hasOpacityBeside ?? false
    // If the size of these frames differs from the size of the track's frames, the track's aperture
    // would be misplaced in these frames.
    cleanAperture = size == facts.size ? track?.cleanAperture : nil
  }

  /// Returns the frames that a composition makes from these frames.
  func composed(by plan: CompositionPlan) -> FrameSource {
    var result = self
    result.facts = plan.facts(from: facts)
    result.originalFormat = result.facts.format
    result.sampleAspectRatio =
      plan.compositor.sampleAspectRatio(sampleAspectRatio, forSource: facts.size)
      ?? sampleAspectRatio
    result.matrix = matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: facts.size, to: result.facts.size)
    // Aperture and bars describe the source's frames, not the composed ones.
    (result.cleanAperture, result.withoutBars) = (nil, nil)
    result.composition = plan
    return result
  }

  /// Returns the part of the frames that settings use, aligned to subsampled chroma, or `nil` for
  /// the whole frame. The part leaves out black bars. If the settings crop to the clean aperture,
  /// the part is inside the aperture.
  package func part(
    takenBy settings: VideoSettings, subsampling: ChromaSubsampling
  ) -> PixelRectangle? {
    let aperture = settings.cleanAperture == .crop ? cleanAperture : nil
    let seen = aperture?.samples(of: facts, subsampling: subsampling)
    guard let bars = withoutBars, let seen else { return seen ?? withoutBars }
    // If the aperture and the area without bars do not overlap, one of them is wrong. The aperture
    // was declared and the bars were guessed, so prefer the aperture.
    return seen.intersection(bars) ?? seen
  }

  /// The average frame rate, rounded as Dolby Vision's levels need it.
  var averageFrameRate: Double {
    ConfigurationRecord.nominalFrameRate(frameRate.framesPerSecond)
  }

  /// Returns a timescale that expresses the first frame's time and duration exactly and is fine
  /// enough for other times.
  private static func timescale(of first: VideoFrame?) -> Int32 {
    guard let first else { return 600 }
    let both =
      (MediaTime(value: 0, timescale: first.duration.timescale) + first.presentationTimeStamp)
      .timescale
    if both >= 600 { return both }
    // Times of later frames are not known yet. 90 000 ticks a second express most rates exactly. If
    // they do not express this frame's times exactly, take a multiple of its timescale that is at
    // least 600, QuickTime's usual timescale.
    return 90_000 % both == 0 ? 90_000 : both * ((600 + both - 1) / both)
  }

  /// Throws if a frame differs from the first one, for which everything was planned.
  ///
  /// - Parameters:
  ///   - input: the source of the frames, for the message.
  ///   - ignoringColor: whether to ignore changes of color, because the user declared the color.
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
    // If later frames merely lack tags, they do not contradict the first one.
    if signal.color != first.color, !signal.color.isUnspecified, !ignoringColor {
      changes.append("colors change from \(first.color) to \(signal.color)")
    }
    if let range = signal.videoFullRangeFlag, range != first.videoFullRangeFlag ?? false {
      changes.append("range changes to \(range ? "full" : "limited")")
    }
    // Compare chroma locations only for frames of a program, which have nothing but their
    // attachments. The location of a file's frames was resolved from several places.
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
  /// Makes facts from a frame's attachments, without a file.
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

  /// The signal of the first frame, as the decoder or the frame's attachments state it.
  fileprivate var firstSignal: SignalDescription {
    claims.first { [.reshaping, .decoder, .attachments].contains($0.source) }?.signal
      ?? SignalDescription()
  }
}

extension HDRMetadata {
  fileprivate init(_ attachments: Attachments) {
    self.init(attachments.staticHDRMetadata, places: [.buffer])
    frames = attachments.metadata.read
  }
}

extension FrameSource {
  /// Returns the facts about Dolby Vision, if the frames have any.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the frames cannot be converted.
  package func dolbyVisionSource() throws -> DolbyVisionSource? {
    let source = DolbyVisionSource(facts.hdrMetadata)
    // If there are two layers, the base layer can be shown alone, whatever the record says.
    if dualLayer == nil, let source, let obstacle = source.obstacle {
      // If usable RPUs had been found, the frames would be reshaped already.
      var text = "\(name) is \(obstacle)"
      if !source.isEnhancementLayer { text += "; no usable RPU was found" }
      throw TranscodingError(.unusableInput, text)
    }
    if source?.isUndecided(facts.tags.signal.color.transferCharacteristics) == true {
      throw TranscodingError(
        .unusableInput,
        "\(name) states no color, and all of its Dolby Vision RPUs are damaged, so nothing says "
          + "what the frames mean; if it looks right in players without Dolby Vision, add color "
          + "tags to it first")
    }
    return source
  }
}
