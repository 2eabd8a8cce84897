// SPDX-License-Identifier: GPL-2.0-or-later
/// An open bitstream unit of AV1 (AV1 Bitstream & Decoding Process Specification, 5.3).
package struct OBU: Hashable, Sendable {
  /// The types that matter here (6.2.2).
  package enum Kind: UInt8, Sendable {
    case sequenceHeader = 1
    case temporalDelimiter = 2
    case frameHeader = 3
    case metadata = 5
    case frame = 6
    case redundantFrameHeader = 7
    case tileList = 8
    case padding = 15
  }

  /// The unit with its header and, unless it is the last one of a sample, with its size.
  package let bytes: ArraySlice<UInt8>
  /// What comes after the header and the size.
  package let payload: ArraySlice<UInt8>

  /// The type, or `nil` if it does not matter here.
  package var kind: Kind? { bytes.first.flatMap { Kind(rawValue: $0 >> 3 & 0xF) } }

  /// Makes a unit with its size.
  package init(_ kind: Kind, payload: [UInt8]) {
    // `obu_has_size_field` is the bit of value 2.
    let header = [kind.rawValue << 3 | 2] + Self.leb128(payload.count)
    bytes = (header + payload)[...]
    self.payload = payload[...]
  }

  private init(bytes: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) {
    (self.bytes, self.payload) = (bytes, payload)
  }

  /// Returns a unit of the same type, with the same extension of its header and another payload.
  package func replacing(payload new: [UInt8]) -> OBU {
    guard let first = bytes.first else { return self }
    let hasExtension = first & 4 != 0
    let header = [first | 2] + bytes.dropFirst().prefix(hasExtension ? 1 : 0)
    return OBU(bytes: (header + Self.leb128(new.count) + new)[...], payload: new[...])
  }

  /// Splits a temporal unit in the low-overhead format (5.2). Leaves out units that are cut off.
  package static func split(_ sample: [UInt8]) -> [OBU] {
    var units: [OBU] = []
    var position = 0
    while position < sample.count {
      let start = position
      let header = sample[position]
      // `obu_forbidden_bit` is 0 in every unit.
      guard header & 0x80 == 0 else { break }
      position += header & 4 != 0 ? 2 : 1
      var size = sample.count - position
      if header & 2 != 0 {
        guard let stated = number(in: sample, at: &position) else { break }
        size = stated
      }
      guard size >= 0, size <= sample.count - position else { break }
      let end = position + size
      units.append(OBU(bytes: sample[start..<end], payload: sample[position..<end]))
      position = end
    }
    return units
  }

  /// Returns what follows the units of a sample: nothing, unless a unit is damaged or cut off.
  package static func rest(of sample: [UInt8], after units: [OBU]) -> ArraySlice<UInt8> {
    sample[units.reduce(0) { $0 + $1.bytes.count }...]
  }

  /// Reads `leb128()`, 4.10.5. Returns `nil` if it is cut off or above 2³² − 1.
  static func number(in bytes: [UInt8], at position: inout Int) -> Int? {
    var value = 0
    for index in 0..<8 {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << (7 * index)
      if byte & 0x80 == 0 { return value <= Int(UInt32.max) ? value : nil }
    }
    return nil
  }

  /// Returns a number as `leb128()`.
  static func leb128(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (max(number, 0), [UInt8]())
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }
}

extension OBU {
  /// Whether a shown frame begins here. The frame may be coded here or may have been coded earlier.
  package var beginsShownFrame: Bool {
    guard [.frame, .frameHeader].contains(kind), let first = payload.first else { return false }
    // The header begins with `show_existing_frame`. If that flag is 0, two bits of `frame_type` and
    // then `show_frame` follow (5.9.2). Reduced headers of still pictures have none of these
    // fields, but are read as if they had them. That does no harm, because such a sequence has a
    // single frame. Metadata belongs to that frame whether the metadata comes before the frame or
    // at the end of the unit.
    return first & 0x80 != 0 || first & 0x10 != 0
  }

  /// Whether a sample may have the unit (AV1 Codec ISO Media File Format Binding, 2.4).
  package var belongsInSample: Bool {
    // Redundant headers are allowed, but help nobody where no bits are lost.
    ![.temporalDelimiter, .tileList, .padding, .redundantFrameHeader].contains(kind)
  }
}

extension [OBU] {
  /// Returns the units with others inserted before the first frame that is shown.
  ///
  /// Metadata of a frame follows the frames that are decoded before it but not shown.
  package func inserting(_ others: [OBU]) -> [OBU] {
    let place = firstIndex(where: \.beginsShownFrame) ?? endIndex
    return Array(self[..<place]) + others + self[place...]
  }
}
