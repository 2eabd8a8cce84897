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

  /// Makes a unit with static blocks: levels 6, 10, 254 and 255.
  private static func whole(_ maxPQ: UInt16, version: UInt8 = 2) -> ReferenceProcessingUnit {
    var unit = ReferenceProcessingUnit.profile84(
      level1: Level1(minPQ: 0, maxPQ: maxPQ, avgPQ: 1300), isSceneRefresh: false)
    unit.displayManagement?.cmv29.blocks.append(.level255(Level255(dmRunMode: 3)))
    unit.displayManagement?.cmv40?.blocks.removeAll { $0.level == 254 }
    unit.displayManagement?.cmv40?.blocks += [
      .other(level: 10, payload: [1]), .other(level: 10, payload: [2]),
      .level254(Level254(dmVersionIndex: version)),
    ]
    return unit
  }

  /// Returns a unit as FFmpeg's `dovi_rpu` filter compresses it.
  private static func compressed(_ unit: ReferenceProcessingUnit) throws -> DolbyVisionRPU {
    var unit = unit
    unit.header.reservedZero3Bits = 1
    unit.displayManagement?.color = nil
    unit.displayManagement?.cmv29.blocks.removeAll { [6, 255].contains($0.level) }
    unit.displayManagement?.cmv40?.blocks.removeAll { [10, 254].contains($0.level) }
    return try DolbyVisionRPU(writing: unit)
  }

  /// A compressed RPU gets the static part and the static blocks of the latest whole RPU, and keeps
  /// its own level 1.
  @Test func compressedRPUsGetStaticBlocks() throws {
    var memory = MappingMemory(nil)
    // Nothing is known yet.
    let early = try Self.compressed(Self.whole(2400))
    #expect(try memory.completed(early).payload == early.payload)
    for version: UInt8 in [2, 3] {
      _ = try memory.completed(DolbyVisionRPU(writing: Self.whole(2500, version: version)))
      for maxPQ: UInt16 in [2501, 2502] {
        let wanted = Self.whole(maxPQ, version: version)
        let found = try memory.completed(Self.compressed(wanted))
        let unit = try #require(DolbyVisionRPU(payload: found.payload).unit)
        #expect(unit.header == wanted.header)
        #expect(unit.displayManagement?.color == wanted.displayManagement?.color)
        let (blocks, all) = (unit.displayManagement?.blocks, wanted.displayManagement?.blocks)
        #expect(blocks?.count == all?.count)
        #expect(Set(blocks ?? []) == Set(all ?? []))
      }
    }
    // A whole RPU without levels 6 and 255 ends those of earlier RPUs.
    var plain = Self.whole(2600)
    plain.displayManagement?.cmv29.blocks.removeAll { [6, 255].contains($0.level) }
    _ = try memory.completed(DolbyVisionRPU(writing: plain))
    let last = try memory.completed(Self.compressed(Self.whole(2601))).unit?.displayManagement
    #expect(last?.cmv29.blocks.map(\.level) == [1, 5])
    #expect(last?.level254 == Level254())
  }

  /// Static blocks are not guessed from the RPU that represents the track.
  @Test func staticBlocksAreNotGuessed() throws {
    var memory = MappingMemory(try DolbyVisionRPU(writing: Self.whole(2500)))
    let unit = try memory.completed(Self.compressed(Self.whole(2501))).unit
    let data = unit?.displayManagement
    #expect(data?.color != nil && data?.level254 != nil && data?.level6 == nil)
    #expect(unit?.issues == [])
  }

  /// In a copy, only the first compressed RPU is written whole.
  @Test func copiedCompressedRPUs() throws {
    let start = try DolbyVisionRPU(writing: Self.whole(2500))
    var memory = MappingMemory(nil) { take in take(start) }
    let first = try memory.completed(Self.compressed(Self.whole(2501)), isCopied: true)
    #expect(first.unit?.displayManagement?.level254 == Level254())
    #expect(first.unit?.displayManagement?.level6 != nil)
    let next = try Self.compressed(Self.whole(2502))
    #expect(try memory.completed(next, isCopied: true).payload == next.payload)
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
