// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import Bitstreams
package import CodePoints
package import MediaCore

/// Format of a track of encoded video, for a muxer. The meaning of its colors is not part of it:
/// libavformat leaves out or guesses what is stated in part, so that `colr` is written elsewhere.
package struct VideoTrackFormat: Hashable, Sendable {
  /// FFmpeg's name of the codec.
  package var codecName: String
  /// The type of the sample entry.
  package var sampleEntry: FourCC
  /// Luma samples in a row and rows.
  package var size: VideoDimensions
  /// The shape of a sample; nil if unstated.
  package var sampleAspectRatio: PixelAspectRatio?
  /// The parameter sets with start codes (H.264 and H.265, Annex B).
  package var parameterSets: [UInt8]
  /// Ticks a second of the media timeline.
  package var timescale: Int32
  /// The average frame rate, for the file's headers.
  package var frameRate: FrameRate
  /// The language as three letters (ISO 639-2), where stated.
  package var language: String?

  /// A format from its parts.
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
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe parameters.pointee.codec_id =
      avcodec_descriptor_get_by_name(codecName)?.pointee.id ?? AV_CODEC_ID_NONE
    // Without a tag libavformat writes `hev1`, which Apple's players refuse.
    unsafe parameters.pointee.codec_tag = sampleEntry.tag
    unsafe parameters.pointee.width = Int32(clamping: size.width)
    unsafe parameters.pointee.height = Int32(clamping: size.height)
    unsafe parameters.pointee.sample_aspect_ratio =
      sampleAspectRatio.map { AVRational($0) } ?? AVRational(num: 0, den: 1)
    try unsafe parameters.setExtradata(parameterSets)
  }
}

extension UnsafeMutablePointer<AVCodecParameters> {
  /// Gives the parameters, which have none yet, a configuration, or the content of an attachment.
  func setExtradata(_ bytes: [UInt8]) throws(LibAVError) {
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

extension FourCC {
  /// The four characters as libavformat has them, the first in the lowest byte.
  var tag: UInt32 { rawValue.byteSwapped }
}
