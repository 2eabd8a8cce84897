// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

@Suite struct RPUIdentityTests {
  @Test(.needsSharedMedia, arguments: RPUFiles.names) func readThenWrittenFilesAreTheSame(
    name: String
  ) throws {
    let units = try RPUFiles.nalUnits(name)
    #expect(!units.isEmpty)
    try expectIdentity(units)
  }

  @Test(.needsSharedMedia, arguments: RPUFiles.clips) func readThenWrittenClipsAreTheSame(
    name: String
  ) throws {
    let units = try RPUFiles.nalUnits(inClip: name)
    #expect(units.count >= 5)
    try expectIdentity(units)
  }

  /// Expects that units are written as they were read, both as NAL units and as payloads alone.
  private func expectIdentity(_ units: [[UInt8]]) throws {
    for bytes in units {
      let unit = try ReferenceProcessingUnit(hevcNALUnit: bytes)
      let isSame = try unit.hevcNALUnit() == bytes
      #expect(isSame)
      let again = try ReferenceProcessingUnit(payload: try unit.payload())
      #expect(again == unit)
    }
  }
}
