// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

@Suite struct RPUPropertyTests {
  /// Units with all kinds of content and extreme values are read back equal after they were
  /// written, both as payloads and as NAL units.
  @Test(arguments: Array(0..<8).shortened(to: 3)) func writtenUnitsAreReadBack(seed: Int) throws {
    var units = RandomUnits(seed: UInt64(seed))
    for _ in 0..<150 {
      let unit = units.next()
      let payload = try unit.payload()
      #expect(try ReferenceProcessingUnit(payload: payload) == unit)
      let nalUnit = try unit.hevcNALUnit()
      #expect(try ReferenceProcessingUnit(hevcNALUnit: nalUnit) == unit)
      let content = nalUnit.dropLast(unit.trailingZeroCount)
      #expect(!Self.hasStartCode(content))
      // Computing with odd values does not trap.
      _ = (unit.issues, unit.profile, unit.enhancementLayer, unit.dataMapping?.curves.map(\.pivots))
    }
  }

  private static func hasStartCode(_ bytes: ArraySlice<UInt8>) -> Bool {
    var zeros = 0
    for byte in bytes {
      if zeros >= 2 && byte < 3 { return true }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return false
  }

  /// Values that do not fit are not cut off. Instead, they are refused and named.
  @Test func valuesThatDoNotFitAreRefused() throws {
    let level1 = Level1(minPQ: 0, maxPQ: 3000, avgPQ: 1300)
    let valid = ReferenceProcessingUnit.profile84(level1: level1, isSceneRefresh: true)

    func refusal(
      _ change: (inout ReferenceProcessingUnit, inout DisplayManagementData, inout DataMapping)
        -> Void
    ) throws -> DolbyVisionError? {
      var unit = valid
      var data = try #require(unit.displayManagement)
      var mapping = try #require(unit.dataMapping)
      change(&unit, &data, &mapping)
      unit.displayManagement = data
      unit.mapping = .coded(mapping)
      do throws(DolbyVisionError) { _ = try unit.payload() } catch { return error }
      return nil
    }

    #expect(try refusal { _, _, _ in } == nil)
    let large = try refusal { _, data, _ in data.level1?.maxPQ = 4096 }
    guard case .outOfRange("max_PQ", _, 4096, 0...4095)? = large else {
      Issue.record("\(String(describing: large))")
      return
    }
    for error in [
      try refusal { _, data, _ in data.cmv29.blocks.append(.level3(Level3())) },
      try refusal { _, data, _ in data.color = nil },
      try refusal { _, data, _ in data.cmv40 = ExtensionBlockGroup() },
      try refusal { _, _, mapping in mapping.curves[0].pieces.removeLast() },
      try refusal { _, _, mapping in mapping.curves.removeLast() },
      try refusal { unit, _, _ in unit.header.disableResidualFlag = false },
      try refusal { unit, data, _ in
        data.cmv40 = nil
        unit.dataBeforeChecksum = [1, 2, 3]
      },
    ] {
      guard case .inconsistent? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
