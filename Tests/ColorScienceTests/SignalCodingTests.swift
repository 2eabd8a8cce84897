// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import TestSupport
import Testing

@testable import ColorScience

@Suite struct SignalCodingTests {
  private func coding(
    _ matrix: MatrixCoefficients, _ transfer: TransferCharacteristics,
    _ primaries: ColorPrimaries = .bt2020
  ) throws -> SignalCoding {
    try #require(SignalCoding(ColorDescription(primaries, transfer, matrix)))
  }

  private func expect(_ result: Triple, _ expected: Triple, within tolerance: Double) {
    for index in 0..<3 { #expect(abs(result[index] - expected[index]) < tolerance) }
  }

  /// Constant luminance follows BT.2020, table 4. The values come from colour-science 0.4.7,
  /// `RGB_to_YcCbcCrc` for 10 bits.
  @Test(arguments: [
    (Triple(0.75, 0.5, 0.25), Triple(0.5671035847, -0.1634217608, 0.1840744920)),
    (Triple(0.1, 0.8, 0.4), Triple(0.6682825497, -0.1382614665, -0.3307044633)),
    (Triple(1, 0, 0), Triple(0.5032193769, -0.2593379596, 0.4999804983)),
    (Triple(0, 1, 0), Triple(0.8236798889, -0.4244897387, -0.4793295443)),
    (Triple(0, 0, 1), Triple(0.2092281534, 0.4999821994, -0.1217575381)),
  ])
  func constantLuminance(color: Triple, expected: Triple) throws {
    let result = try coding(.bt2020Constant, .bt2020TenBit).fromRGB(color)
    expect(result, expected, within: 1e-9)
  }

  /// BT.2020, table 4, divides color differences by 1.9404, 1.5816, 1.7184 or 0.9936. For the
  /// primaries of BT.2020, H.273's rule (8.3, N and P) gives the same divisors to within a unit of
  /// the fourth decimal place.
  @Test func derivedConstantLuminance() throws {
    let color = ColorDescription(.bt2020, .bt709, .derivedConstant)
    let coding = try #require(ConstantLuminance(color))
    #expect(abs(coding.blueScale.negative - 1.9404) < 1e-4)
    #expect(abs(coding.blueScale.positive - 1.5816) < 1e-4)
    #expect(abs(coding.redScale.negative - 1.7184) < 1e-4)
    #expect(abs(coding.redScale.positive - 0.9936) < 1e-4)
  }

  /// Cb is 0.5 for blue and −0.5 for yellow; Cr is 0.5 for red and −0.5 for cyan (H.273, 8.3).
  @Test(arguments: [.bt709, .sRGB, .gamma22, .pq, .hlg] as [TransferCharacteristics])
  func constantLuminanceFillsItsRange(transfer: TransferCharacteristics) throws {
    let coding = try coding(.derivedConstant, transfer, .bt709)
    #expect(abs(coding.fromRGB(Triple(0, 0, 1)).y - 0.5) < 1e-4)
    #expect(abs(coding.fromRGB(Triple(1, 1, 0)).y + 0.5) < 1e-4)
    #expect(abs(coding.fromRGB(Triple(1, 0, 0)).z - 0.5) < 1e-4)
    #expect(abs(coding.fromRGB(Triple(0, 1, 1)).z + 0.5) < 1e-4)
  }

  /// ICtCp follows BT.2100, table 7. The values come from colour-science 0.4.7, `RGB_to_ICtCp`
  /// (BT.2100-2).
  @Test(
    arguments: [
      (.pq, Triple(0.75, 0.5, 0.25), Triple(0.6302039352, -0.2025377519, 0.3395965763)),
      (.pq, Triple(0.1, 0.8, 0.4), Triple(0.7472014864, -0.4282957969, -0.1233941430)),
      (.pq, Triple(1, 0, 0), Triple(0.8566946948, -0.1982179455, 0.4574999435)),
      (.hlg, Triple(0.75, 0.5, 0.25), Triple(0.5994690368, -0.1641057256, 0.2060447092)),
      (.hlg, Triple(0.1, 0.8, 0.4), Triple(0.7093098299, -0.3100424534, -0.1294810786)),
      (.hlg, Triple(0, 0, 1), Triple(0.5049375736, 0.2649995896, -0.3389872251)),
    ] as [(TransferCharacteristics, Triple, Triple)])
  func iCtCp(transfer: TransferCharacteristics, color: Triple, expected: Triple) throws {
    expect(try coding(.iCtCp, transfer).fromRGB(color), expected, within: 1e-8)
  }

  /// BT.2100, table 7: the integers in each row of the LMS matrix add up to 4096, and both color
  /// differences of a neutral are 0.
  @Test func iCtCpMatricesAreBalanced() throws {
    for row in ICtCp.rgbToLMS.rows { #expect(row.sum() == 1) }
    for transfer in [TransferCharacteristics.pq, .hlg] {
      let matrix = try #require(ICtCp(transfer)).lmsToICtCp
      #expect(matrix * Triple(1, 1, 1) == Triple(1, 0, 0))
    }
    #expect(ICtCp(.bt709) == nil)
  }

  /// H.273, 8.3, gives these D'Z and D'X of matrix 11 to the white whose X', Y' and Z' are 1.
  @Test func st2085() throws {
    let result = try coding(.smpte2085, .smpte428, .xyz).fromRGB(Triple(1, 1, 1))
    expect(result, Triple(1, -0.006717, 0.004049), within: 1e-12)
  }

  /// With matrix 8 (H.273, 8.3), colors have these 8-bit code values in limited range. All
  /// components are scaled by 219, as luma is.
  @Test(
    arguments: [
      (Triple(0, 1, 0), [126, 238, 128]), (Triple(1, 0, 0), [71, 73, 238]),
      (Triple(1, 1, 1), [235, 128, 128]), (Triple(0, 0, 1), [71, 73, 18]),
    ] as [(Triple, [Double])])
  func yCgCo(color: Triple, codes: [Double]) throws {
    let result = try coding(.yCgCo, .bt709).fromRGB(color)
    for index in 0..<3 {
      let quantization = Quantization(
        component: index, of: .yCgCo, isFullRange: false, bitDepth: 8)
      #expect(abs(quantization.code(result[index]) - codes[index]) <= 0.5)
    }
    let identity = Quantization(component: 2, of: .identity, isFullRange: false, bitDepth: 8)
    #expect(identity.quantized(0) == 16 && identity.quantized(1) == 235)
  }

  /// All matrices except "unspecified" and those that this project does not compute.
  private static let matrices = MatrixCoefficients.names.map {
    MatrixCoefficients(rawValue: $0.rawValue)
  }.filter { ![2, 15, 16, 17].contains($0.rawValue) }

  @Test(arguments: matrices)
  func comesBackAndKeepsNeutrals(matrix: MatrixCoefficients) throws {
    var random = SeededGenerator(seed: 9)
    let transfers: [TransferCharacteristics] =
      matrix == .iCtCp ? [.pq, .hlg] : [.bt709, .sRGB, .pq, .hlg]
    for transfer in transfers {
      let coding = try #require(SignalCoding(ColorDescription(.bt2020, transfer, matrix)))
      var worst = 0.0
      for _ in 0..<500 {
        // The colors avoid the step of the camera curve, where signals do not survive a round trip.
        let color = Triple(
          .random(in: 0.09...1, using: &random), .random(in: 0.09...1, using: &random),
          .random(in: 0.09...1, using: &random))
        let difference = coding.toRGB(coding.fromRGB(color)) - color
        worst = max(worst, difference.max(), -difference.min())
      }
      // PQ needs this bound: a rounding error that is tiny beside bright components changes PQ's
      // signal of a dark component more than other curves' signals.
      #expect(worst < 1e-7)
      let gray = coding.fromRGB(Triple(0.4, 0.4, 0.4))
      guard matrix != .identity, matrix != .smpte2085 else { continue }
      expect(gray, Triple(0.4, 0, 0), within: 1e-9)
    }
  }

  @Test func whatIsNotDefinedIsRefused() {
    let refused: [ColorDescription] = [
      .init(.bt2020, .bt709, .iCtCp), .init(.bt2020, .unspecified, .bt2020Constant),
      .init(.unspecified, .bt709, .derivedConstant), .init(.bt709, .bt709, .unspecified),
      .init(.bt2020, .pq, MatrixCoefficients(rawValue: 15)),
      .init(.bt709, .bt709, MatrixCoefficients(rawValue: 16)),
    ]
    for color in refused { #expect(SignalCoding(color) == nil) }
  }

  @Test func sameMatrixByItsMeaning() {
    func same(_ a: ColorDescription, _ b: ColorDescription) -> Bool {
      #expect(a.hasSameMatrix(as: b) == b.hasSameMatrix(as: a))
      return a.hasSameMatrix(as: b)
    }
    #expect(same(.init(.bt2020, .pq, .iCtCp), .init(.bt2020, .pq, .iCtCp)))
    #expect(!same(.init(.bt2020, .pq, .iCtCp), .init(.bt2020, .hlg, .iCtCp)))
    #expect(
      same(.init(.bt2020, .bt709, .bt2020Constant), .init(.bt2020, .bt2020TenBit, .bt2020Constant)))
    #expect(
      !same(.init(.bt2020, .bt709, .bt2020Constant), .init(.bt2020, .pq, .bt2020Constant)))
    #expect(
      !same(.init(.bt2020, .bt709, .bt2020Constant), .init(.bt2020, .bt709, .bt2020NonConstant)))
    #expect(
      same(
        .init(.smpte170M, .bt709, .derivedConstant), .init(.smpte240M, .bt709, .derivedConstant)))
    #expect(
      !same(.init(.bt709, .bt709, .derivedConstant), .init(.p3D65, .bt709, .derivedConstant)))
    #expect(same(.init(.bt709, .bt709, .bt470BG), .init(.bt709, .bt709, .smpte170M)))
    #expect(same(.init(.bt709, .bt709, .unspecified), .init(.bt709, .bt709, .bt2020Constant)))
    let reversible = MatrixCoefficients(rawValue: 16)
    #expect(same(.init(.bt709, .bt709, reversible), .init(.bt709, .bt709, reversible)))
    #expect(!same(.init(.bt709, .bt709, reversible), .init(.bt709, .bt709, .yCgCo)))
  }
}
