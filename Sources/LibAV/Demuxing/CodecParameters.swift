internal import CFFmpeg

/// A track's codec, with everything a decoder or a muxer needs to know of it.
@safe
public final class CodecParameters: @unchecked Sendable {
  // Sendable although it holds a pointer: nothing is changed after it was made.
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  init(copying source: UnsafePointer<AVCodecParameters>) throws(LibAVError) {
    unsafe pointer = try allocated(avcodec_parameters_alloc(), "avcodec_parameters_alloc")
    unsafe try check(avcodec_parameters_copy(pointer, source), "avcodec_parameters_copy")
  }

  /// The parameters that an encoder produces.
  init(of encoder: UnsafePointer<AVCodecContext>) throws(LibAVError) {
    unsafe pointer = try allocated(avcodec_parameters_alloc(), "avcodec_parameters_alloc")
    unsafe try check(
      avcodec_parameters_from_context(pointer, encoder), "avcodec_parameters_from_context")
  }

  deinit {
    var parameters: UnsafeMutablePointer<AVCodecParameters>? = unsafe pointer
    unsafe avcodec_parameters_free(&parameters)
  }

  /// FFmpeg's name of the codec: `hevc`, `h264`, `aac`.
  public var codecName: String {
    unsafe String(cString: avcodec_get_name(pointer.pointee.codec_id))
  }

  /// The profile's name (`Main 10`), where FFmpeg knows it.
  public var profileName: String? {
    unsafe avcodec_profile_name(pointer.pointee.codec_id, pointer.pointee.profile)
      .map { unsafe String(cString: $0) }
  }

  /// The codec's configuration: `hvcC` or `avcC` content, or parameter sets with start codes.
  public var extradata: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(
        start: pointer.pointee.extradata, count: Int(max(pointer.pointee.extradata_size, 0))))
  }

  /// Samples of sound a second; 0 for other media.
  public var sampleRate: Int { unsafe Int(pointer.pointee.sample_rate) }

  /// Channels of sound; 0 for other media.
  public var channelCount: Int { unsafe Int(candela_channel_count(pointer)) }
}
