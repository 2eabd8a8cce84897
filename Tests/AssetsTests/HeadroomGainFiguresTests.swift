// SPDX-License-Identifier: GPL-2.0-or-later
import ColorScience
import NALUnits
import Testing

@testable import Assets

/// Gains match the figures of a separate program. It follows the description of the format, and is
/// written in another language.
@Suite struct HeadroomGainFiguresTests {
  private static let colors = [Triple(0.05, 0.7, 1.4), Triple(6, 2, 3.1)]

  /// Payloads, each with the gains of both `colors` at the headrooms 0, 1, 2 and 3.
  private static let figures: [(payload: String, gains: [[Double]])] = [
    // Reference-white curves for a headroom of 2. The first three payloads have only five bytes.
    (
      "00404e2080",
      [
        [-0.9904652, -0.9904652, -0.9904652, -2.5849625, -2.5849625, -2.5849625],
        [-0.242044, -0.242044, -0.242044, -1.5849625, -1.5849625, -1.5849625],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
      ]
    ),
    // Reference-white curves for a headroom of log2(1000/203).
    (
      "004059dc80",
      [
        [-1.1456612, -1.1456612, -1.1456612, -2.5849625, -2.5849625, -2.5849625],
        [-0.3806839, -0.3806839, -0.3806839, -1.5849625, -1.5849625, -1.5849625],
        [-0.021447, -0.021447, -0.021447, -0.3969477, -0.3969477, -0.3969477],
        [0, 0, 0, 0, 0, 0],
      ]
    ),
    // Reference-white curves for a headroom of 4.3.
    (
      "0040a7f880",
      [
        [-1.2667418, -1.2667418, -1.2667418, -2.9302946, -2.9302946, -2.9302946],
        [-0.4978022, -0.4978022, -0.4978022, -2.0115863, -2.0115863, -2.0115863],
        [-0.1424372, -0.1424372, -0.1424372, -1.2997264, -1.2997264, -1.2997264],
        [-0.080508, -0.080508, -0.080508, -0.734628, -0.734628, -0.734628],
      ]
    ),
    // P3. The curve maps each component separately, and slopes are derived from the points.
    (
      "00404e20140000402400c801f403e807d00fa0000003e813882ee04e20",
      [
        [0, -0.2374508, -0.8043224, -2.5849625, -1.2, -1.7222937],
        [0, -0.1187254, -0.4021612, -1.2924813, -0.6, -0.8611469],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
      ]
    ),
    // Weights of components, slopes, and a reference white of 100 cd/m² are stated.
    (
      "00c001f47530280000f93a987530138861a818000003e80fa01f4000000fa03e80753046502e"
        + "1f35483b593a98c69c4027101001f407d01f40000013883a98465039444414",
      [
        [-0.0831972, -0.1812614, -0.3106718, -1.682634, -1.2021974, -1.324768],
        [-0.1240453, -0.1567334, -0.1998702, -1.3736873, -1.2135417, -1.2543986],
        [-0.0963129, -0.0963129, -0.0963129, -0.8128093, -0.8128093, -0.8128093],
        [0, 0, 0, 0, 0, 0],
      ]
    ),
    // BT.709. The alternates are brighter than the frame, and their mix is `blend`.
    (
      "004000002027108014006401f403e8000007d0271061a88014006401f403e800000fa061a8",
      [
        [0, 0, 0, 0, 0, 0],
        [0.9182059, 0.9182059, 0.9182059, -1.2779847, -1.2779847, -1.2779847],
        [1.9182059, 1.9182059, 1.9182059, -0.2779847, -0.2779847, -0.2779847],
        [2.4182059, 2.4182059, 2.4182059, 0.2220153, 0.2220153, 0.2220153],
      ]
    ),
    // Primaries are stated, and four alternates share the x of their points.
    (
      "00409c404f84d03e8033c286c41d4c0bb83d13404200000024012c03e80bb823283e80000007"
        + "d02ee07d009c402710000005dc23285dc075304e20000003e817703e804e207530000001f40b"
        + "b81f402710",
      [
        [-0.3667043, -0.3667043, -0.3667043, -2.3810631, -2.3810631, -2.3810631],
        [-0.2750283, -0.2750283, -0.2750283, -1.7857973, -1.7857973, -1.7857973],
        [-0.1833522, -0.1833522, -0.1833522, -1.1905315, -1.1905315, -1.1905315],
        [-0.0916761, -0.0916761, -0.0916761, -0.5952658, -0.5952658, -0.5952658],
      ]
    ),
  ]

  @Test(arguments: figures) func gainsAreThoseOfAnotherProgram(
    payload: String, gains: [[Double]]
  ) throws {
    let body = stride(from: 0, to: payload.count, by: 2).compactMap { start in
      UInt8(payload.dropFirst(start).prefix(2), radix: 16)
    }
    let value = HeadroomAdaptiveGain(payload: HeadroomAdaptiveGainMetadata.prefix + body)
    let map = try #require(value.toneMap)
    for (headroom, expected) in gains.enumerated() {
      let found = Self.colors.flatMap { color -> [Double] in
        let gains = map.gains(of: color, headroom: Double(headroom))
        return [gains.x, gains.y, gains.z]
      }
      // The figures have seven places.
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-7 }, "\(headroom): \(found)")
    }
  }

  /// The reference white is 203 cd/m², unless the payload states another one.
  @Test func whiteIsTheStatedOne() {
    func white(_ body: [UInt8]) -> Double? {
      HeadroomAdaptiveGain(payload: HeadroomAdaptiveGainMetadata.prefix + body).toneMap?
        .referenceWhite
    }
    #expect(white([0x00, 0x40, 0x4E, 0x20, 0x80]) == 203)
    #expect(white([0x00, 0xC0, 0x01, 0xF4, 0x4E, 0x20, 0x80]) == 100)
    // If there are no curves, or wrong ones, there is no tone map.
    #expect(white([0x00, 0x80, 0x01, 0xF4]) == nil)
    #expect(white([0x00, 0x40, 0xFF, 0xFF, 0x80]) == nil)
  }
}
