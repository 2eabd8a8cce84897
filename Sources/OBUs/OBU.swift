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

  /// The unit with its header and its size. Only the last unit of a sample may lack the size.
  package let bytes: ArraySlice<UInt8>
  /// What comes after the header and the size.
  package let payload: ArraySlice<UInt8>

  /// The type, or `nil` if it does not matter here.
  package var kind: Kind? { bytes.first.flatMap { Kind(rawValue: $0 >> 3 & 0xF) } }

  /// Makes a unit with its size.
  package init(_ kind: Kind, payload: [UInt8]) {
    // `obu_has_size_field` is the bit with the value 2.
    let header = [kind.rawValue << 3 | 2] + Self.leb128(payload.count)
    bytes = (header + payload)[...]
    self.payload = payload[...]
  }

  private init(bytes: ArraySlice<UInt8>, payload: ArraySlice<UInt8>) {
    (self.bytes, self.payload) = (bytes, payload)
  }

  /// Returns a unit of the same type, with the same header extension and another payload.
  package func replacing(payload new: [UInt8]) -> OBU {
    guard let first = bytes.first else { return self }
    let hasExtension = first & 4 != 0
    let header = [first | 2] + bytes.dropFirst().prefix(hasExtension ? 1 : 0)
    return OBU(bytes: (header + Self.leb128(new.count) + new)[...], payload: new[...])
  }

  /// The unit with its size, so that other units can follow it.
  var sized: OBU {
    bytes.first.map { $0 & 2 != 0 } ?? true ? self : replacing(payload: Array(payload))
  }

  /// Splits a temporal unit in the low-overhead format (5.2). Stops at the first unit that is
  /// damaged or cut off.
  package static func split(_ sample: [UInt8]) -> [OBU] {
    var units: [OBU] = []
    var position = 0
    while let content = content(of: sample, at: position, end: sample.count) {
      units.append(OBU(bytes: sample[position..<content.upperBound], payload: sample[content]))
      position = content.upperBound
    }
    return units
  }

  /// Finds the payload of a unit.
  ///
  /// - Parameters:
  ///   - bytes: the sample, or a piece of it that includes at least the unit's header and size.
  ///   - start: where the unit begins in `bytes`.
  ///   - end: where the sample ends, as a position in `bytes` or beyond them.
  /// - Returns: `nil` if no unit begins there, or if the unit is damaged or cut off.
  private static func content(of bytes: [UInt8], at start: Int, end: Int) -> Range<Int>? {
    // `obu_forbidden_bit` is 0 in every unit.
    guard start < bytes.count, bytes[start] & 0x80 == 0 else { return nil }
    var position = start + (bytes[start] & 4 != 0 ? 2 : 1)
    var size = end - position
    if bytes[start] & 2 != 0 {
      guard let stated = number(in: bytes, at: &position) else { return nil }
      size = stated
    }
    guard size >= 0, size <= end - position else { return nil }
    return position..<position + size
  }

  /// Returns whether a unit that begins with these bytes is a sequence header or metadata.
  package static func mayCarryTags(_ beginning: [UInt8]) -> Bool {
    guard let first = beginning.first else { return false }
    let kind = Kind(rawValue: first >> 3 & 0xF)
    return kind == .sequenceHeader || kind == .metadata
  }

  /// The largest number of bytes that a unit's header and size take together.
  package static let longestHeader = 10

  /// Returns the length of a unit with its header and size; `nil` if the unit is damaged or cut
  /// off.
  ///
  /// - Parameters:
  ///   - beginning: the first ``longestHeader`` bytes of the unit, or all that there are.
  ///   - rest: the number of bytes from the unit's beginning to the end of the sample.
  package static func length(of beginning: [UInt8], in rest: Int) -> Int? {
    content(of: beginning, at: 0, end: rest)?.upperBound
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
  /// Whether a frame begins here.
  fileprivate var beginsFrame: Bool { kind == .frame || kind == .frameHeader }

  /// Whether a shown frame begins here. The frame may be coded here or may have been coded earlier.
  /// Not valid with the reduced sequence header of a still picture, whose frames lack the flags.
  fileprivate var beginsShownFrame: Bool {
    guard beginsFrame, let first = payload.first else { return false }
    // The header begins with `show_existing_frame`. If that flag is 0, two bits of `frame_type` and
    // then `show_frame` follow (5.9.2).
    return first & 0x80 != 0 || first & 0x10 != 0
  }

  /// The number of the spatial layer (5.3.3). Units without an extension are in layer 0.
  fileprivate var spatialLayer: UInt8 {
    let header = bytes.prefix(2)
    guard let first = header.first, let last = header.last, first & 4 != 0 else { return 0 }
    return last >> 3 & 3
  }

  /// Whether the unit should be in a sample (AV1 Codec ISO Media File Format Binding, 2.4).
  package var belongsInSample: Bool {
    // Redundant headers are allowed, but they help only where bits are lost, as in broadcasts.
    ![.temporalDelimiter, .tileList, .padding, .redundantFrameHeader].contains(kind)
  }
}

