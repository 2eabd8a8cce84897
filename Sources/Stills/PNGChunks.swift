// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

/// The chunks of a PNG file (PNG, third edition), with those that say what its colors are.
struct PNGChunks {
  private var chunks: [(type: String, data: [UInt8])] = []

  /// - Returns: nil for bytes that are no PNG.
  init?(_ file: [UInt8]) {
    guard file.starts(with: Self.signature) else { return nil }
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
    // What the encoder says about the size of pixels and their color is none of ours.
    chunks.removeAll { !["IHDR", "IDAT", "IEND"].contains($0.type) }
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Puts a chunk in front of the samples.
  private mutating func add(_ type: String, _ data: [UInt8]) {
    let place = chunks.firstIndex { $0.type == "IDAT" } ?? chunks.endIndex
    chunks.insert((type, data), at: place)
  }

  /// States the meaning of full-range R'G'B' by code points (`cICP`).
  mutating func add(_ color: ColorDescription) {
    add(
      "cICP",
      [
        UInt8(truncatingIfNeeded: color.colorPrimaries.rawValue),
        UInt8(truncatingIfNeeded: color.transferCharacteristics.rawValue), 0, 1,
      ])
  }

  /// States it for readers that do not know code points.
  mutating func add(_ color: StillColor) {
    if color == .sRGB {
      // Perceptual intent.
      add("sRGB", [0])
    } else if let profile = ColorProfile(color) {
      let name = Array(color.profileName.utf8) + [0, 0]
      add("iCCP", name + Self.stored(profile.bytes))
    }
  }

  /// States the light of HDR pictures (`mDCV`, `cLLI`).
  mutating func add(_ metadata: StaticHDRMetadata) {
    if let display = metadata.masteringDisplay { add("mDCV", display.pngPayload) }
    guard let level = metadata.contentLightLevel else { return }
    var writer = ByteWriter()
    // In 0.0001 cd/m².
    writer.append(UInt32(level.maxContentLightLevel) * 10_000)
    writer.append(UInt32(level.maxPicAverageLightLevel) * 10_000)
    add("cLLI", writer.bytes)
  }

  /// Adds Exif data.
  mutating func add(exif: [UInt8]) { add("eXIf", exif) }

  /// The file.
  var bytes: [UInt8] {
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
