// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

@Suite struct RGBSpaceTests {
  private func matrix(_ from: ColorPrimaries, _ to: ColorPrimaries) throws -> Matrix3x3 {
    try #require(RGBSpace(from)).matrix(to: try #require(RGBSpace(to)))
  }

  /// BT.2087's matrix M2 converts linear BT.709 to linear BT.2020.
  @Test func bt709ToBT2020() throws {
    let expected: [[Double]] = [
      [0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956],
    ]
    let result = try matrix(.bt709, .bt2020)
    for row in 0..<3 {
      for column in 0..<3 { #expect(abs(result.rows[row][column] - expected[row][column]) < 6e-5) }
    }
  }

  /// The values were computed with `matrix_RGB_to_RGB` of colour-science 0.4.7, which rounds its
  /// own matrices.
  @Test func bt2020ToBT709() throws {
    let expected: [[Double]] = [
      [1.66049100, -0.58764114, -0.07284986], [-0.12455047, 1.13289990, -0.00834942],
      [-0.01815076, -0.10057890, 1.11872966],
    ]
    let result = try matrix(.bt2020, .bt709)
    for row in 0..<3 {
      for column in 0..<3 { #expect(abs(result.rows[row][column] - expected[row][column]) < 1e-6) }
    }
  }

  /// The luminance weights are those that BT.709 and BT.2020 publish for Y'.
  @Test(
    arguments: [
      (.bt709, Triple(0.2126, 0.7152, 0.0722)), (.bt2020, Triple(0.2627, 0.6780, 0.0593)),
    ] as [(ColorPrimaries, Triple)])
  func luminanceWeights(primaries: ColorPrimaries, expected: Triple) throws {
    let weights = try #require(RGBSpace(primaries)).luminanceWeights
    for index in 0..<3 { #expect(abs(weights[index] - expected[index]) < 6e-5) }
  }

  @Test func allPairsKeepWhiteAndComeBack() {
    let spaces = ColorPrimaries.names.compactMap {
      RGBSpace(ColorPrimaries(rawValue: $0.rawValue))
    }
    #expect(spaces.count >= 10)
    for a in spaces {
      for b in spaces {
        let there = a.matrix(to: b)
        let white = there * Triple(1, 1, 1)
        let round = b.matrix(to: a) * (there * Triple(0.2, 0.5, 0.8))
        for index in 0..<3 {
          #expect(abs(white[index] - 1) < 1e-9)
          #expect(abs(round[index] - Triple(0.2, 0.5, 0.8)[index]) < 1e-9)
        }
      }
    }
  }

  @Test func primariesMeanTheSameByTheirChromaticities() {
    #expect(ColorPrimaries.smpte170M.meansTheSame(as: .smpte240M))
    #expect(!ColorPrimaries.bt470BG.meansTheSame(as: .smpte170M))
    #expect(!ColorPrimaries.p3D65.meansTheSame(as: .p3DCI))
  }
}
