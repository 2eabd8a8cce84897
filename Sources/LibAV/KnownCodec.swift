// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// A codec of video or audio that FFmpeg knows, whether or not this build of it has the encoder.
package struct KnownCodec {
  /// FFmpeg's short name, such as `prores`.
  package let name: String
  /// FFmpeg's long name, such as `Apple ProRes (iCodec Pro)`.
  package let title: String
  /// Whether it is a codec of video; otherwise of audio.
  package let isVideo: Bool

  /// Finds a codec by its name, or by the name of an encoder, such as `prores_ks`.
  package init?(named text: String) {
    guard
      let descriptor = unsafe avcodec_descriptor_get_by_name(text)
        ?? avcodec_find_encoder_by_name(text).flatMap({ unsafe avcodec_descriptor_get($0.pointee.id) }),
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
