// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
internal import CodePoints

/// `HEVCDecoderConfigurationRecord`, the content of `hvcC` (ISO/IEC 14496-15, 8.3.3.1). A record
/// that is read and written again has the same bytes.
package struct HEVCDecoderConfigurationRecord: DecoderConfigurationRecord, Hashable, Sendable {
  /// The type of the box that contains the record.
  package static let box = NALCodec.hevc.configurationBox

  /// The NAL units of one type.
  package struct UnitArray: Hashable, Sendable {
    /// `array_completeness`, a reserved bit and `NAL_unit_type`.
    fileprivate var firstByte: UInt8
    package var units: [NALUnit]

    /// Makes an array that does not claim to be complete, so samples may have units of its type,
    /// too.
    package init(_ type: HEVCNALUnitType, units: [NALUnit] = []) {
      firstByte = type.rawValue
      self.units = units
    }

    /// `array_completeness`: whether samples have no units of this type.
    package var isComplete: Bool {
      get { firstByte & 0x80 != 0 }
      set { firstByte = firstByte & 0x7F | (newValue ? 0x80 : 0) }
    }

    /// `NAL_unit_type`.
    package var type: HEVCNALUnitType { HEVCNALUnitType(rawValue: firstByte & 0x3F) }
  }

  /// The size of the shortest record in bytes: the fields and the number of arrays.
  package static let minimumSize = fieldsSize + 1
  private static let fieldsSize = 22

  /// The bytes before the number of arrays.
  private var fields: [UInt8]
  /// The arrays of NAL units, in order.
  package var arrays: [UnitArray] = []
  /// The bytes after the arrays.
  private let rest: [UInt8]

  /// Reads the payload of an `hvcC` box.
  package init(_ bytes: [UInt8]) throws(NALUnitError) {
    var reader = ByteReader(bytes)
    do throws(BitstreamError) {
      fields = try reader.bytes(Self.fieldsSize)
      for _ in 0..<(try reader.integer(UInt8.self)) {
        var array = UnitArray(HEVCNALUnitType(rawValue: 0))
        array.firstByte = try reader.integer()
        array.units = try reader.units(Int(try reader.integer(UInt16.self)), .hevc)
        arrays.append(array)
      }
    } catch {
      throw .damagedConfiguration(Self.box, error)
    }
    rest = reader.rest()
  }

  /// The NAL units of all arrays.
  package var units: [NALUnit] { arrays.flatMap(\.units) }

  /// The record as the payload of its box.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(fields)
    writer.append(UInt8(truncatingIfNeeded: arrays.count))
    for array in arrays {
      writer.append(array.firstByte)
      writer.append(UInt16(truncatingIfNeeded: array.units.count))
      for unit in array.units { writer.append(unit.lengthPrefixed(2)) }
    }
    writer.append(rest)
    return writer.bytes
  }

  /// `general_profile_idc`.
  package var profileIdc: Int { Int(fields[1] & 0x1F) }
  /// `general_level_idc`: thirty times the level.
  package var levelIdc: Int { Int(fields[12]) }
  /// `chroma_format_idc`: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package var chromaFormatIdc: Int { Int(fields[16] & 3) }
  /// Bits per luma sample.
  package var bitDepthLuma: Int { Int(fields[17] & 7) + 8 }
  /// Bits per chroma sample.
  package var bitDepthChroma: Int { Int(fields[18] & 7) + 8 }
  /// The number of bytes that code the length before each NAL unit of a sample
  /// (`lengthSizeMinusOne` + 1).
  package var lengthSize: Int {
    get { Int(fields[21] & 3) + 1 }
    set { fields[21] = fields[21] & ~3 | UInt8(truncatingIfNeeded: newValue - 1) & 3 }
  }
}

extension HEVCDecoderConfigurationRecord {
  /// Replaces the units of the record.
  package mutating func replaceUnits(_ change: (NALUnit) throws -> NALUnit) rethrows {
    for index in arrays.indices { arrays[index].units = try arrays[index].units.map(change) }
  }

  /// Sets `array_completeness` for all parameter sets.
  package mutating func completeParameterSets() {
    // In an `hvc1` sample entry, the flag must be set (ISO/IEC 14496-15, 8.4.1.1). SEI arrays are
    // left alone, because samples may still have messages.
    for index in arrays.indices where HEVCNALUnitType.parameterSets.contains(arrays[index].type) {
      arrays[index].isComplete = true
    }
  }

  /// The prefix SEI units. Setting them adds or removes an array as needed.
  package var prefixSEI: [NALUnit] {
    get { arrays.filter { $0.type == .prefixSEI }.flatMap(\.units) }
    set {
      guard newValue != prefixSEI else { return }
      let place = arrays.firstIndex { $0.type == .prefixSEI }
      // A new array is not complete, because samples may have SEI messages of other kinds.
      var array = place.map { arrays[$0] } ?? UnitArray(.prefixSEI)
      array.units = newValue
      arrays.removeAll { $0.type == .prefixSEI }
      if !newValue.isEmpty { arrays.insert(array, at: place ?? arrays.count) }
    }
  }

  /// Changes the prefix SEI units.
  package mutating func editPrefixSEI(_ change: ([NALUnit]) -> [NALUnit]) {
    prefixSEI = change(prefixSEI)
  }

  /// Replaces the parameter sets of the base layer. Units of other layers stay, and so do SEI
  /// units.
  package mutating func store(_ sets: HEVCParameterSets) {
    // A record without parameter sets was written before they were known, so its profile, level and
    // depths are made up. Replace those with the values of the sets.
    if !arrays.contains(where: { $0.type == .sequenceParameterSet }) { describe(sets) }
    for index in arrays.indices { arrays[index].units.removeAll(where: \.isBaseParameterSet) }
    // VPS, SPS and PPS come first and in this order, as ISO/IEC 14496-15, 8.3.3.1.3, recommends.
    arrays = HEVCNALUnitType.parameterSets.map { UnitArray($0, units: sets.sets($0)) } + arrays
    arrays.removeAll(where: \.units.isEmpty)
  }

  /// Copies profile, tier and level (H.265, 7.3.3), chroma format and depths from a sequence
  /// parameter set.
  private mutating func describe(_ sets: HEVCParameterSets) {
    guard let unit = sets.sets(.sequenceParameterSet).first,
      case let payload = unit.payload, payload.count > 12,
      let set = try? SequenceParameterSet(unit)
    else { return }
    // `profile_tier_level` is in bytes 1 to 12 (from 0) of both the record and the set's payload.
    fields.replaceSubrange(1...12, with: payload[1...12])
    // The bits above each value are reserved and must be ones.
    fields[16] = 0xFC | UInt8(truncatingIfNeeded: set.chromaFormatIdc)
    fields[17] = 0xF8 | UInt8(truncatingIfNeeded: set.bitDepthLuma - 8)
    fields[18] = 0xF8 | UInt8(truncatingIfNeeded: set.bitDepthChroma - 8)
  }
}
