// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

@Suite struct WhiteAdaptationTests {
  private func expect(_ matrix: Matrix3x3, _ rows: [Triple], within tolerance: Double) {
    for row in 0..<3 {
      for column in 0..<3 {
        #expect(abs(matrix.rows[row][column] - rows[row][column]) < tolerance)
      }
    }
  }

  /// Bradford's method adapts colors to D65 from the white point of DCI projectors, from C and from
  /// E. Values are from colour-science 0.4.7, `matrix_chromatic_adaptation_VonKries`.
  @Test(arguments: [
    (
      Chromaticity.dci,
      [
        Triple(1.0244967278, 0.0151635410, 0.0196885223),
        Triple(0.0256121933, 0.9725863056, 0.0047163523),
        Triple(0.0063842307, -0.0122680827, 1.1479424452),
      ]
    ),
    (
      Chromaticity.c,
      [
        Triple(0.9903741096, -0.0072307315, -0.0117299195),
        Triple(-0.0124804588, 1.0157440814, -0.0029577206),
        Triple(-0.0035977030, 0.0068342021, 0.9173741425),
      ]
    ),
    (
      Chromaticity.e,
      [
        Triple(0.9531473694, -0.0266108795, 0.0239194371),
        Triple(-0.0382726600, 1.0288509474, 0.0094217126),
        Triple(0.0026153950, -0.0030473569, 1.0894897127),
      ]
    ),
  ])
  func bradford(white: Chromaticity, rows: [Triple]) {
    expect(RGBSpace.bradford(from: white, to: .d65), rows, within: 1e-9)
  }

  /// Linear R, G, B are converted to BT.709. Values are from colour-science 0.4.7,
  /// `matrix_RGB_to_RGB`, with Bradford and with matrices derived from the chromaticities.
  @Test(
    arguments: [
      (
        .p3DCI,
        [
          Triple(1.1575164062, -0.1549623781, -0.0025540281),
          Triple(-0.0415000715, 1.0455679231, -0.0040678515),
          Triple(-0.0180500390, -0.0785782727, 1.0966283116),
        ]
      ),
      (
        .bt470M,
        [
          Triple(1.4861568462, -0.4035549059, -0.0826019403),
          Triple(-0.0251011087, 0.9540246857, 0.0710764230),
          Triple(-0.0272240019, -0.0440952333, 1.0713192352),
        ]
      ),
      (
        .xyz,
        [
          Triple(3.1466576541, -1.6664637545, -0.4801938996),
          Triple(-0.9955216058, 1.9557567338, 0.0397648720),
          Triple(0.0635948029, -0.2145632222, 1.1509684193),
        ]
      ),
    ] as [(ColorPrimaries, [Triple])])
  func toBT709(primaries: ColorPrimaries, rows: [Triple]) throws {
    let matrix = try #require(RGBSpace(primaries)).matrix(to: try #require(RGBSpace(.bt709)))
    expect(matrix, rows, within: 1e-9)
  }

  /// SMPTE RP 177, annex B, prints the matrix from BT.709's R, G, B to X, Y, Z with four digits.
  @Test func rp177() throws {
    let rows = [
      Triple(0.4124, 0.3576, 0.1805), Triple(0.2126, 0.7152, 0.0722),
      Triple(0.0193, 0.1192, 0.9505),
    ]
    expect(try #require(RGBSpace(.bt709)).toXYZ, rows, within: 6e-5)
  }

  /// BT.2407, equation 1, prints the matrix from BT.2020 to BT.709 with four digits.
  @Test func bt2407() throws {
    let rows = [
      Triple(1.6605, -0.5876, -0.0728), Triple(-0.1246, 1.1329, -0.0083),
      Triple(-0.0182, -0.1006, 1.1187),
    ]
    let matrix = try #require(RGBSpace(.bt2020)).matrix(to: try #require(RGBSpace(.bt709)))
    expect(matrix, rows, within: 6e-5)
  }
}
