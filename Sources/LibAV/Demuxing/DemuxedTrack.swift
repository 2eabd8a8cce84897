// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints
package import MediaCore

/// One track of an open file, as the container describes it.
package struct DemuxedTrack: Sendable {
  /// An element of Matroska that marks frames for two eyes, or frames that surround the viewer.
  package enum SpatialElement: String, Sendable {
    /// Frames for two eyes.
    case stereoMode = "StereoMode"
    /// Frames that surround the viewer.
    case projection = "Projection"
  }

  /// The index that the track's packets carry.
  package let index: Int
  /// The track's number in the container. In a movie file this is the track ID. If the container
  /// does not give each track its own number, it is ``index`` plus 1.
  package private(set) var id: Int
  package let kind: MediaType
  /// The codec with its configuration.
  package internal(set) var codec: CodecParameters
  /// The four characters of the sample entry, or 0 if the container has none.
  package let codecTag: UInt32
  /// The timescale of the track's timestamps, in ticks a second.
  package let timescale: Int32
  /// Width and height in luma samples; 0 × 0 unless the track is video.
  package let size: VideoDimensions
  /// The shape of a sample in the container, or else in the bitstream; `nil` if undeclared.
  package private(set) var sampleAspectRatio: PixelAspectRatio?
  /// The shape of a sample in the bitstream; `nil` if undeclared.
  package let bitstreamAspectRatio: PixelAspectRatio?
  /// The rows and columns at the edges that the container hides; `nil` if it hides none, or if
  /// their numbers cannot be read.
  package private(set) var crop: Crop?
  /// What a container other than a movie says about frames for two eyes, or frames that surround
  /// the viewer.
  package let spatialElements: [SpatialElement]
  /// The order of fields that the container declares; `nil` if undeclared.
  package let containerFieldOrder: FieldOrder?
  /// The average frame rate; `nil` if unknown.
  package let averageFrameRate: FrameRate?
  /// libavformat's guess at the lowest frame rate with a tick at the time of every frame; `nil` if
  /// libavformat makes no guess.
  package let baseFrameRate: FrameRate?
  /// Color, range and chroma location, as the container declares them.
  package internal(set) var containerSignal: SignalDescription
  package let containerStaticHDRMetadata: StaticHDRMetadata
  /// The content of the container's Dolby Vision configuration record; `nil` if it has none.
  package let containerDolbyVisionConfiguration: [UInt8]?
  /// The track's first timestamp; `nil` if neither the container nor the first packets have it.
  package let startTime: MediaTime?
  /// The track's duration; `nil` if unknown.
  package private(set) var duration: MediaTime?
  /// The number of samples that the container lists; 0 if it lists none.
  package let sampleCount: Int
  /// The language, the name and the roles that libavformat reads.
  package let label: TrackLabel
  /// The time code of the first frame as the container writes it; `nil` if there is none.
  package let timeCode: String?
  /// The 3×3 transformation matrix as in `tkhd` (16.16 and 2.30 fixed point); `nil` if undeclared.
  package let displayMatrix: [Int32]?

  /// Whether the opacity of frames is coded separately from them (VP8 and VP9 in Matroska).
  package let hasOpacityBeside: Bool

  /// Whether a container other than a movie says that samples are encrypted.
  package private(set) var isEncrypted: Bool

  /// Whether a file other than a movie may state another configuration between samples.
  package internal(set) var mayBeReconfigured = false

  /// Whether the track is a whole file, such as cover art or a font.
  package var isAttachment: Bool { kind == .artwork || codec.isAttachment }

  /// The language as three letters (ISO 639-2); `nil` if undeclared.
  package var language: String? { label.language }

  /// Rows and columns at the edges of frames.
  package struct Crop: Hashable, Sendable {
    package let top: Int
    package let bottom: Int
    package let left: Int
    package let right: Int

    package init(top: Int, bottom: Int, left: Int, right: Int) {
      (self.top, self.bottom, self.left, self.right) = (top, bottom, left, right)
    }
  }

  /// The duration of a tick in seconds. The numerator is 1 in most containers, but not in AVI.
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
    // Track IDs have 32 bits without a sign (ISO/IEC 14496-12, 8.3.2.3), but libavformat keeps them
    // in an `int`.
    id = unsafe Int(UInt32(bitPattern: stream.pointee.id))
    kind = unsafe Self.kind(of: stream)
    codec = try unsafe CodecParameters(copying: parameters)
    codecTag = unsafe parameters.pointee.codec_tag
    timescale = timeBase.den
    size = unsafe VideoDimensions(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    // libavformat puts the container's shape in the stream, and the bitstream's shape in the
    // parameters.
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
    // libavformat's Matroska demuxer reports encryption only in this entry.
    isEncrypted = unsafe Self.metadata(stream.pointee.metadata, "enc_key_id") != nil
    let hasOpacity = unsafe Self.metadata(stream.pointee.metadata, "alpha_mode") == "1"
    // Other codecs have the opacity in their frames.
    hasOpacityBeside = hasOpacity && (codec.isVP8 || codec.isVP9)
  }

  /// Returns the same track under another number.
  func numbered(_ id: Int) -> DemuxedTrack {
    var track = self
    track.id = id
    return track
  }

  /// Returns the same track with another duration.
  ///
  /// - Parameter ticks: the duration in ticks of the track.
  func lasting(ticks: Int64) -> DemuxedTrack {
    var track = self
    track.duration = MediaTime(ticks, timeBase: timeBase)
    return track
  }

  /// Whether each frame lasts one tick.
  var hasTickPerFrame: Bool {
    averageFrameRate.map {
      $0.numerator * Int(timeBase.num) == $0.denominator * Int(timeBase.den)
    } ?? false
  }

  /// Returns the same track, marked as encrypted.
  package func encrypted() -> DemuxedTrack {
    var track = self
    track.isEncrypted = true
    return track
  }

  /// Returns the same track with another crop.
  ///
  /// - Parameter ratio: the shape of a sample; `nil` keeps it.
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

  /// Returns a structure that libavformat made from the container's metadata; `nil` if there is
  /// none.
  private static func sideData<Value: BitwiseCopyable>(
    of stream: UnsafeMutablePointer<AVStream>, _ type: AVPacketSideDataType
  ) -> Value? {
    var size = 0
    let data = unsafe candela_stream_side_data(stream, type, &size)
    // A library that is older than the headers has a shorter structure.
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
    // `AVStereo3D` begins with its kind, and kind 0 means ordinary frames. `AVSphericalMapping`
    // exists only if frames surround the viewer.
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
  /// Makes a signal from FFmpeg's fields. FFmpeg's "unspecified" counts as undeclared.
  init(
    primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, space: AVColorSpace,
    range: AVColorRange, chromaLocation: AVChromaLocation
  ) {
    self.init(
      color: ColorDescription(
        ColorPrimaries(rawValue: UInt16(clamping: primaries.rawValue)),
        TransferCharacteristics(rawValue: UInt16(clamping: transfer.rawValue)),
        MatrixCoefficients(rawValue: UInt16(clamping: space.rawValue))),
      videoFullRangeFlag: range == AVCOL_RANGE_UNSPECIFIED ? nil : range == AVCOL_RANGE_JPEG,
      // FFmpeg counts chroma locations from 1, and H.273 counts them from 0.
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
  /// Makes an order of fields in time; `nil` if FFmpeg's order is unknown.
  init?(_ order: AVFieldOrder) {
    // `TB` and `BT` are what libavformat makes of 9 and 14 in Matroska's `FieldOrder`: the lines of
    // two fields are interleaved in one frame. 9 means that the top field is displayed first, and
    // 14 the bottom field (RFC 9559). So the first letter decides here, although FFmpeg's header
    // says that the second letter stands for the field that is displayed first.
    switch order {
    case AV_FIELD_PROGRESSIVE: self = .progressive
    case AV_FIELD_TT, AV_FIELD_TB: self = .topFirst
    case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFirst
    default: return nil
    }
  }
}

extension PixelAspectRatio {
  /// Makes a ratio from FFmpeg's ratio; `nil` if the numerator is 0 or less, which means
  /// undeclared.
  fileprivate init?(_ ratio: AVRational) {
    guard ratio.num > 0 else { return nil }
    self.init(horizontalSpacing: Int(ratio.num), verticalSpacing: Int(max(ratio.den, 1)))
  }
}
