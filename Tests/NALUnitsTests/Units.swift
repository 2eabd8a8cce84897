// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import NALUnits

/// Makes NAL units from fixtures, and calls the functions that are tested. The name of a fixture
/// tells its codec.
enum Units {
  /// Returns the number of bytes in a unit's header.
  static func headerSize(_ name: String) -> Int { name.hasPrefix("avc") ? 1 : 2 }

  static func codec(_ name: String) -> NALCodec { name.hasPrefix("avc") ? .h264 : .hevc }

  static func unit(_ bytes: [UInt8], _ name: String) -> NALUnit { NALUnit(bytes, codec(name)) }

  static func unit(_ name: String) throws -> NALUnit { unit(try Fixture.bytes(name), name) }

  static func payload(_ unit: NALUnit, _ name: String) -> [UInt8] { unit.payload }

  static func messages(_ unit: NALUnit, _ name: String) -> [SEIMessage] {
    SEIMessage.messages(in: unit)
  }

  static func editing(
    _ unit: NALUnit, _ name: String, _ change: (SEIMessage) -> SEIMessage?
  ) -> NALUnit? {
    SEIMessage.editing(unit, change)
  }

  static func replacing(
    _ unit: NALUnit, _ name: String, _ change: (SEIMessage) -> [UInt8]?
  ) -> NALUnit {
    SEIMessage.replacing(in: unit, change)
  }

  static func parameterSet(_ payload: [UInt8], _ name: String) throws -> SequenceParameterSet {
    name.hasPrefix("avc")
      ? try SequenceParameterSet(avcPayload: payload)
      : try SequenceParameterSet(hevcPayload: payload)
  }

  static func retagging(
    _ unit: NALUnit, _ name: String, _ change: (inout SignalDescription) -> Void
  ) throws -> NALUnit {
    try SequenceParameterSet.retagging(unit, change)
  }

  static func split(annexB bytes: [UInt8]) -> [[UInt8]] {
    NALUnit.split(annexB: bytes, .hevc).map(\.bytes)
  }

  static func split(sample bytes: [UInt8], lengthSize: Int) -> [[UInt8]] {
    NALUnit.split(sample: bytes, lengthSize: lengthSize, .hevc).map(\.bytes)
  }

  /// Whether a unit contains a start code, or what a decoder takes for one.
  static func hasStartCode(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(2).contains { index in
      bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] < 3
    }
  }
}
