// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// The file of a still: the image, and what the file says about its colors and its origin.
struct StillFile {
  let format: StillFormat
  /// The color; `nil` if the still is HDR and has the source's code points.
  let color: StillColor?
  /// Static HDR metadata that applies to the image.
  let hdrMetadata: StaticHDRMetadata
  let exif: [UInt8]

  /// Returns the bytes of the file.
  ///
  /// - Parameter gain: how the image looks on displays with more or less headroom, for formats that
  ///   have a place for it; `nil` if the source does not say.
  /// - Throws: ``TranscodingError`` if the FFmpeg libraries on this system cannot write the format,
  ///   or if the image is too large for it.
  func bytes(of picture: PixelBuffer, gain: HeadroomAdaptiveGain? = nil) throws -> [UInt8] {
    try check(width: picture.width, height: picture.height)
    guard let file = described(try encoded(picture), picture, gain) else {
      throw TranscodingError(
        .internalFault, "the library's encoder for .\(format.rawValue) writes another format")
    }
    return file
  }

  /// Checks that an image of this size fits into the format.
  func check(width: Int, height: Int) throws {
    guard max(width, height) <= format.longestSide else {
      throw TranscodingError(
        .invalidSettings,
        "a still of \(width)×\(height) pixels is too large for .\(format.rawValue): each side can "
          + "be at most \(format.longestSide)")
    }
  }

  private func encoded(_ picture: PixelBuffer) throws -> [UInt8] {
    do {
      return try format.encoder.encode(picture)
    } catch let error where error.kind == .unsupported {
      throw TranscodingError(
        .unavailable,
        "the FFmpeg libraries on this system cannot write .\(format.rawValue) (\(error))")
    } catch {
      throw TranscodingError(.unusableInput, "the still cannot be written: \(error)")
    }
  }

  private func described(
    _ file: [UInt8], _ picture: PixelBuffer, _ gain: HeadroomAdaptiveGain?
  ) -> [UInt8]? {
    switch format {
    case .png: png(file, picture.attachments.signal.color)
    case .jpg: jpeg(file)
    case .webp: webP(file, size: picture.size)
    case .avif: avif(file, picture, metadata: gain?.openBitstreamUnit ?? [])
    }
  }
}

/// A JPEG file (JFIF), with segments for its colors and its origin.
extension StillFile {
  /// - Returns: `nil` if the bytes do not begin like a JFIF file.
  func jpeg(_ file: [UInt8]) -> [UInt8]? {
    guard file.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]), file.count > 6 else { return nil }
    // The profile is short enough for one segment (`APP2`; ICC.1 B.4).
    let profile = color?.profile.map {
      Self.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + $0)
    }
    let origin = Self.segment(0xE1, Array("Exif\0\0".utf8) + exif)
    // JFIF requires its own segment to be the first, so the others come after it.
    let first = min(4 + Int(file[4]) << 8 + Int(file[5]), file.count)
    return Array(file[..<first]) + origin + (profile ?? []) + file[first...]
  }

  private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append([0xFF, marker])
    writer.append(UInt16(clamping: data.count + 2))
    writer.append(data)
    return writer.bytes
  }
}
