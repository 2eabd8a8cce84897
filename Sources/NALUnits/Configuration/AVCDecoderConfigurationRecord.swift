// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

/// `AVCDecoderConfigurationRecord`, the content of `avcC` (ISO/IEC 14496-15, 5.3.3.1). Writing what
/// was read gives the same bytes.
package struct AVCDecoderConfigurationRecord: DecoderConfigurationRecord, Hashable, Sendable {
  /// The bytes that a record has at least.
  package static let minimumSize = 7

  /// Bytes before the number of sequence parameter sets.
  private let fields: [UInt8]
  /// The reserved bits beside that number.
  private let reservedBits: UInt8
  private var sequenceParameterSets: [NALUnit]
  private var pictureParameterSets: [NALUnit]
  /// Bytes behind the parameter sets: in high profiles, chroma and depth.
  private let rest: [UInt8]

  /// Reads a record.
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

  /// The record's bytes.
  package var bytes: [UInt8] {
    let counts = [sequenceParameterSets.count, pictureParameterSets.count]
      .map { UInt8(truncatingIfNeeded: $0) }
    return fields + [reservedBits | counts[0]]
      + sequenceParameterSets.flatMap { $0.lengthPrefixed(2) } + [counts[1]]
      + pictureParameterSets.flatMap { $0.lengthPrefixed(2) } + rest
  }

  /// `lengthSizeMinusOne` + 1: the bytes of the length before each NAL unit of a sample.
  package var lengthSize: Int { Int(fields[4] & 3) + 1 }

  /// The parameter sets, in their order.
  package var units: [NALUnit] { sequenceParameterSets + pictureParameterSets }

  /// Changes nothing: the record has no place for SEI units.
  package mutating func editPrefixSEI(_ change: ([NALUnit]) -> [NALUnit]) {}

  /// Says nothing: sample entries say it by their type.
  package mutating func completeParameterSets() {}

  /// Puts other units into the places of the record's.
  package mutating func replaceUnits(_ change: (NALUnit) throws -> NALUnit) rethrows {
    sequenceParameterSets = try sequenceParameterSets.map(change)
    pictureParameterSets = try pictureParameterSets.map(change)
  }
}
