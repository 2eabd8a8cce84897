// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import CodePoints
package import ISOBMFF
package import LibAV
package import MediaCore
package import Planning
package import Reading
internal import VideoEncoders

/// What goes into the boxes of a track in the output. The muxer learns from ``TrackFormat`` which
/// samples follow.
package struct TrackBoxes: Sendable {
  /// How the media is presented. The times in the timeline are those of the appended samples.
  package var timeline: EditTimeline
  /// The matrix for `tkhd`, or `nil` for the unit matrix.
  package var matrix: [Int32]?
  /// The source's track, for its dates, names, language and tables; `nil` if there is none.
  package var source: Movie.Track?
  /// The source's track that this track replaces, if that is not ``source``. References to and from
  /// the replaced track become references to and from this track.
  package var replaced: Movie.Track?
  /// The track whose samples are copied, or `nil` if they are encoded.
  package var origin: AssetTrack?
  /// The language, the name and the roles.
  package var label = TrackLabel()
  /// What the sample entry says about color.
  package var color = Color.none
  /// The shape of encoded frames, for the sample entry.
  var shape = FrameShape()
  /// HDR metadata for the sample entry, in addition to color. It is complete only after the last
  /// frame.
  package var hdrMetadata = HDRMetadataPlan.none
  /// Whether encoded samples may contain RPUs that need the measured light levels.
  var samplesStateLightLevels = true
  /// What is known about copied frames, or `nil` for other samples.
  package var copiedFrames: CopiedFrames?

  /// New metadata for copied frames. It replaces the metadata in their samples.
  private(set) var frameMetadata: FrameMetadataTable?

  /// The `hvcC` box for copied HEVC samples, if the source has such a configuration.
  var copiedConfiguration: Box?

  /// The codec of encoded audio.
  package var encodedAudio: AudioCodec?

  package init(
    timeline: EditTimeline, matrix: [Int32]? = nil, source: Movie.Track? = nil,
    label: TrackLabel = TrackLabel()
  ) {
    (self.timeline, self.matrix, self.source, self.label) = (timeline, matrix, source, label)
  }

  /// The display size for `tkhd`, in 16.16 fixed point, or `nil` to keep what libavformat wrote.
  var displaySize: HeaderFields.DisplaySize? {
    guard case .copied = color, let size = source?.header.displaySize else {
      return shape.displaySize
    }
    // Some writers leave out the size. What libavformat wrote is better than nothing.
    return size.width > 0 && size.height > 0 ? size : nil
  }

  /// The source's `tapt` box, with the sizes at which QuickTime displays the track; `nil` for
  /// encoded frames.
  var trackApertures: Box? {
    // For encoded frames, `clap` and `pasp` say the same.
    guard case .copied = color else { return nil }
    return source?.box.child("tapt")?.withoutMisplacedBoxes
  }

  /// The `stbl` of the track whose samples are copied.
  var copiedTable: Box? {
    guard !holdsEncodedFrames else { return nil }
    return encodedAudio == nil ? source?.box.first("mdia", "minf", "stbl") : nil
  }

  /// What a sample entry says about color.
  package enum Color: Sendable {
    /// Nothing is known. What libavformat wrote stays.
    case none
    /// The color of encoded frames: `colr`, or no box if it is unspecified.
    case stated(SignalDescription)
    /// The source's boxes, unchanged like the samples.
    case copied
    /// The color of copied frames whose source is not a movie, and so has no boxes to copy.
    case restated(CopiedSignal)
  }
}

extension TrackBoxes {
  /// Collects what the output's boxes say about a track of the source.
  package init(of track: AssetTrack, in plan: TranscodePlan) throws {
    if track.demuxed.kind == .audio,
      let audio = plan.audio.first(where: { $0.track.demuxed.index == track.demuxed.index }),
      let encoding = audio.encoding
    {
      self.init(
        timeline: track.timeline, matrix: track.matrix, source: track.box, label: track.label)
      encodedAudio = encoding.codec
      return
    }
    guard track.demuxed.kind == .video, let encoding = plan.video?.encoding else {
      try self.init(
        copying: track, hdrMetadata: plan.video?.copiedMetadata ?? .none,
        container: plan.container)
      return
    }
    self.init(
      timeline: track.timeline, matrix: encoding.matrix, source: track.box, label: track.label)
    describe(encoding)
  }

