// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
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

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for the name of another format.
  package init(path: String) throws {
    let end = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
    let spellings = ["jpeg": "jpg"]
    guard let end, let format = StillFormat(rawValue: spellings[end] ?? end) else {
      throw TranscodingError(
        end == "avif" ? .unavailable : .invalidSettings,
        end == "avif"
          ? "\(path): AVIF is not written yet: use .png, which holds HDR too, .jpg or .webp"
          : "\(path): stills are written as .png, .jpg or .webp")
    }
    self = format
  }

  /// The encoder.
  var encoder: ImageEncoder {
    switch self {
    case .png: .png
    case .jpg: .jpeg
    case .webp: .webp
    }
  }

  /// The most pixels of a side that the format has.
  var longestSide: Int {
    switch self {
    case .png: Int(Int32.max)
    case .jpg: 65_500
    case .webp: 16_383
    }
  }
}
