// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Glibc
internal import ISOBMFF
package import LibAV
internal import MediaCore

// How files of still images begin. A photo is not a damaged video, and the message should say so.
private let beginnings: [(bytes: [UInt8], format: String)] = [
  ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"),
  ([0x49, 0x49, 0x2A, 0x00], "TIFF"), ([0x4D, 0x4D, 0x00, 0x2A], "TIFF"),
  ([0x76, 0x2F, 0x31, 0x01], "OpenEXR"), ([0xFF, 0x0A], "JPEG XL"),
  ([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20], "JPEG XL"),
  ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20], "JPEG 2000"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
  (Array("8BPS".utf8), "Photoshop"), (Array("SDPX".utf8), "DPX"), (Array("XPDS".utf8), "DPX"),
  (Array("#?RADIANCE".utf8), "Radiance HDR"), (Array("GIF8".utf8), "GIF"),
]

// Brands of images in boxes (ISO/IEC 23008-12, 10; AVIF, 6).
private let brands: [(brands: Set<FourCC>, format: String)] = [
  (["avif", "avis"], "AVIF"), (["heic", "heix", "heim", "heis", "hevc", "hevx"], "HEIC"),
  (["mif1", "msf1", "mif2", "miaf", "jpeg", "j2ki"], "HEIF"),
]

extension TranscodingError {
  /// Checks an input before any library opens it.
  ///
  /// - Throws: ``TranscodingError`` if the path is not a readable file with content.
  package static func refuseUnusable(input path: String) throws {
    switch PosixPath.kind(of: path) {
    case .file: break
    case .nothing: throw TranscodingError(noFileAt: path)
    case .brokenLink: throw TranscodingError(.noInput, "\(path) is a broken symbolic link")
    case .directory:
      throw TranscodingError(.invalidSettings, "\(path) is a folder; give a file")
    case .other:
      throw TranscodingError(
        // Inspection reads a file more than once, and a pipe gives its bytes only once.
        .unusableInput, "\(path) is a device or a pipe, which cannot be read twice; give a file")
    }
    guard PosixPath.mayRead(path) else {
      throw TranscodingError(.noInput, "\(path) is not readable; check its permissions")
    }
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) != 0 || status.st_size > 0 else {
      throw TranscodingError(.unusableInput, "\(path) is empty")
    }
  }

  /// Creates the error for a still image, or returns `nil` for other files.
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

  /// Returns the format of a still image, judged by its first bytes.
  private static func imageFormat(_ beginning: [UInt8]) -> String? {
    beginnings.first { beginning.starts(with: $0.bytes) }?.format
      ?? (isWebP(beginning) ? "WebP" : nil)
  }

  private static func isWebP(_ beginning: [UInt8]) -> Bool {
    beginning.starts(with: Array("RIFF".utf8)) && beginning.count > 20
      && beginning[8..<12].elementsEqual("WEBP".utf8)
  }

  /// Whether a WebP file is animated, according to the flags in its `VP8X` chunk.
  private static func isAnimatedWebP(_ beginning: [UInt8]) -> Bool {
    isWebP(beginning) && beginning[12..<16].elementsEqual("VP8X".utf8) && beginning[20] & 0x02 != 0
  }

  /// Returns the format of an image in boxes.
  private static func boxedImageFormat(_ source: FileByteSource) -> String? {
    // Image sequences have a movie beside the images, and a file that is cut off may have lost its
    // movie. Neither counts as a still image.
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
      .unusableInput,
      "\(path) is a still image (\(format)): only video and audio files are supported")
  }

  /// Refuses a GIF or PNG file with a single frame. Both formats may also contain animations.
  package static func refuseStillImage(_ demuxer: Demuxer, at path: String) throws {
    let formats = ["gif": "GIF", "apng": "PNG"]
    guard let format = formats[demuxer.formatName] else { return }
    var images = try DemuxedPackets(path: path)
    guard try images.next() != nil, try images.next() == nil else { return }
    throw TranscodingError(stillImage: format, at: path)
  }
}
