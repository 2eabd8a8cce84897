// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// A codec of video or audio that FFmpeg knows, whether or not this build of FFmpeg has an encoder
/// for it.
package struct KnownCodec {
  /// FFmpeg's short name, such as `prores`.
  package let name: String
  /// FFmpeg's long name, such as `Apple ProRes (iCodec Pro)`.
  package let title: String
  /// Whether it is a video codec; otherwise it is an audio codec.
  package let isVideo: Bool

  /// Finds a codec by its name, or by the name of an encoder, such as `prores_ks`. Returns `nil`
  /// for other names, and for codecs of subtitles and data.
  package init?(named text: String) {
    // FFmpeg describes codecs whether or not it was built with them, but it knows an encoder's name
    // only if it was built with that encoder.
    var descriptor = unsafe avcodec_descriptor_get_by_name(text)
    if unsafe descriptor == nil, let encoder = unsafe avcodec_find_encoder_by_name(text) {
      unsafe descriptor = avcodec_descriptor_get(encoder.pointee.id)
    }
    guard let descriptor = unsafe descriptor,
      let name = unsafe String(validatingCString: descriptor.pointee.name)
    else { return nil }
    let kind = unsafe descriptor.pointee.type
    guard kind == AVMEDIA_TYPE_VIDEO || kind == AVMEDIA_TYPE_AUDIO else { return nil }
    self.name = name
    isVideo = kind == AVMEDIA_TYPE_VIDEO
    let long = unsafe descriptor.pointee.long_name
    title = unsafe long.flatMap { unsafe String(validatingCString: $0) } ?? name
  }
}
