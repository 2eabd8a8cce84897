// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import Bitstreams
package import CodePoints
package import MediaCore

/// The format of an encoded video track, for a muxer. It has no color, because `colr` is written
/// elsewhere.
package struct VideoTrackFormat: Hashable, Sendable {
  /// FFmpeg's name for the codec.
  package var codecName: String
  /// The sample entry's type, such as `hvc1`.
  package var sampleEntry: FourCC
  /// Width and height in luma samples.
  package var size: VideoDimensions
  /// The shape of a sample; `nil` if undeclared.
  package var sampleAspectRatio: PixelAspectRatio?
  /// The parameter sets with start codes (H.264 and H.265, Annex B), or the content of `av1C`.
  package var parameterSets: [UInt8]
  /// The timescale of the media timeline, in ticks a second.
  package var timescale: Int32
  /// The average frame rate, for the file's headers.
  package var frameRate: FrameRate
  /// The language as three letters (ISO 639-2); `nil` if undeclared.
  package var language: String?

  package init(
    codecName: String, sampleEntry: FourCC, size: VideoDimensions,
    sampleAspectRatio: PixelAspectRatio?,
    parameterSets: [UInt8], timescale: Int32, frameRate: FrameRate, language: String? = nil
  ) {
    self.codecName = codecName
    self.sampleEntry = sampleEntry
    self.size = size
    self.sampleAspectRatio = sampleAspectRatio
    self.parameterSets = parameterSets
    self.timescale = timescale
    self.frameRate = frameRate
    self.language = language
  }

  func write(to parameters: UnsafeMutablePointer<AVCodecParameters>) throws(LibAVError) {
    // Color is left out on purpose, because libavformat drops or guesses tags that are declared in
    // part.
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe parameters.pointee.codec_id =
      avcodec_descriptor_get_by_name(codecName)?.pointee.id ?? AV_CODEC_ID_NONE
    // For HEVC without a tag, libavformat would write `hev1`, which Apple's players refuse.
    unsafe parameters.pointee.codec_tag = sampleEntry.tag
    unsafe parameters.pointee.width = Int32(clamping: size.width)
    unsafe parameters.pointee.height = Int32(clamping: size.height)
    unsafe parameters.pointee.sample_aspect_ratio =
      sampleAspectRatio.map { AVRational($0) } ?? AVRational(num: 0, den: 1)
    try unsafe parameters.setExtradata(parameterSets)
  }
}

extension UnsafeMutablePointer<AVCodecParameters> {
  /// Sets the configuration, or the content of an attachment. The parameters must not have any yet.
  func setExtradata(_ bytes: [UInt8]) throws(LibAVError) {
    // FFmpeg's parsers read some bytes past the end, so these must be allocated and zero.
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = unsafe av_mallocz(bytes.count + padding) else {
      throw LibAVError("av_mallocz", candela_averror_enomem())
    }
    unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe self.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe self.pointee.extradata_size = Int32(clamping: bytes.count)
  }
}

extension AVRational {
  init(_ ratio: PixelAspectRatio) {
    self.init(
      num: Int32(clamping: ratio.horizontalSpacing), den: Int32(clamping: ratio.verticalSpacing))
  }
}
