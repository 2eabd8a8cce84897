// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// Statements of the boxes of a track that is written, beside the format of its samples.
struct TrackBoxes: Sendable {
  /// Presentation of the media; its times are those of the samples as they are appended.
  var timeline: EditTimeline
  /// The matrix for `tkhd`; nil for the unit matrix.
  var matrix: [Int32]?
  /// The track that this one was made of, for its dates; nil for none.
  var source: Movie.Track?
  /// The track whose samples are copied; nil for others.
  var origin: AssetTrack?
  /// Language, name and roles.
  var label = TrackLabel()
  /// Color that the sample entry states.
  var color = Color.none
  /// Shape of frames that were encoded, as the sample entry states it.
  var shape = PictureShape()
  /// HDR metadata that the sample entry states beside the color: complete after the last frame.
  var hdrMetadata = HDRMetadataPlan.none
  /// Facts about frames whose samples are copied; nil for others.
  var copiedPictures: CopiedPictures?

  /// The content of `hvcC` of HEVC whose samples are copied; nil for other tracks, and where the
  /// source has none.
  var copiedConfiguration: [UInt8]?

  /// The codec of audio that was encoded; nil for other tracks.
  var encodedAudio: AudioCodec?

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
    if case .stated = color { return nil }
    return encodedAudio == nil ? source?.box.first("mdia", "minf", "stbl") : nil
  }

  /// Color of a sample entry.
  enum Color: Sendable {
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
  /// The boxes of a copy of a track.
  ///
  /// - Parameters:
  ///   - hdrMetadata: the HDR metadata of frames beside the color.
  ///   - container: the kind of file that is made in the end.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for frames that state no presentation
  ///   times.
  init(
    copying track: AssetTrack, hdrMetadata: HDRMetadataPlan, container: FileType
  ) throws {
    self.init(
      timeline: track.timeline, matrix: track.matrix, source: track.box, origin: track,
      label: track.label)
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
    guard track.demuxed.codec.videoCodec == .hevc else { return }
    let stored =
      track.box?.sampleEntries.first?.payload(VideoCodec.hevc.configurationBox)
      ?? track.demuxed.codec.extradata
    // Streams have start codes in its place, from which the muxer makes a record.
    copiedConfiguration =
      stored.first == 1 ? signal?.restated(configuration: stored, .hevc) ?? stored : nil
  }

  /// Says what frames are that a plan makes.
  mutating func describe(_ plan: EncodingPlan) {
    color = .stated(plan.encoder.signal)
    shape = plan.shape
    hdrMetadata = plan.hdrMetadata
  }
}

/// A track as it was written.
struct WrittenTrack: Sendable {
  let boxes: TrackBoxes
  let samples: WrittenSamples
  var entryOrigin = EntryOrigin.muxer
}