  /// The sample entry of the copied samples; `nil` if there is none.
  var copiedEntry: SampleEntry? { origin?.copiedEntry ?? source?.sampleEntries.first }

  /// The brands that announce the dynamic HDR metadata in the samples.
  var metadataBrands: [FourCC] {
    let copied = origin?.video?.hdrMetadata.dynamicKinds.filter { !hdrMetadata.replaces($0) } ?? []
    return hdrMetadata.codecName.map { codec in
      (hdrMetadata.dynamicKinds + copied).compactMap { $0.brand(forSamplesOf: codec) }
    } ?? []
  }

  /// Whether the track contains encoded frames.
  var holdsEncodedFrames: Bool { if case .stated = color { true } else { false } }

  /// Whether the track's frames or audio are encoded.
  package var isEncoded: Bool { holdsEncodedFrames || encodedAudio != nil }

  /// Collects what the boxes of a copied track say.
  ///
  /// - Parameters:
  ///   - hdrMetadata: the HDR metadata of frames, in addition to color.
  ///   - container: the type of the file that is made from the movie in the end.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if frames have no presentation times.
  package init(
    copying track: AssetTrack, hdrMetadata: HDRMetadataPlan, container: FileType
  ) throws {
    self.init(
      timeline: track.timeline, matrix: track.matrix, source: track.box, label: track.label)
    let track = try track.asCopied()
    origin = track
    guard track.demuxed.kind == .video else { return }
    let signal = CopiedSignal(track, container: container)
    if track.box != nil { color = .copied }
    if let signal { color = .restated(signal) }
    if track.box == nil, let aperture = track.cleanAperture {
      shape.cleanAperture = aperture
      shape.pixelAspectRatio = track.demuxed.sampleAspectRatio
    }
    self.hdrMetadata = hdrMetadata
    copiedFrames = try CopiedFrames(of: track, signal)
    guard let codec = track.demuxed.codec.nalCodec, codec.configurationStatesCompleteness else {
      return
    }
    // Sample entries may differ in the size of the length before each NAL unit. The demuxer changes
    // the samples and configurations of later entries to the first entry's size. So only the first
    // entry's own record fits the samples that are read.
    let first = track.copiedEntryIndex == 0 ? track.copiedEntry : nil
    let stored = first?.payload(codec.configurationBox) ?? track.demuxed.codec.extradata
    // A record begins with its version, 1. An elementary stream's configuration begins with a start
    // code instead, and the muxer builds the record from it.
    guard stored.first == 1 else { return }
    copiedConfiguration = Box(
      codec.configurationBox, fields: signal?.restated(configuration: stored, codec) ?? stored)
  }

  /// Takes metadata from another file for frames that are copied.
  package mutating func take(_ grafted: GraftedMetadata) { frameMetadata = grafted.frames }

  /// Takes metadata for frames that are copied. It replaces the metadata in their samples.
  package mutating func take(_ frames: FrameMetadataTable) {
    guard frameMetadata != nil else { return frameMetadata = frames }
    frameMetadata?.merge(frames)
  }

  /// Takes what was measured in frames that are copied.
  package mutating func take(_ measured: MeasuredMetadata) {
    take(measured.frames)
    if let levels = measured.contentLightLevel { hdrMetadata.state(levels) }
  }

  /// Describes the frames that a plan makes.
  package mutating func describe(_ plan: EncodingPlan) {
    color = .stated(plan.encoder.signal)
    shape = plan.shape
    hdrMetadata = plan.hdrMetadata
  }
}

package struct WrittenTrack: Sendable {
  package let boxes: TrackBoxes
  package let samples: WrittenSamples
  var entryOrigin = EntryOrigin.muxer
}

extension [WrittenTrack] {
  /// The index of the output's video track: the encoded one, or else the first copied one.
  var videoTrackIndex: Int? {
    firstIndex(where: \.boxes.holdsEncodedFrames)
      ?? firstIndex { $0.boxes.origin?.demuxed.kind == .video }
  }

  /// The number of samples in the video track; 0 if there is no video track.
  package var videoSampleCount: Int { videoTrackIndex.map { self[$0].samples.count } ?? 0 }
}
