// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import DolbyVision
import Testing

@testable import Reading

/// RPUs that refer to the mapping of an earlier RPU get that mapping.
@Suite struct MappingMemoryTests {
  private static func mapping(id: UInt32, value: UInt32) -> DataMapping {
    let curve = ReshapingCurve(
      predPivotValue: [0, 1023], pieces: [.polynomial([Coefficient(0, value), Coefficient(1, 0)])])
    return DataMapping(vdrRPUID: id, curves: [curve, curve, curve])
  }

  private static func rpu(
    _ mapping: ReferenceProcessingUnit.MappingSource, denominator: UInt8 = 23
  ) throws -> DolbyVisionRPU {
    var header = RPUHeader()
    header.coefficientLog2Denom = denominator
    return try DolbyVisionRPU(
      writing: ReferenceProcessingUnit(header: header, mapping: mapping, displayManagement: nil))
  }

  /// A reference gets the latest mapping with the number that it names, not the mapping of the
  /// frame before.
  @Test func referencesNameTheirMapping() throws {
    let (one, other) = (Self.mapping(id: 3, value: 1), Self.mapping(id: 0, value: 2))
    var memory = MappingMemory(nil)
    for mapping in [Self.mapping(id: 3, value: 9), one, other] {
      _ = memory.completed(try Self.rpu(.coded(mapping)))
    }
    for (id, mapping) in [(UInt32(3), one), (0, other), (3, one)] {
      let completed = memory.completed(try Self.rpu(.previous(id: id)))
      #expect(completed.unit?.dataMapping == mapping)
      #expect(DolbyVisionRPU(payload: completed.payload).unit?.dataMapping == mapping)
    }
  }

  /// Until an RPU is read, a reference gets the mapping of the RPU that represents the track. A
  /// reference stays as it is if its mapping is missing, or was coded with another number of
  /// fraction bits.
  @Test func mappingsThatAreMissing() throws {
    let first = Self.mapping(id: 3, value: 1)
    var memory = MappingMemory(try Self.rpu(.coded(first)))
    #expect(memory.completed(try Self.rpu(.previous(id: 3))).unit?.dataMapping == first)
    for rpu in try [Self.rpu(.previous(id: 4)), Self.rpu(.previous(id: 3), denominator: 20)] {
      #expect(memory.completed(rpu).payload == rpu.payload)
    }
  }
}
