// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

/// The file of a still: the picture, and what its colors and its origin are.
struct StillFile {
  let format: StillFormat
  /// The color; nil for HDR, whose code points are the picture's own.
  let color: StillColor?
  /// Static HDR metadata that is true of the picture.
  let hdrMetadata: StaticHDRMetadata
  /// Exif data.
  let exif: [UInt8]

  /// The bytes.
  ///
  /// - Throws: ``TranscodingError`` where the libraries at hand cannot write the format.
  func bytes(of picture: PixelBuffer) throws -> [UInt8] {
    try check(width: picture.width, height: picture.height)
    guard let file = described(try encoded(picture), picture) else {
      throw TranscodingError(
        .internalFault, "the library's encoder for .\(format.rawValue) writes something else")
    }
    return file
  }

  /// Checks that the format can hold a picture of so many pixels.
  func check(width: Int, height: Int) throws {
    guard max(width, height) <= format.longestSide else {
      throw TranscodingError(
        .invalidSettings,
        "a still of \(width)×\(height) pixels is larger than .\(format.rawValue) can be: "
          + "\(format.longestSide) a side")
    }
  }

  private func encoded(_ picture: PixelBuffer) throws -> [UInt8] {
    do {
      return try format.encoder.encode(picture)
    } catch let error where error.kind == .unsupported {
      throw TranscodingError(
        .unavailable, "the FFmpeg libraries here cannot write .\(format.rawValue) (\(error))")
    } catch {
      throw TranscodingError(.unusableInput, "the still cannot be written: \(error)")
    }
  }

  private func described(_ file: [UInt8], _ picture: PixelBuffer) -> [UInt8]? {
    let profile = color.flatMap(ColorProfile.init)
    switch format {
    case .png:
      var chunks = PNGChunks(file)
      chunks?.add(picture.attachments.signal.color)
      if let color { chunks?.add(color) } else { chunks?.add(hdrMetadata) }
      chunks?.add(exif: exif)
      return chunks?.bytes
    case .jpg:
      var segments = JPEGSegments(file)
      if let profile { segments?.add(profile) }
      segments?.add(exif: exif)
      return segments?.bytes
    case .webp:
      var chunks = WebPChunks(file, size: picture.size)
      chunks?.profile = profile
      chunks?.exif = exif
      return chunks?.bytes
    case .avif:
      var boxes = AVIFBoxes(file, picture)
      boxes?.profile = profile
      boxes?.hdrMetadata = hdrMetadata
      boxes?.exif = exif
      return boxes?.bytes
    }
  }
}
