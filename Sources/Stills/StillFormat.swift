// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// The format of a still's file, by the end of its name.
package enum StillFormat: String, Sendable, CaseIterable {
  /// Portable Network Graphics, without loss.
  case png
  /// JPEG in JFIF.
  case jpg
  /// WebP, with loss.
  case webp
  /// AVIF: a frame of AV1, with loss.
  case avif

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for the name of another format.
  package init(path: String) throws {
    let end = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
    let spellings = ["jpeg": "jpg"]
    guard let end, let format = StillFormat(rawValue: spellings[end] ?? end) else {
      throw TranscodingError(
        .invalidSettings, "\(path): stills are written as .png, .jpg, .webp or .avif")
    }
    self = format
  }

  /// The encoder.
  var encoder: ImageEncoder {
    switch self {
    case .png: .png
    case .jpg: .jpeg
    case .webp: .webp
    case .avif: .av1
    }
  }

  /// The bits of samples that the format can have.
  var depths: [Int] {
    switch self {
    case .png: [8, 16]
    case .jpg, .webp: [8]
    case .avif: [8, 10]
    }
  }

  /// The most pixels of a side that the format has.
  var longestSide: Int {
    switch self {
    case .png: Int(Int32.max)
    case .jpg: 65_500
    case .webp: 16_383
    case .avif: 65_536
    }
  }
}
