// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

/// `AVCDecoderConfigurationRecord`, the content of `avcC` (ISO/IEC 14496-15, 5.3.3.1). A record
/// that is read and written again has the same bytes.
package struct AVCDecoderConfigurationRecord: DecoderConfigurationRecord, Hashable, Sendable {
  /// The size of the shortest record in bytes.
  package static let minimumSize = 7

  /// The bytes before the number of sequence parameter sets.
  private var fields: [UInt8]

  // Reserved bits should be ones, but not every writer sets them, and writing must give the same
  // bytes.
  /// The reserved bits beside the number of sequence parameter sets.
  private let reservedBits: UInt8
  private var sequenceParameterSets: [NALUnit]
  private var pictureParameterSets: [NALUnit]

  // High profiles have chroma format and bit depths after the parameter sets. Some writers leave
  // them out although the standard requires them, so nothing here depends on them.
  /// The bytes after the parameter sets.
  private let rest: [UInt8]

  /// Reads the payload of an `avcC` box.
  package init(_ bytes: [UInt8]) throws(NALUnitError) {
    var reader = ByteReader(bytes)
    do throws(BitstreamError) {
      fields = try reader.bytes(5)
      let count = try reader.integer(UInt8.self)
      reservedBits = count & 0xE0
      sequenceParameterSets = try reader.units(Int(count & 0x1F), .h264)
      pictureParameterSets = try reader.units(Int(try reader.integer(UInt8.self)), .h264)
    } catch {
      throw .damagedConfiguration(NALCodec.h264.configurationBox, error)
    }
    rest = reader.rest()
  }

  /// The record as the payload of its box.
  package var bytes: [UInt8] {
    let counts = [sequenceParameterSets.count, pictureParameterSets.count]
      .map { UInt8(truncatingIfNeeded: $0) }
    return fields + [reservedBits | counts[0]]
      + sequenceParameterSets.flatMap { $0.lengthPrefixed(2) } + [counts[1]]
      + pictureParameterSets.flatMap { $0.lengthPrefixed(2) } + rest
  }

  /// The number of bytes that code the length before each NAL unit of a sample
  /// (`lengthSizeMinusOne` + 1).
  package var lengthSize: Int {
    get { Int(fields[4] & 3) + 1 }
    set { fields[4] = fields[4] & ~3 | UInt8(truncatingIfNeeded: newValue - 1) & 3 }
  }

  /// The parameter sets, in order.
  package var units: [NALUnit] { sequenceParameterSets + pictureParameterSets }

  /// Does nothing, because the record has no place for SEI units.
  package mutating func editPrefixSEI(_ change: ([NALUnit]) -> [NALUnit]) {}

  /// Does nothing, because in H.264 the type of the sample entry (`avc1` or `avc3`) says whether
  /// samples may have parameter sets.
  package mutating func completeParameterSets() {}

  /// Replaces the units of the record.
  package mutating func replaceUnits(_ change: (NALUnit) throws -> NALUnit) rethrows {
    sequenceParameterSets = try sequenceParameterSets.map(change)
    pictureParameterSets = try pictureParameterSets.map(change)
  }
}
