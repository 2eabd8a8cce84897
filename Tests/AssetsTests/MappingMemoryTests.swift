// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import DolbyVision
import Synchronization
import Testing

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
      _ = try memory.completed(try Self.rpu(.coded(mapping)))
    }
    for (id, mapping) in [(UInt32(3), one), (0, other), (3, one)] {
      let completed = try memory.completed(try Self.rpu(.previous(id: id)))
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
    #expect(try memory.completed(Self.rpu(.previous(id: 3))).unit?.dataMapping == first)
    for rpu in try [Self.rpu(.previous(id: 4)), Self.rpu(.previous(id: 3), denominator: 20)] {
      #expect(try memory.completed(rpu).payload == rpu.payload)
    }
  }

  /// In a copy, only references to RPUs before the copy are replaced. These RPUs are read once, and
  /// only if one of them is needed.
  @Test func copiedReferences() throws {
    let (old, own) = (Self.mapping(id: 3, value: 1), Self.mapping(id: 0, value: 2))
    let readCount = Mutex(0)
    let before = try [Self.rpu(.coded(Self.mapping(id: 3, value: 9))), Self.rpu(.coded(old))]
    var memory = MappingMemory(nil) { take in
      readCount.withLock { $0 += 1 }
      for rpu in before { take(rpu) }
    }
    #expect(try memory.completed(Self.rpu(.coded(own)), isCopied: true).unit?.dataMapping == own)
    let near = try Self.rpu(.previous(id: 0))
    #expect(try memory.completed(near, isCopied: true).payload == near.payload)
    #expect(readCount.withLock { $0 } == 0)
    let far = try Self.rpu(.previous(id: 3))
    #expect(try memory.completed(far, isCopied: true).unit?.dataMapping == old)
    #expect(try memory.completed(far, isCopied: true).payload == far.payload)
    let missing = try Self.rpu(.previous(id: 4))
    #expect(try memory.completed(missing, isCopied: true).payload == missing.payload)
    #expect(readCount.withLock { $0 } == 1)
  }

  /// If the copy leaves out an RPU, the next reference to its mapping is written whole. A reference
  /// is left as it is if the copy has an equal mapping.
  @Test func referencesToRPUsThatAreLeftOut() throws {
    let (one, other) = (Self.mapping(id: 0, value: 1), Self.mapping(id: 0, value: 2))
    let reference = try Self.rpu(.previous(id: 0))
    var memory = MappingMemory(nil)
    _ = try memory.completed(Self.rpu(.coded(one)), isCopied: true)
    memory.pass(try Self.rpu(.coded(one)))
    #expect(try memory.completed(reference, isCopied: true).payload == reference.payload)
    memory.pass(try Self.rpu(.coded(other)))
    #expect(try memory.completed(reference, isCopied: true).unit?.dataMapping == other)
    #expect(try memory.completed(reference, isCopied: true).payload == reference.payload)
  }

  /// Damage before the part is ignored, but a user can end the reading.
  @Test func readingBeforeThePartCanBeEnded() throws {
    struct Damage: Error {}
    let reference = try Self.rpu(.previous(id: 0))
    var damaged = MappingMemory(nil) { _ in throw Damage() }
    #expect(try damaged.completed(reference).payload == reference.payload)
    var ended = MappingMemory(nil) { _ in throw CancellationError() }
    #expect(throws: CancellationError.self) { try ended.completed(reference) }
  }
}
