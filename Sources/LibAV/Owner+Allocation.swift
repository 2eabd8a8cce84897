// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

extension Owner<UnsafeMutablePointer<AVPacket>> {
  static func packet() throws(LibAVError) -> Owner {
    unsafe Owner(try allocated(av_packet_alloc(), "av_packet_alloc")) {
      var packet: UnsafeMutablePointer<AVPacket>? = unsafe $0
      unsafe av_packet_free(&packet)
    }
  }
}

extension Owner<UnsafeMutablePointer<AVIOContext>> {
  /// Opens a file to read it.
  ///
  /// - Parameter address: `file:` and the path, with a zero at the end.
  static func file(_ address: [CChar]) throws(LibAVError) -> Owner {
    var file: UnsafeMutablePointer<AVIOContext>? = nil
    try unsafe check(avio_open(&file, address, AVIO_FLAG_READ), "avio_open", .openingInput)
    return unsafe Owner(try allocated(file, "avio_open")) {
      var file: UnsafeMutablePointer<AVIOContext>? = unsafe $0
      unsafe avio_closep(&file)
    }
  }
}

extension Owner<UnsafeMutablePointer<AVFrame>> {
  static func frame() throws(LibAVError) -> Owner {
    unsafe Owner(try allocated(av_frame_alloc(), "av_frame_alloc")) {
      var frame: UnsafeMutablePointer<AVFrame>? = unsafe $0
      unsafe av_frame_free(&frame)
    }
  }
}

extension Owner<UnsafeMutablePointer<AVCodecContext>> {
  /// Allocates a codec's context, which is not open yet.
  static func codecContext(_ codec: UnsafePointer<AVCodec>) throws(LibAVError) -> Owner {
    unsafe Owner(try allocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")) {
      var context: UnsafeMutablePointer<AVCodecContext>? = unsafe $0
      unsafe candela_free_codec(&context)
    }
  }
}

extension Owner<UnsafeMutablePointer<AVCodecParameters>> {
  /// Allocates parameters that do not name a codec yet.
  static func codecParameters() throws(LibAVError) -> Owner {
    unsafe Owner(try allocated(avcodec_parameters_alloc(), "avcodec_parameters_alloc")) {
      var parameters: UnsafeMutablePointer<AVCodecParameters>? = unsafe $0
      unsafe avcodec_parameters_free(&parameters)
    }
  }
}

/// A complete C object that all its readers share. It is freed when the last of them is gone.
@safe
final class SharedObject<Object>: @unchecked Sendable {
  // This is sendable although it has a pointer. The code that makes an object completes it before
  // other code gets it, and nothing changes it afterwards.
  private let owner: Owner<UnsafeMutablePointer<Object>>
  var pointer: UnsafeMutablePointer<Object> { unsafe owner.pointer }

  init(_ owner: Owner<UnsafeMutablePointer<Object>>) {
    unsafe self.owner = unsafe owner
  }
}
