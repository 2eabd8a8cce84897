// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

/// A damaged unit never crashes the program. It either gives values, or an error that says what is
/// wrong and where.
@Suite struct RPUDamageTests {
  private static func payload(_ name: String) throws -> [UInt8] {
    name.hasPrefix("rpu-")
      ? Array(try Fixture(name).fields.dropFirst(2)) : try RPUFiles.unit(name).payload()
  }

  /// One RPU of each kind.
  private static let kinds = Fixture.names("rpu-")
  /// One RPU of each kind and, if real files are present, some odd RPUs from them.
  private static let names =
    kinds
    + (SharedMedia.isPresent
      ? ["profile20_apple", "unordered_l8_blocks", "empty_dmv1_blocks"] : [])

  @Test(arguments: kinds) func everyTruncationIsAnError(name: String) throws {
    let bytes = try Self.payload(name)
    for count in 0..<bytes.count {
      #expect(throws: DolbyVisionError.self) {
        try ReferenceProcessingUnit(payload: Array(bytes.prefix(count)))
      }
    }
  }

  @Test(arguments: kinds) func everyFlippedBitIsAnError(name: String) throws {
    let bytes = try Self.payload(name)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      #expect(throws: DolbyVisionError.self) { try ReferenceProcessingUnit(payload: damaged) }
    }
  }

  /// The checksum fits the damaged data, so the reader does not refuse it at once. Whatever the
  /// reader accepts as a unit is written back unchanged.
  @Test(arguments: names.shortened(to: 3)) func damageWithinIsAnErrorOrKept(name: String) throws {
    let body = Array(try Self.payload(name).dropLast(5))
    var random = SeededGenerator(seed: 84)
    var (values, errors) = (0, 0)
    for round in 0..<1500 {
      var damaged = body
      for _ in 0..<(round % 3 + 1) {
        let place = Int.random(in: 1..<damaged.count, using: &random)
        damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if round % 5 == 0 {
        damaged.removeLast(Int.random(in: 1..<damaged.count / 2, using: &random))
      }
      let bytes = Self.finished(damaged)
      guard let unit = try? ReferenceProcessingUnit(payload: bytes) else {
        errors += 1
        continue
      }
      values += 1
      let isSame = try unit.payload() == bytes
      #expect(isSame)
      _ = (unit.issues, unit.profile, unit.enhancementLayer)
    }
    #expect(values > 0 && errors > 0)
  }

  @Test func noiseIsAnErrorOrKept() throws {
    var random = SeededGenerator(seed: 4)
    var (values, errors) = (0, 0)
    for _ in 0..<3000 {
      // A valid header, followed by random bytes.
      var body: [UInt8] = [0x19, 0x08, 0x09, 0x08, 0x40, 0x61, 0x36, 0x50]
      for _ in 0..<Int.random(in: 0..<400, using: &random) {
        body.append(UInt8.random(in: 0...255, using: &random))
      }
      let bytes = Self.finished(body)
      guard let unit = try? ReferenceProcessingUnit(payload: bytes) else {
        errors += 1
        continue
      }
      values += 1
      let isSame = try unit.payload() == bytes
      #expect(isSame)
    }
    #expect(values > 0 && errors > 0, "\(values) values, \(errors) errors")
  }

  /// RPUs that state billions of blocks, bytes or pivots are refused. The longest Exp-Golomb code
  /// is written at every place in turn. If a count is read there, the error names it. Otherwise the
  /// RPU is refused for another reason or written back unchanged.
  @Test(arguments: ["rpu-84", "rpu-7-fel"])
  func hugeCountsAreErrors(name: String) throws {
    let body = Array(try Self.payload(name).dropLast(5))
    var refused: Set<String> = []
    var slowest = 0.0
    for bit in 8..<body.count * 8 - 65 {
      var bytes = body
      for offset in 0..<65 {
        let (place, mask) = ((bit + offset) / 8, UInt8(0x80) >> UInt8((bit + offset) % 8))
        bytes[place] = offset < 32 ? bytes[place] & ~mask : bytes[place] | mask
      }
      let damaged = Self.finished(bytes)
      let time = ThreadTime.seconds {
        do throws(DolbyVisionError) {
          let isSame = try ReferenceProcessingUnit(payload: damaged).payload() == damaged
          #expect(isSame, "bit \(bit)")
        } catch {
          guard case .outOfRange(let element, _, _, _) = error else { return }
          refused.insert(element)
        }
      }
      slowest = max(slowest, time)
    }
    #expect(slowest < 5, "one RPU took \(slowest) s of CPU time")
    #expect(
      refused.isSuperset(of: [
        "num_pivots_minus2", "poly_order_minus1", "num_ext_blocks", "ext_block_length",
      ]), "\(refused)")
  }

  @Test func errorsSayWhatAndWhere() throws {
    func message(_ bytes: [UInt8]) -> String {
      do throws(DolbyVisionError) {
        _ = try ReferenceProcessingUnit(payload: bytes)
        return ""
      } catch { return "\(error)" }
    }
    #expect(message([]) == "it is not a Dolby Vision RPU: it begins with nothing instead of 19")
    #expect(
      message([0x19, 0x80]) == "the RPU has 2 bytes but needs at least 7")
    #expect(
      message([0x19, 1, 2, 3, 4, 5, 6]) == "the RPU ends with 06 instead of 80")
    #expect(
      message([0x19, 1, 0, 0, 0, 7, 0x80])
        == "the RPU's CRC-32 is 00 00 00 07, but its data gives 4a c9 a2 03")
    // This is an RPU of rpu_type 3.
    #expect(
      message(Self.finished([0x19, 0x0C, 0, 0]))
        == "rpu_type at bit 8 of the RPU is 3, which is not supported")
    #expect(
      message(Self.finished([0x19, 0x08, 0x09]))
        == "the RPU cannot be read at rpu_format: the data ends early: 11 bits are needed "
        + "at bit 14, but 10 are left")
    do throws(DolbyVisionError) {
      _ = try ReferenceProcessingUnit(hevcNALUnit: [0x4E, 0x01, 0x19])
      Issue.record("no error")
    } catch {
      #expect("\(error)" == "it is not a Dolby Vision RPU: it begins with 4e 01 instead of 7c 01")
    }
  }

  private static func finished(_ body: [UInt8]) -> [UInt8] {
    let sum = ReferenceProcessingUnit.checksum(of: body.dropFirst())
    return body + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) } + [0x80]
  }
}
