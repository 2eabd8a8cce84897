// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import NALUnits

/// Retagged sequence parameter sets describe the video signal differently, and nothing else in them
/// changes.
@Suite struct RetaggingTests {
  private static let names = ParameterSetTests.expected.map(\.name)
  private static let wanted = [
    SignalDescription(color: .hlg, videoFullRangeFlag: false, chromaLocation: .left),
    SignalDescription(color: .bt709, videoFullRangeFlag: true),
    SignalDescription(color: .p3D65, chromaLocation: ChromaLocation(rawValue: 5)),
    SignalDescription(videoFullRangeFlag: true), SignalDescription(chromaLocation: .topLeft),
    SignalDescription(),
    // These code points are 24 zero bits in a row.
    SignalDescription(
      color: ColorDescription(
        ColorPrimaries(rawValue: 0), TransferCharacteristics(rawValue: 0),
        MatrixCoefficients(rawValue: 0)), videoFullRangeFlag: false),
  ]

  private static func bits(_ bytes: [UInt8]) -> [Bool] {
    bytes.flatMap { byte in (0..<8).map { byte & 0x80 >> UInt8($0) != 0 } }
  }

  /// Returns the bits before `rbsp_trailing_bits`.
  private static func content(_ payload: [UInt8]) -> [Bool] {
    let bits = bits(payload)
    return Array(bits.prefix(bits.lastIndex(of: true) ?? 0))
  }

  @Test(arguments: names) func theSignalAloneIsChanged(name: String) throws {
    let unit = try Units.unit(name)
    let old = try Units.parameterSet(Units.payload(unit, name), name)
    for signal in Self.wanted where signal != old.signal {
      let new = try Units.retagging(unit, name) { $0 = signal }
      #expect(!Units.hasStartCode(new.bytes), "\(signal)")
      #expect(new.bytes.prefix(Units.headerSize(name)) == unit.bytes.prefix(Units.headerSize(name)))
      let payload = Units.payload(new, name)
      var set = try Units.parameterSet(payload, name)
      // A color cannot be stated without a bit for the range.
      var expected = signal
      if !signal.color.isUnspecified, signal.videoFullRangeFlag == nil {
        expected.videoFullRangeFlag = false
      }
      #expect(set.signal == expected)
      #expect(set.vui?.aspectRatioIdc == old.vui?.aspectRatioIdc)
      // All bits before and after the description of the signal stay.
      let (before, after) = (Self.content(Units.payload(unit, name)), Self.content(payload))
      #expect(before.prefix(old.vuiFlagPosition) == after.prefix(old.vuiFlagPosition))
      let last = try #require(set.vui?.signalPosition.upperBound, "\(signal)")
      if let first = old.vui?.signalPosition.upperBound {
        #expect(before.dropFirst(first).elementsEqual(after.dropFirst(last)))
      } else {
        // The new VUI states nothing else, so the flags that follow are off: five in H.264, six in
        // H.265.
        let flags = [Bool](repeating: false, count: name.hasPrefix("avc") ? 5 : 6)
        let rest = flags + before.dropFirst(old.vuiFlagPosition + 1)
        #expect(rest.elementsEqual(after.dropFirst(last)))
      }
      set.vui = old.vui
      #expect(set == old)
    }
  }

  @Test(arguments: names) func nothingChangedIsTheSameUnit(name: String) throws {
    let unit = try Units.unit(name)
    #expect(try Units.retagging(unit, name) { _ in } == unit)
  }

  /// Undoing a change gives the same bytes, if the set had a VUI before.
  @Test(arguments: names.filter { !$0.hasSuffix("no-vui") }) func changesCanBeUndone(
    name: String
  ) throws {
    let unit = try Units.unit(name)
    let old = try Units.parameterSet(Units.payload(unit, name), name).signal
    for signal in Self.wanted {
      let new = try Units.retagging(unit, name) { $0 = signal }
      #expect(try Units.retagging(new, name) { $0 = old } == unit, "\(signal)")
    }
  }

  @Test func zerosArePrevented() throws {
    let zeros = try #require(Self.wanted.last)
    let new = try Units.retagging(try Units.unit("hevc-sps-no-vui"), "hevc") { $0 = zeros }
    let old = try Units.unit("hevc-sps-no-vui")
    func escapes(_ unit: NALUnit) -> Int {
      unit.bytes.count - 2 - Units.payload(unit, "hevc").count
    }
    #expect(escapes(new) > escapes(old))
  }

  @Test func damagedSetsAreErrors() {
    #expect(throws: (any Error).self) {
      try Units.retagging(try Units.unit("hevc-idr"), "hevc") { $0.color = .hlg }
    }
  }
}
