// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// One NAL unit, header included, with its emulation prevention bytes (H.264, 7.3.1; H.265,
/// 7.3.1).
package struct NALUnit: Hashable, Sendable {
  /// The codec of the bitstream.
  package let codec: NALCodec
  /// The bytes, without a start code or a length.
  package let bytes: [UInt8]

  /// A NAL unit from its bytes.
  package init(_ bytes: [UInt8], _ codec: NALCodec) {
    self.codec = codec
    self.bytes = bytes
  }

  /// `nal_unit_type`; the highest number for a unit without bytes.
  package var type: NALUnitType {
    switch codec {
    case .hevc: .hevc(HEVCNALUnitType(rawValue: bytes.first.map { $0 >> 1 & 0x3F } ?? 63))
    case .h264: .avc(AVCNALUnitType(rawValue: bytes.first.map { $0 & 0x1F } ?? 31))
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

  /// True for a slice that no other picture refers to: of H.264 with `nal_ref_idc` 0 (7.4.1); false
  /// for all of HEVC, where it depends on the sub-layers.
  package var isUnreferencedSlice: Bool {
    guard codec == .h264, let first = bytes.first else { return false }
    return type.isSlice && first & 0x60 == 0
  }

  /// The payload without header and emulation prevention bytes (`rbsp_byte`).
  package var payload: [UInt8] {
    Array(bytes.dropFirst(headerSize)).withoutEmulationPrevention
  }

  /// The beginning of a unit, for what stands in its first bytes: slices are long.
  func beginning(_ count: Int) -> NALUnit { NALUnit(Array(bytes.prefix(count)), codec) }

  /// The unit with another payload, of which emulation prevention bytes are made.
  func replacing(payload: [UInt8]) -> NALUnit {
    NALUnit(header + payload.withEmulationPrevention, codec)
  }

  /// The unit behind its length, as samples have it (ISO/IEC 14496-15).
  ///
  /// - Parameter size: the bytes of the length, 1 to 4.
  package func lengthPrefixed(_ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  /// The unit behind a start code (Annex B).
  package var annexB: [UInt8] { [0, 0, 0, 1] + bytes }

  /// A Dolby Vision RPU as the last NAL unit of its access unit in HEVC.
  ///
  /// - Parameter bytes: `19 … 80`, with emulation prevention; zeros behind it belong to the next
  ///   unit and are left out.
  package init(dolbyVisionRPU bytes: [UInt8]) {
    let zeros = bytes.reversed().prefix { $0 == 0 }.count
    self.init(HEVCNALUnitType.dolbyVisionRPU.header + bytes.dropLast(zeros), .hevc)
  }

  /// The Dolby Vision RPU that the unit holds, `19 … 80` with emulation prevention and without
  /// zeros behind it; nil for other units.
  package var dolbyVisionRPU: [UInt8]? {
    guard isDolbyVisionRPU else { return nil }
    return Array(bytes.dropFirst(2).dropLast(bytes.reversed().prefix { $0 == 0 }.count))
  }

  /// True if the unit is of the enhancement layer of Dolby Vision.
  package var isDolbyVisionEnhancementLayer: Bool {
    type == .hevc(.dolbyVisionEnhancementLayer)
  }

  /// True if the unit holds a Dolby Vision RPU.
  package var isDolbyVisionRPU: Bool { type == .hevc(.dolbyVisionRPU) }

  /// The NAL units of a byte stream with start codes (Annex B).
  package static func split(annexB bytes: [UInt8], _ codec: NALCodec) -> [NALUnit] {
    var units: [NALUnit] = []
    var start: Int?
    var index = 0
    func close(_ end: Int) {
      guard let start else { return }
      var last = end
      // Zeros before the next start code belong to it (`leading_zero_8bits`).
      while last > start && bytes[last - 1] == 0 { last -= 1 }
      if last > start { units.append(NALUnit(Array(bytes[start..<last]), codec)) }
    }
    while index + 2 < bytes.count {
      if bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1 {
        close(index)
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    close(bytes.count)
    return units
  }

  /// The NAL units of a sample that puts a length before each (ISO/IEC 14496-15, 5.3.2 and 8.3.2).
  ///
  /// The rest of a unit that is cut off is left out.
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

/// Fault of NAL units, or of a record of them, that are not as H.264, H.265 or ISO/IEC 14496-15
/// demand.
package enum NALUnitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A unit ends in a syntax element, or a code in it is none.
  case unreadable(NALUnitType, BitstreamError)
  /// A configuration box, by its type, ends before what it states, which is counted from its
  /// payload's first bit.
  case damagedConfiguration(FourCC, BitstreamError)

  /// Description of the fault and its place.
  package var description: String {
    switch self {
    case .unreadable(let type, let cause):
      "a NAL unit of type \(type.rawValue) cannot be read: \(cause)"
    case .damagedConfiguration(let box, let cause):
      "the box '\(box)' is damaged: \(cause)"
    }
  }

  /// Position of the fault, and the data that was expected there.
  package var cause: BitstreamError {
    switch self {
    case .unreadable(_, let cause), .damagedConfiguration(_, let cause): cause
    }
  }
}
