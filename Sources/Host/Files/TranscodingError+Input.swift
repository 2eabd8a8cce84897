// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Glibc
internal import ISOBMFF
package import LibAV
internal import MediaCore

/// Formats of still images by the bytes that files begin with.
private let beginnings: [(bytes: [UInt8], format: String)] = [
  ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"),
  ([0x49, 0x49, 0x2A, 0x00], "TIFF"), ([0x4D, 0x4D, 0x00, 0x2A], "TIFF"),
  ([0x76, 0x2F, 0x31, 0x01], "OpenEXR"), ([0xFF, 0x0A], "JPEG XL"),
  ([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20], "JPEG XL"),
  ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20], "JPEG 2000"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
  (Array("8BPS".utf8), "Photoshop"), (Array("SDPX".utf8), "DPX"), (Array("XPDS".utf8), "DPX"),
  (Array("#?RADIANCE".utf8), "Radiance HDR"), (Array("GIF8".utf8), "GIF"),
]

/// Formats of images in boxes by their brands (ISO/IEC 23008-12, 10; AVIF, 6).
private let brands: [(brands: Set<FourCC>, format: String)] = [
  (["avif", "avis"], "AVIF"), (["heic", "heix", "heim", "heis", "hevc", "hevx"], "HEIC"),
  (["mif1", "msf1", "mif2", "miaf", "jpeg", "j2ki"], "HEIF"),
]

extension TranscodingError {
  /// Says what is wrong with an input before any library looks at it.
  ///
  /// - Throws: ``TranscodingError`` where the path is no file that can be read and has content.
  package static func refuseUnusable(input path: String) throws {
    switch PosixPath.kind(of: path) {
    case .file: break
    case .nothing: throw TranscodingError(noFileAt: path)
    case .brokenLink: throw TranscodingError(.noInput, "\(path) is a link to nothing")
    case .directory:
      throw TranscodingError(.unusableInput, "\(path) is a folder; name a file")
    case .other:
      throw TranscodingError(
        .unusableInput, "\(path) is a device or a pipe, which cannot be read twice; name a file")
    }
    guard unsafe access(SystemPath.bytes(path), R_OK) == 0 else {
      throw TranscodingError(.noInput, "\(path) may not be read; check its permissions")
    }
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) != 0 || status.st_size > 0 else {
      throw TranscodingError(.unusableInput, "\(path) is empty")
    }
  }

  /// The error for a file that is a still image, which is neither damaged nor a video; nil for
  /// other files.
  init?(stillImageAt path: String) {
    guard let source = try? FileByteSource(path: path),
      let beginning = try? source.read(at: 0, count: Int(min(source.size, 4096)))
    else { return nil }
    if Self.isAnimatedWebP(beginning) {
      self.init(
        .unusableInput,
        "\(path) is an animated image (WebP), which FFmpeg's library does not read")
    } else if let format = Self.imageFormat(beginning) ?? Self.boxedImageFormat(source) {
      self.init(stillImage: format, at: path)
    } else {
      return nil
    }
  }

  /// The format of a still image, known by how the file begins; nil for other files.
  private static func imageFormat(_ beginning: [UInt8]) -> String? {
    beginnings.first { beginning.starts(with: $0.bytes) }?.format
      ?? (isWebP(beginning) ? "WebP" : nil)
  }

  private static func isWebP(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: Array("RIFF".utf8)) && beginning.count > 20
      && beginning[8..<12].elementsEqual("WEBP".utf8)
  }

  /// True for a WebP file that moves, by the flags of the chunk `VP8X`.
  private static func isAnimatedWebP(_ beginning: [UInt8]) -> Bool {
    isWebP(beginning) && beginning[12..<16].elementsEqual("VP8X".utf8) && beginning[20] & 0x02 != 0
  }

  /// The format of whole images in boxes that have no movie beside them.
  private static func boxedImageFormat(_ source: FileByteSource) -> String? {
    guard let list = try? TopLevelBoxes(source), list.truncation == nil,
      list.first("moov") == nil, list.first("meta") != nil, let type = list.first("ftyp"),
      let box = try? source.read(at: type.range.lowerBound, count: min(type.range.count, 4096))
    else { return nil }
    let words = stride(from: type.headerLength, to: box.count - 3, by: 4).map { place in
      FourCC(rawValue: box[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    return brands.first { !$0.brands.isDisjoint(with: words) }?.format
  }

  private init(stillImage format: String, at path: String) {
    self.init(
      .unusableInput, "\(path) is a still image (\(format)): only video and audio are read")
  }

  /// Refuses an image of a format that may move, but has a single frame.
  package static func refuseStillImage(_ demuxer: Demuxer, at path: String) throws {
    let formats = ["gif": "GIF", "apng": "PNG"]
    guard let format = formats[demuxer.formatName] else { return }
    var images = try DemuxedPackets(path: path)
    guard try images.next() != nil, try images.next() == nil else { return }
    throw TranscodingError(stillImage: format, at: path)
  }
}
