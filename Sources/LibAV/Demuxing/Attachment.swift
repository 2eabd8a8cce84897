// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// A whole file inside a media file, such as cover art or a font.
package struct Attachment: Sendable {
  package let name: String
  /// The media type, such as `image/jpeg`.
  package let mediaType: String
  package let bytes: [UInt8]
  /// libavformat's codec for files of this type.
  let codec: AVCodecID

  /// The names and types that images without a name or type get. The names follow Matroska's
  /// recommendations for cover art.
  private static let pictures: [UInt32: (name: String, mediaType: String)] = [
    AV_CODEC_ID_MJPEG.rawValue: ("cover.jpg", "image/jpeg"),
    AV_CODEC_ID_PNG.rawValue: ("cover.png", "image/png"),
    AV_CODEC_ID_BMP.rawValue: ("cover.bmp", "image/bmp"),
    AV_CODEC_ID_GIF.rawValue: ("cover.gif", "image/gif"),
    AV_CODEC_ID_WEBP.rawValue: ("cover.webp", "image/webp"),
  ]

  /// - Returns: `nil` if the stream is an ordinary track, if it has no bytes, or if the name or the
  ///   type is unknown.
  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    guard let parameters = unsafe stream.pointee.codecpar else { return nil }
    codec = unsafe parameters.pointee.codec_id
    let isPicture = unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    let isFile = unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
    guard isPicture || isFile else { return nil }
    bytes =
      unsafe isPicture
      ? Self.copy(stream.pointee.attached_pic.data, stream.pointee.attached_pic.size)
      : Self.copy(parameters.pointee.extradata, parameters.pointee.extradata_size)
    let usual = Self.pictures[codec.rawValue]
    guard let name = unsafe Self.text(stream, "filename") ?? usual?.name,
      let mediaType = unsafe Self.text(stream, "mimetype") ?? usual?.mediaType, !bytes.isEmpty
    else { return nil }
    (self.name, self.mediaType) = (name, mediaType)
  }

  private static func copy(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(max(count, 0))))
  }

  private static func text(_ stream: UnsafeMutablePointer<AVStream>, _ key: String) -> String? {
    guard let entry = unsafe av_dict_get(stream.pointee.metadata, key, nil, 0) else { return nil }
    return unsafe String(cString: entry.pointee.value)
  }
}
