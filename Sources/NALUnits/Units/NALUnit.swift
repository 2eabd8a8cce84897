// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// One NAL unit with its header and its emulation prevention bytes (H.264, 7.3.1; H.265, 7.3.1).
package struct NALUnit: Hashable, Sendable {
  /// The codec of the bitstream.
  package let codec: NALCodec
  /// The bytes, without a start code or a length.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8], _ codec: NALCodec) {
    self.codec = codec
    self.bytes = bytes
  }

  /// `nal_unit_type`.
  package var type: NALUnitType {
    // An empty unit gets a reserved type, because decoders ignore units of reserved types.
    switch codec {
    case .hevc: .hevc(bytes.first.map { .init(firstByte: $0) } ?? .reserved)
    case .h264: .avc(bytes.first.map { .init(rawValue: $0 & 0x1F) } ?? .reserved)
    }
  }

  private var headerSize: Int {
    switch codec {
    case .hevc: 2
    case .h264: 1
    }
  }

  /// The header: two bytes in HEVC, one in H.264.
  package var header: [UInt8] { Array(bytes.prefix(headerSize)) }

  /// Whether the unit is an H.264 slice that no other picture refers to (`nal_ref_idc` 0; 7.4.1).
  package var isUnreferencedSlice: Bool {
    // In HEVC, this depends on the sublayers and is not examined: the answer is always `false`.
    guard codec == .h264, let first = bytes.first else { return false }
    return type.isSlice && first & 0x60 == 0
  }

  /// The payload without header and emulation prevention bytes (`rbsp_byte`).
  package var payload: [UInt8] {
    Array(bytes.dropFirst(headerSize)).withoutEmulationPrevention
  }

  /// Returns the first bytes as a separate unit.
  func beginning(_ count: Int) -> NALUnit { NALUnit(Array(bytes.prefix(count)), codec) }

  /// Returns the unit with another payload, and adds emulation prevention bytes to it.
  func replacing(payload: [UInt8]) -> NALUnit {
    NALUnit(header + payload.withEmulationPrevention, codec)
  }

  /// Returns the unit with its length before it, as in samples (ISO/IEC 14496-15).
  ///
  /// - Parameter size: the number of bytes that code the length, 1 to 4.
  package func lengthPrefixed(_ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  // Start codes always have four bytes here, because the standard requires four bytes before
  // parameter sets and before the first unit of an access unit (B.1.2), and allows them everywhere.
  /// The unit with a start code before it (Annex B).
  package var annexB: [UInt8] { [0, 0, 0, 1] + bytes }

  /// Makes the HEVC NAL unit of a Dolby Vision RPU.
  ///
  /// - Parameter bytes: `19 … 80`, with emulation prevention.
  package init(dolbyVisionRPU bytes: [UInt8]) {
    // Zeros after a unit belong to the byte stream, not to the unit (H.265, B.2).
    let zeros = bytes.reversed().prefix { $0 == 0 }.count
    self.init(HEVCNALUnitType.dolbyVisionRPU.header + bytes.dropLast(zeros), .hevc)
  }

  /// The Dolby Vision RPU in the unit: `19 … 80`, with emulation prevention and without zeros at
  /// the end.
  package var dolbyVisionRPU: [UInt8]? {
    guard isDolbyVisionRPU else { return nil }
    return Array(bytes.dropFirst(2).dropLast(bytes.reversed().prefix { $0 == 0 }.count))
  }

  /// Whether the unit belongs to a Dolby Vision enhancement layer.
  package var isDolbyVisionEnhancementLayer: Bool {
    type == .hevc(.dolbyVisionEnhancementLayer)
  }

  /// Whether the unit contains a Dolby Vision RPU.
  package var isDolbyVisionRPU: Bool { type == .hevc(.dolbyVisionRPU) }

  /// Splits a byte stream with start codes (Annex B) into its NAL units.
  package static func split(annexB bytes: [UInt8], _ codec: NALCodec) -> [NALUnit] {
    let codes = bytes.startCodes
    return zip(codes, codes.dropFirst() + [bytes.count]).compactMap { code, end in
      let unit = bytes[code + 3..<end]
      // Zeros before a start code belong to the code or are padding (`trailing_zero_8bits`). A NAL
      // unit never ends with a zero.
      guard let last = unit.lastIndex(where: { $0 != 0 }) else { return nil }
      return NALUnit(Array(unit[...last]), codec)
    }
  }

  /// Splits a sample that has a length before each NAL unit (ISO/IEC 14496-15, 5.3.2 and 8.3.2).
  /// Leaves out a last unit that is cut off.
  package static func split(
    sample bytes: [UInt8], lengthSize: Int, _ codec: NALCodec
  ) -> [NALUnit] {
    var units: [NALUnit] = []
    var position = 0
    while position + lengthSize <= bytes.count {
      let length = bytes[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length <= bytes.count - position else { break }
      if length > 0 { units.append(NALUnit(Array(bytes[position..<position + length]), codec)) }
      position += length
    }
    return units
  }
}

/// How NAL units or a configuration record break the rules of H.264, H.265 or ISO/IEC 14496-15.
package enum NALUnitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A unit ends inside a syntax element, or a syntax element has an invalid code.
  case unreadable(NALUnitType, BitstreamError)
  /// A configuration box ends in the middle of its content. Positions count from the first bit of
  /// its payload.
  case damagedConfiguration(FourCC, BitstreamError)

  /// Says what is wrong and where.
  package var description: String {
    switch self {
    case .unreadable(let type, let cause):
      "a NAL unit of type \(type.rawValue) cannot be read: \(cause)"
    case .damagedConfiguration(let box, let cause):
      "the box '\(box)' is damaged: \(cause)"
    }
  }

  /// Where the fault is, and what was expected there.
  package var cause: BitstreamError {
    switch self {
    case .unreadable(_, let cause), .damagedConfiguration(_, let cause): cause
    }
  }
}
