// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

/// A PNG file (PNG, third edition), with chunks for the meaning of its colors and for its origin.
extension StillFile {
  /// - Parameter description: the color of the full-range R'G'B'.
  /// - Returns: `nil` if the bytes are not a PNG.
  func png(_ file: [UInt8], _ description: ColorDescription) -> [UInt8]? {
    guard var chunks = Self.chunks(of: file) else { return nil }
    // Chunks about color have to come before the samples (PNG 5.6).
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

  /// Returns the necessary chunks of a file; `nil` if the bytes are not a PNG.
  private static func chunks(of file: [UInt8]) -> [(type: String, data: [UInt8])]? {
    guard file.starts(with: signature) else { return nil }
    var chunks: [(type: String, data: [UInt8])] = []
    var reader = ByteReader(file, at: 8)
    while let length = try? reader.integer(UInt32.self), let type = try? reader.bytes(4),
      let data = try? reader.bytes(Int(length)), (try? reader.bytes(4)) != nil
    {
      let name = String(decoding: type, as: UTF8.self)
      // An encoder may write many small `IDAT` chunks. Join them into one, which is shorter.
      if name == "IDAT", chunks.last?.type == name {
        chunks[chunks.count - 1].data += data
      } else {
        chunks.append((name, data))
      }
    }
    guard chunks.last?.type == "IEND" else { return nil }
    // The encoder's own chunks about color and the size of pixels would contradict ours.
    return chunks.filter { ["IHDR", "IDAT", "IEND"].contains($0.type) }
  }

  /// Returns the meaning of full-range R'G'B' as code points (`cICP`).
  private static func codePoints(_ color: ColorDescription) -> (type: String, data: [UInt8]) {
    (
      "cICP",
      [
        color.colorPrimaries.byte, color.transferCharacteristics.byte, 0, 1,
      ]
    )
  }

  /// Returns chunks that state a color for readers that do not know `cICP`.
  private static func chunks(of color: StillColor) -> [(type: String, data: [UInt8])] {
    // 0 is the perceptual rendering intent.
    if color == .sRGB { return [("sRGB", [0])] }
    return color.profile.map { profile in
      [("iCCP", Array(color.profileName.utf8) + [0, 0] + stored(profile))]
    } ?? []
  }

  /// The chunks with the static HDR metadata of HDR stills (`mDCV`, `cLLI`).
  private var lightChunks: [(type: String, data: [UInt8])] {
    var chunks: [(type: String, data: [UInt8])] = []
    if let display = hdrMetadata.masteringDisplay { chunks.append(("mDCV", display.pngPayload)) }
    if let level = hdrMetadata.contentLightLevel {
      var writer = ByteWriter()
      // PNG counts in steps of 0.0001 cd/m².
      writer.append(UInt32(level.maxContentLightLevel) * 10_000)
      writer.append(UInt32(level.maxPicAverageLightLevel) * 10_000)
      chunks.append(("cLLI", writer.bytes))
    }
    return chunks
  }

  /// Returns the CRC-32 of ISO 3309, which every chunk ends with.
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

  /// Wraps bytes in a zlib stream (RFC 1950) without compressing them.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // A profile is small, so a block that is merely stored will do.
    let count = UInt16(clamping: bytes.count)
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    var writer = ByteWriter()
    writer.append([0x78, 0x01, 0x01])
    // Deflate is little-endian, unlike the rest of PNG.
    for value in [count, ~count] { writer.append(value.byteSwapped) }
    writer.append(bytes)
    writer.append(high << 16 | low)
    return writer.bytes
  }
}

extension MasteringDisplayColorVolume {
  /// The payload of `mDCV`: red, green, blue, white, and the luminances.
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
