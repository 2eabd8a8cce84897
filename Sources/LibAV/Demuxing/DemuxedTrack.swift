// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// One track of a file that is being read, as the container describes it.
package struct DemuxedTrack: Sendable {
  /// An element of Matroska that speaks of frames for two eyes or all around.
  package enum SpatialElement: String, Sendable {
    /// Two eyes.
    case stereoMode = "StereoMode"
    /// All around.
    case projection = "Projection"
  }

  /// The index that its packets carry.
  package let index: Int
  /// The track's number in the container: the track ID of a movie file.
  package private(set) var id: Int
  /// The kind of media.
  package let kind: MediaType
  /// The codec.
  package internal(set) var codec: CodecParameters
  /// The four characters of the sample entry, or 0 where the container has none.
  package let codecTag: UInt32
  /// Ticks a second of the track's timestamps.
  package let timescale: Int32
  /// Luma samples in a row and rows; 0 × 0 for other media than video.
  package let size: VideoDimensions
  /// The shape of a sample; nil if unstated.
  package private(set) var sampleAspectRatio: PixelAspectRatio?
  /// The shape of a sample as the bitstream states it; nil if unstated.
  package let bitstreamAspectRatio: PixelAspectRatio?
  /// The rows and columns at the edges that the container says are not to be seen; nil where it
  /// says nothing that is read.
  package private(set) var crop: Crop?
  /// Statements of a container that is no movie file about frames for two eyes or all around.
  package let spatialElements: [SpatialElement]
  /// The order of fields as the container states it; nil where it does not.
  package let containerFieldOrder: FieldOrder?
  /// The average frame rate; nil if unknown.
  package let averageFrameRate: FrameRate?
  /// The lowest rate in which all frames have their places, as libavformat guesses it; nil where
  /// it does not.
  package let baseFrameRate: FrameRate?
  /// Color, range and chroma location as the container states them.
  package let containerSignal: SignalDescription
  /// Static HDR metadata as the container states it.
  package let containerStaticHDRMetadata: StaticHDRMetadata
  /// The content of the container's Dolby Vision configuration record.
  package let containerDolbyVisionConfiguration: [UInt8]?
  /// The first timestamp of the track, where the container or its first packets tell.
  package let startTime: MediaTime?
  /// Duration of the track; nil where it is unknown.
  package let duration: MediaTime?
  /// The number of samples that the container lists; 0 if it lists none.
  package let sampleCount: Int
  /// The language, the name and the roles, where the container states them and libavformat tells.
  package let label: TrackLabel
  /// The time code of its first frame, as the container writes it; nil where it states none.
  package let timeCode: String?
  /// The 3×3 transformation matrix as `tkhd` has it (16.16 and 2.30 fixed point), where stated.
  package let displayMatrix: [Int32]?

  /// True if frames have an opacity in packets beside them (VP8 and VP9 in Matroska).
  package let hasOpacityBeside: Bool

  /// True if a container that is no movie file states that the samples are encrypted.
  package private(set) var isEncrypted: Bool

  /// True if the track is a file that lies in this one as a whole: cover art, a font.
  package var isAttachment: Bool { kind == .artwork || codec.isAttachment }

  /// The language as three letters (ISO 639-2), where stated.
  package var language: String? { label.language }

  /// Rows and columns at the edges of frames.
  package struct Crop: Hashable, Sendable {
    /// Rows at the top.
    package let top: Int
    /// Rows at the bottom.
    package let bottom: Int
    /// Columns at the left.
    package let left: Int
    /// Columns at the right.
    package let right: Int

    /// A crop from its parts.
    package init(top: Int, bottom: Int, left: Int, right: Int) {
      (self.top, self.bottom, self.left, self.right) = (top, bottom, left, right)
    }
  }

  /// Seconds a tick; the numerator is 1 in most containers, but not in AVI.
  let timeBase: AVRational

  init(
    _ stream: UnsafeMutablePointer<AVStream>, containerSignal: SignalDescription,
    containerFieldOrder: FieldOrder?
  ) throws(LibAVError) {
    guard let parameters = unsafe stream.pointee.codecpar else {
      throw LibAVError("avformat_find_stream_info", candela_averror_invaliddata())
    }
    index = unsafe Int(stream.pointee.index)
    try unsafe StreamNumbers(stream, parameters).check(track: index + 1)
    timeBase = unsafe stream.pointee.time_base
    // Numbers of tracks have 32 bits, of which libavformat takes one for a sign.
    id = unsafe Int(UInt32(bitPattern: stream.pointee.id))
    kind = unsafe Self.kind(of: stream)
    codec = try unsafe CodecParameters(copying: parameters)
    codecTag = unsafe parameters.pointee.codec_tag
    timescale = timeBase.den
    size = unsafe VideoDimensions(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    // The container's statement stands on the stream, the bitstream's on the parameters.
    let stated = unsafe stream.pointee.sample_aspect_ratio
    let coded = unsafe parameters.pointee.sample_aspect_ratio
    sampleAspectRatio = PixelAspectRatio(stated.num > 0 ? stated : coded)
    bitstreamAspectRatio = PixelAspectRatio(coded)
    let rate = unsafe candela_frame_rate(stream)
    averageFrameRate = FrameRate(Int(rate.num), per: Int(rate.den))
    let base = unsafe stream.pointee.r_frame_rate
    baseFrameRate = FrameRate(Int(base.num), per: Int(base.den))
    self.containerSignal = containerSignal
    self.containerFieldOrder = containerFieldOrder
    crop = unsafe Self.crop(of: stream)
    spatialElements = unsafe Self.spatialElements(of: stream)
    containerStaticHDRMetadata = unsafe Self.staticHDRMetadata(of: stream)
    let record: AVDOVIDecoderConfigurationRecord? = unsafe Self.sideData(
      of: stream, AV_PKT_DATA_DOVI_CONF)
    containerDolbyVisionConfiguration = record?.payload
    startTime = unsafe MediaTime(stream.pointee.start_time, timeBase: timeBase)
    duration = unsafe MediaTime(stream.pointee.duration, timeBase: timeBase)
    sampleCount = unsafe Int(StreamNumbers.sampleCount.believed(stream.pointee.nb_frames) ?? 0)
    label = unsafe TrackLabel(
      language: Self.metadata(stream.pointee.metadata, "language"),
      name: Self.metadata(stream.pointee.metadata, "title"),
      disposition: stream.pointee.disposition)
    timeCode = unsafe Self.metadata(stream.pointee.metadata, "timecode")
    displayMatrix = unsafe Self.displayMatrix(of: stream)
    isEncrypted = unsafe Self.metadata(stream.pointee.metadata, "enc_key_id") != nil
    let hasOpacity = unsafe Self.metadata(stream.pointee.metadata, "alpha_mode") == "1"
    // Other codecs have it in their frames.
    hasOpacityBeside = hasOpacity && (codec.isVP8 || codec.isVP9)
  }

  /// The same track under another number.
  func numbered(_ id: Int) -> DemuxedTrack {
    var track = self
    track.id = id
    return track
  }

  /// The same track with encrypted samples.
  package func encrypted() -> DemuxedTrack {
    var track = self
    track.isEncrypted = true
    return track
  }

  /// The same track with what is not to be seen of its frames.
  ///
  /// - Parameter ratio: the shape of a sample; nil to keep it.
  package func cropped(_ crop: Crop, ratio: PixelAspectRatio?) -> DemuxedTrack {
    var track = self
    track.crop = crop
    if let ratio { track.sampleAspectRatio = ratio }
    return track
  }

  private static func staticHDRMetadata(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> StaticHDRMetadata {
    var metadata = StaticHDRMetadata()
    metadata.masteringDisplay =
      unsafe sideData(of: stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
      .flatMap { MasteringDisplayColorVolume($0) }
    metadata.contentLightLevel =
      unsafe sideData(of: stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL).map { ContentLightLevel($0) }
    return metadata
  }

  private static func kind(of stream: UnsafeMutablePointer<AVStream>) -> MediaType {
    if unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { return .artwork }
    switch unsafe stream.pointee.codecpar.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO: return .video
    case AVMEDIA_TYPE_AUDIO: return .audio
    default: return .other
    }
  }

  private static func metadata(_ dictionary: OpaquePointer?, _ key: String) -> String? {
    guard let entry = unsafe av_dict_get(dictionary, key, nil, 0) else { return nil }
    return unsafe String(cString: entry.pointee.value)
  }

  /// A structure that the container's metadata became; nil where there is none.
  private static func sideData<Value: BitwiseCopyable>(
    of stream: UnsafeMutablePointer<AVStream>, _ type: AVPacketSideDataType
  ) -> Value? {
    var size = 0
    let data = unsafe candela_stream_side_data(stream, type, &size)
    guard let data = unsafe data, size >= MemoryLayout<Value>.size else { return nil }
    return unsafe UnsafeRawPointer(data).loadUnaligned(as: Value.self)
  }

  private static func crop(of stream: UnsafeMutablePointer<AVStream>) -> Crop? {
    var sides: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    guard unsafe candela_stream_crop(stream, &sides.0, &sides.1, &sides.2, &sides.3) != 0 else {
      return nil
    }
    return Crop(
      top: Int(sides.0), bottom: Int(sides.1), left: Int(sides.2), right: Int(sides.3))
  }

  private static func spatialElements(
    of stream: UnsafeMutablePointer<AVStream>
  ) -> [SpatialElement] {
    // The first field is the kind; 0 is a plain frame.
    let stereo: Int32? = unsafe sideData(of: stream, AV_PKT_DATA_STEREO3D)
    let sphere: Int32? = unsafe sideData(of: stream, AV_PKT_DATA_SPHERICAL)
    return (stereo ?? 0 != 0 ? [.stereoMode] : []) + (sphere != nil ? [.projection] : [])
  }

  private static func displayMatrix(of stream: UnsafeMutablePointer<AVStream>) -> [Int32]? {
    var size = 0
    let data = unsafe candela_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard let data = unsafe data, size >= 36 else { return nil }
    return (0..<9).map { index in
      unsafe UnsafeRawPointer(data).loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
    }
  }
}

extension SignalDescription {
  /// Signal that FFmpeg's fields state; its "unspecified" is nothing stated.
  init(
    primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, space: AVColorSpace,
    range: AVColorRange, chromaLocation: AVChromaLocation
  ) {
    self.init(
      color: ColorDescription(
        ColorPrimaries(rawValue: UInt8(clamping: primaries.rawValue)),
        TransferCharacteristics(rawValue: UInt8(clamping: transfer.rawValue)),
        MatrixCoefficients(rawValue: UInt8(clamping: space.rawValue))),
      videoFullRangeFlag: range == AVCOL_RANGE_UNSPECIFIED ? nil : range == AVCOL_RANGE_JPEG,
      // FFmpeg numbers chroma locations from 1 and keeps 0 for "unspecified".
      chromaLocation: chromaLocation == AVCHROMA_LOC_UNSPECIFIED
        ? nil : ChromaLocation(rawValue: UInt8(clamping: chromaLocation.rawValue - 1)))
  }

  init(_ parameters: UnsafePointer<AVCodecParameters>) {
    self = unsafe SignalDescription(
      primaries: parameters.pointee.color_primaries, transfer: parameters.pointee.color_trc,
      space: parameters.pointee.color_space, range: parameters.pointee.color_range,
      chromaLocation: parameters.pointee.chroma_location)
  }
}

extension FieldOrder {
  /// The order of fields in time; nil where it is unknown. FFmpeg names the field that is stored
  /// first, then the one that is shown first, of which the former is first in time in lines of one
  /// frame.
  init?(_ order: AVFieldOrder) {
    switch order {
    case AV_FIELD_PROGRESSIVE: self = .progressive
    case AV_FIELD_TT, AV_FIELD_TB: self = .topFirst
    case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFirst
    default: return nil
    }
  }
}

extension PixelAspectRatio {
  /// A ratio of FFmpeg's; nil where its numerator is 0 or less: unstated.
  fileprivate init?(_ ratio: AVRational) {
    guard ratio.num > 0 else { return nil }
    self.init(horizontalSpacing: Int(ratio.num), verticalSpacing: Int(max(ratio.den, 1)))
  }
}