extension [OBU] {
  /// Returns the index of the unit with which the presented frame of a sample begins; `nil` if no
  /// frame is shown.
  ///
  /// - Parameter stored: units from outside the samples. They have the sequence header if the
  ///   sample has none.
  package func shownFrameIndex(after stored: [OBU] = []) -> Int? {
    // With a reduced header, every frame is a key frame that is shown (5.9.2).
    let isStill = (AV1SequenceHeader(in: self) ?? AV1SequenceHeader(in: stored))?.isReduced == true
    let shown = indices.filter {
      isStill ? self[$0].beginsFrame : self[$0].beginsShownFrame
    }
    // Each spatial layer has a frame, but only the frame of the highest layer is presented
    // (7.18.1). Decoders apply metadata to the next frame, so metadata belongs right before the
    // frame of the highest layer.
    let highest = shown.map { self[$0].spatialLayer }.max()
    return shown.first { self[$0].spatialLayer == highest }
  }

  /// Returns the units with others inserted before the frame that is presented.
  ///
  /// A sample may also have frames that are decoded first and not presented. Those come before the
  /// inserted units.
  ///
  /// - Parameter stored: units from outside the samples. They have the sequence header if the
  ///   sample has none.
  package func inserting(_ others: [OBU], after stored: [OBU] = []) -> [OBU] {
    guard !others.isEmpty else { return self }
    guard let place = shownFrameIndex(after: stored) else {
      // A unit without a size extends to the end of its sample, so it would include the units that
      // are added after it.
      return map(\.sized) + others
    }
    return Array(self[..<place]) + others + self[place...]
  }
}

extension [OBU] {
  /// Returns whether decoding can begin at a sample; `nil` if the sample alone does not show it.
  ///
  /// - Parameter stored: units from outside the samples. They have the sequence header if the
  ///   sample has none.
  package func beginsDecoding(after stored: [OBU] = []) -> Bool? {
    guard let frame = first(where: \.beginsFrame), let start = frame.payload.first else {
      return nil
    }
    guard let header = AV1SequenceHeader(in: self) ?? AV1SequenceHeader(in: stored) else {
      return false
    }
    // With a reduced header, every frame is a key frame. With any other header, a frame begins with
    // `show_existing_frame`, `frame_type` and `show_frame` (5.9.2). The type of key frames is 0.
    guard !header.isReduced else { return true }
    guard start & 0xE0 == 0 else { return false }
    // If the key frame is shown only later, the frames until then cannot be decoded.
    return start & 0x10 != 0 ? true : nil
  }

  /// Returns what is wrong with a metadata unit of a sample: its end is missing, or it is not
  /// directly before the frame that it belongs to. `nil` if all is well.
  ///
  /// - Parameter stored: units from outside the samples. They have the sequence header if the
  ///   sample has none.
  package func metadataFault(after stored: [OBU] = []) -> String? {
    let units = indices.filter { self[$0].kind == .metadata }
    if let cut = units.first(where: { MetadataOBU(withoutEnd: self[$0]) != nil }) {
      return "the end of a metadata unit is missing (unit \(cut + 1) of \(count))"
    }
    guard let shown = shownFrameIndex(after: stored) else { return nil }
    // Decoders apply metadata to the next frame, whether that frame is shown or not (6.7.1).
    if let late = units.first(where: { $0 > shown }) {
      return "metadata follows its frame (unit \(late + 1) of \(count))"
    }
    guard let last = self[..<shown].lastIndex(where: { $0.beginsFrame && !$0.beginsShownFrame })
    else { return nil }
    let early = units.first { $0 < last && MetadataOBU(self[$0])?.kind == .registeredUserData }
    return early.map {
      "metadata precedes a frame that is not shown (unit \($0 + 1) of \(count))"
    }
  }
}
