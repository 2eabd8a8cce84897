// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import CodePoints
package import ISOBMFF
package import LibAV
package import MediaCore
package import Planning
internal import VideoEncoders

/// Statements of the boxes of a track that is written, beside the format of its samples.
package struct TrackBoxes: Sendable {
  /// Presentation of the media; its times are those of the samples as they are appended.
  package var timeline: EditTimeline
  /// The matrix for `tkhd`; nil for the unit matrix.
  package var matrix: [Int32]?
  /// The track that this one was made of, for its dates; nil for none.
  package var source: Movie.Track?
  /// The track whose samples are copied; nil for others.
  package var origin: AssetTrack?
  /// Language, name and roles.
  package var label = TrackLabel()
  /// Color that the sample entry states.
  package var color = Color.none
  /// Shape of frames that were encoded, as the sample entry states it.
  var shape = PictureShape()
  /// HDR metadata that the sample entry states beside the color: complete after the last frame.
  package var hdrMetadata = HDRMetadataPlan.none
  /// Facts about frames whose samples are copied; nil for others.
  package var copiedPictures: CopiedPictures?

  /// The box `hvcC` of samples of HEVC that are copied; nil for other tracks, and where the source
  /// has none.
  var copiedConfiguration: Box?

  /// The codec of audio that was encoded; nil for other tracks.
  package var encodedAudio: AudioCodec?

  package init(
    timeline: EditTimeline, matrix: [Int32]? = nil, source: Movie.Track? = nil,
    label: TrackLabel = TrackLabel()
  ) {
    (self.timeline, self.matrix, self.source, self.label) = (timeline, matrix, source, label)
  }

  /// The size on the screen for `tkhd`, 16.16 fixed point; nil for what libavformat wrote.
  var displaySize: HeaderFields.DisplaySize? {
    guard case .copied = color, let size = source?.header.displaySize else {
      return shape.displaySize
    }
    // Some writers leave it out.
    return size.width > 0 && size.height > 0 ? size : nil
  }

  /// `tapt`, QuickTime's sizes of the visible part on the screen, of samples that are copied; nil
  /// where there is none. Of encoded pictures, `clap` and `pasp` say all of it.
  var trackApertures: Box? {
    guard case .copied = color else { return nil }
    return source?.box.child("tapt")?.withoutMisplacedBoxes
  }

  /// `stbl` of the track whose samples are copied; nil for samples that are encoded, and where
  /// there is none.
  var copiedTable: Box? {
    guard !holdsEncodedFrames else { return nil }
    return encodedAudio == nil ? source?.box.first("mdia", "minf", "stbl") : nil
  }

  /// Color of a sample entry.
  package enum Color: Sendable {
    /// Nothing that is known here: it is left as libavformat wrote it.
    case none
    /// Meaning of the encoded frames: `colr`, or no box where that is unspecified.
    case stated(SignalDescription)
    /// The source's boxes as they are, because the samples are too.
    case copied
    /// Meaning of copied frames whose source has no boxes.
    case restated(CopiedSignal)
  }
}

extension TrackBoxes {
  /// Statements of the output's boxes about a track of the source.
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

  /// True if the track holds frames that were encoded.
  var holdsEncodedFrames: Bool { if case .stated = color { true } else { false } }

  /// True if the track's frames or its audio are encoded.
  package var isEncoded: Bool { holdsEncodedFrames || encodedAudio != nil }

  /// The boxes of a copy of a track.
  ///
  /// - Parameters:
  ///   - hdrMetadata: the HDR metadata of frames beside the color.
  ///   - container: the kind of file that is made in the end.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for frames that state no presentation
  ///   times.
  package init(
    copying track: AssetTrack, hdrMetadata: HDRMetadataPlan, container: FileType
  ) throws {
    self.init(
      timeline: track.timeline, matrix: track.matrix, source: track.box, label: track.label)
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
    copiedPictures = try CopiedPictures(of: track, signal)
    guard let codec = track.demuxed.codec.nalCodec, codec.configurationStatesCompleteness else {
      return
    }
    let stored =
      track.box?.sampleEntries.first?.payload(codec.configurationBox)
      ?? track.demuxed.codec.extradata
    // Streams have start codes in its place, from which the muxer makes a record.
    guard stored.first == 1 else { return }
    copiedConfiguration = Box(
      codec.configurationBox, fields: signal?.restated(configuration: stored, codec) ?? stored)
  }

  /// Says what frames are that a plan makes.
  package mutating func describe(_ plan: EncodingPlan) {
    color = .stated(plan.encoder.signal)
    shape = plan.shape
    hdrMetadata = plan.hdrMetadata
  }
}

/// A track as it was written.
package struct WrittenTrack: Sendable {
  package let boxes: TrackBoxes
  package let samples: WrittenSamples
  var entryOrigin = EntryOrigin.muxer
}

extension [WrittenTrack] {
  /// The place of the track that holds the output's pictures: those that were encoded, or else the
  /// first that were copied; nil where there are none.
  var placeOfPictures: Int? {
    firstIndex(where: \.boxes.holdsEncodedFrames)
      ?? firstIndex { $0.boxes.origin?.demuxed.kind == .video }
  }
}
