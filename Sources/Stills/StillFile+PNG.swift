// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

/// A PNG file (PNG, third edition), with chunks that say what its colors are and where it is from.
extension StillFile {
  /// - Parameter description: the meaning of the full-range R'G'B'.
  /// - Returns: nil for bytes that are no PNG.
  func png(_ file: [UInt8], _ description: ColorDescription) -> [UInt8]? {
    guard var chunks = Self.chunks(of: file) else { return nil }
    // They stand in front of the samples.
    let place = chunks.firstIndex { $0.type == "IDAT" } ?? chunks.endIndex
    chunks.insert(
      contentsOf: [Self.codePoints(description)] + (color.map(Self.chunks(of:)) ?? lightChunks)
        + [("eXIf", exif)], at: place)
    var writer = ByteWriter()
    writer.append(Self.signature)
    for (type, data) in chunks {
      let body = Array(type.utf8) + data
      writer.append(UInt32(data.count))
      writer.append(body)
      writer.append(Self.checksum(body))
    }
    return writer.bytes
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The chunks that an encoder wrote, but for those about the size of pixels and their color,
  /// which are none of ours; nil for bytes that are no PNG.
  private static func chunks(of file: [UInt8]) -> [(type: String, data: [UInt8])]? {
    guard file.starts(with: signature) else { return nil }
    var chunks: [(type: String, data: [UInt8])] = []
    var reader = ByteReader(file, at: 8)
    while let length = try? reader.integer(UInt32.self), let type = try? reader.bytes(4),
      let data = try? reader.bytes(Int(length)), (try? reader.bytes(4)) != nil
    {
      let name = String(decoding: type, as: UTF8.self)
      // Samples in many small chunks become those of one.
      if name == "IDAT", chunks.last?.type == name {
        chunks[chunks.count - 1].data += data
      } else {
        chunks.append((name, data))
      }
    }
    guard chunks.last?.type == "IEND" else { return nil }
    return chunks.filter { ["IHDR", "IDAT", "IEND"].contains($0.type) }
  }

  /// The meaning of full-range R'G'B' by code points (`cICP`).
  private static func codePoints(_ color: ColorDescription) -> (type: String, data: [UInt8]) {
    (
      "cICP",
      [
        UInt8(truncatingIfNeeded: color.colorPrimaries.rawValue),
        UInt8(truncatingIfNeeded: color.transferCharacteristics.rawValue), 0, 1,
      ]
    )
  }

  /// The same for readers that do not know code points.
  private static func chunks(of color: StillColor) -> [(type: String, data: [UInt8])] {
    // Perceptual intent.
    if color == .sRGB { return [("sRGB", [0])] }
    return color.profile.map { profile in
      [("iCCP", Array(color.profileName.utf8) + [0, 0] + stored(profile))]
    } ?? []
  }

  /// The light of HDR pictures (`mDCV`, `cLLI`).
  private var lightChunks: [(type: String, data: [UInt8])] {
    var chunks: [(type: String, data: [UInt8])] = []
    if let display = hdrMetadata.masteringDisplay { chunks.append(("mDCV", display.pngPayload)) }
    if let level = hdrMetadata.contentLightLevel {
      var writer = ByteWriter()
      // In 0.0001 cd/m².
      writer.append(UInt32(level.maxContentLightLevel) * 10_000)
      writer.append(UInt32(level.maxPicAverageLightLevel) * 10_000)
      chunks.append(("cLLI", writer.bytes))
    }
    return chunks
  }

  /// CRC-32 of ISO 3309.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8)
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  /// A zlib stream (RFC 1950) of bytes that are not compressed: a profile is small.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(clamping: bytes.count)
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    var writer = ByteWriter()
    writer.append([0x78, 0x01, 0x01])
    // Low byte first.
    for value in [count, ~count] { writer.append(value.byteSwapped) }
    writer.append(bytes)
    writer.append(high << 16 | low)
    return writer.bytes
  }
}

extension MasteringDisplayColorVolume {
  /// The payload of `mDCV`: red, green, blue and white, and luminances.
  fileprivate var pngPayload: [UInt8] {
    var writer = ByteWriter()
    for point in [red, green, blue, whitePoint] {
      writer.append(point.x)
      writer.append(point.y)
    }
    writer.append(maxDisplayMasteringLuminance)
    writer.append(minDisplayMasteringLuminance)
    return writer.bytes
  }
}
