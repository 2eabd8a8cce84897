// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// A JPEG file (JFIF) with segments about its colors and its origin behind the first one.
struct JPEGSegments {
  /// The file.
  private(set) var bytes: [UInt8]

  /// - Returns: nil for bytes that do not begin as JFIF.
  init?(_ file: [UInt8]) {
    guard file.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]), file.count > 6 else { return nil }
    bytes = file
  }

  /// Adds Exif data (`APP1`).
  mutating func add(exif: [UInt8]) { add(0xE1, Array("Exif\0\0".utf8) + exif) }

  /// Adds a color profile (`APP2`; ICC.1, B.4), which fits into one segment.
  mutating func add(_ profile: ColorProfile) {
    add(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile.bytes)
  }

  private mutating func add(_ marker: UInt8, _ data: [UInt8]) {
    var writer = ByteWriter()
    writer.append([0xFF, marker])
    writer.append(UInt16(clamping: data.count + 2))
    writer.append(data)
    let first = 4 + Int(bytes[4]) << 8 + Int(bytes[5])
    bytes.insert(contentsOf: writer.bytes, at: min(first, bytes.count))
  }
}
