// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// The format of a still's file, chosen by its extension.
package enum StillFormat: String, Sendable, CaseIterable {
  /// Portable Network Graphics, lossless.
  case png
  /// JPEG in JFIF, lossy.
  case jpg
  /// WebP, lossy.
  case webp
  /// AVIF: a frame of AV1, lossy.
  case avif

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the path does not have the
  ///   extension of one of these formats.
  package init(path: String) throws {
    let end = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
    let spellings = ["jpeg": "jpg"]
    guard let end, let format = StillFormat(rawValue: spellings[end] ?? end) else {
      throw TranscodingError(
        .invalidSettings, "\(path): stills are written as .png, .jpg, .webp or .avif")
    }
    self = format
  }

  var encoder: ImageEncoder {
    switch self {
    case .png: .png
    case .jpg: .jpeg
    case .webp: .webp
    case .avif: .av1
    }
  }

  /// The bit depths that the format can have.
  var depths: [Int] {
    switch self {
    case .png: [8, 16]
    case .jpg, .webp: [8]
    case .avif: [8, 10]
    }
  }

  /// A side can have at most this many pixels.
  var longestSide: Int {
    switch self {
    case .png: Int(Int32.max)
    case .jpg: 65_500
    case .webp: 16_383
    case .avif: 65_536
    }
  }
}
