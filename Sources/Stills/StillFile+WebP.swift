// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

/// The extended form of a WebP file (RFC 9649), with chunks for its colors and its origin.
extension StillFile {
  /// - Parameters:
  ///   - file: a WebP file with a single chunk.
  ///   - size: the size of the image.
  /// - Returns: `nil` if the bytes do not begin like a WebP file.
  func webP(_ file: [UInt8], size: VideoDimensions) -> [UInt8]? {
    guard file.count > 20, file.starts(with: "RIFF".utf8),
      file[8..<15].elementsEqual("WEBPVP8".utf8)
    else { return nil }
    let (picture, profile) = (Array(file[12...]), color?.profile)
    var flags: UInt8 = 0
    if profile != nil { flags |= 0x20 }
    if !exif.isEmpty { flags |= 0x08 }
    // The header states the sides of the canvas minus one, in 24 bits each (RFC 9649 2.7).
    let header = [flags, 0, 0, 0] + Self.low(size.width - 1, 3) + Self.low(size.height - 1, 3)
    let chunks =
      Self.chunk("VP8X", header) + (profile.map { Self.chunk("ICCP", $0) } ?? []) + picture
      + (exif.isEmpty ? [] : Self.chunk("EXIF", exif))
    return Array("RIFF".utf8) + Self.low(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    // Chunks of RIFF have an even length, but their stated length does not include the padding.
    Array(type.utf8) + low(data.count, 4) + data + [UInt8](repeating: 0, count: data.count % 2)
  }

  /// Returns a little-endian number.
  private static func low(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
