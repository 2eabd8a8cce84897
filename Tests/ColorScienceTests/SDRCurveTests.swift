// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation
import Testing

@testable import ColorScience

/// The list of SDR curves agrees with the code points and with the documentation.
@Suite struct SDRCurveTests {
  /// All code points that specify a curve, except those for HDR.
  private static let codes = TransferCharacteristics.names.map {
    TransferCharacteristics(rawValue: $0.rawValue)
  }.filter { $0.isSpecified && !$0.isHDR }

  /// Each code point that files can state has exactly one curve.
  @Test(arguments: codes) func everyCodePointHasOneCurve(code: TransferCharacteristics) {
    #expect(SDRCurve.all.count { $0.codePoints.contains(code) } == 1)
    #expect(ComponentTransfer(code) != nil)
  }

  /// Readers of the documentation see which code points are converted.
  @Test func theArticleListsEveryCurve() throws {
    let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Transcoding/Transcoding.docc/ColorConversion.md")
    let rows = try String(contentsOf: article, encoding: .utf8)
      .matches(of: /\n\| ([0-9, ]+) \|/).map { $0.1.split(separator: ", ").map(String.init) }
    let curves =
      SDRCurve.all.map { $0.codePoints.map { "\($0.rawValue)" } }
      + LightSystem.all.map { ["\($0.code.rawValue)"] }
    #expect(Set(rows) == Set(curves) && rows.count == curves.count)
  }

  /// QuickTime's `gama` and ICC profiles state a gamma, from which the code point of a curve is
  /// found. So the curves' gammas are either equal or at least 0.02 apart.
  @Test(arguments: SDRCurve.plainGammas.map(\.gamma)) func plainGammasAreFar(gamma: Double) {
    let near = SDRCurve.plainGammas.filter { abs($0.gamma - gamma) < 0.02 }
    #expect(near.allSatisfy { $0.gamma == gamma })
  }
}
