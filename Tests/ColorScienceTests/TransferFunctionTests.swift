// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

@Suite struct TransferFunctionTests {
  /// PQ follows SMPTE ST 2084. The values come from colour-science 0.4.7, `eotf_inverse_ST2084`.
  @Test(arguments: [
    (0.1, 0.06233686566269587), (100, 0.508078421517399), (203, 0.5806888810416109),
    (1000, 0.751827096247041), (4000, 0.9025723933109373), (10_000, 1),
  ])
  func pq(luminance: Double, signal: Double) {
    #expect(abs(PQ.inverseEOTF(luminance) - signal) < 1e-12)
    #expect(abs(PQ.eotf(signal) - luminance) < 1e-8 * luminance)
  }

  /// The two parts of HLG's curve meet at a scene light of 1/12 and a signal of 0.5 (BT.2100, table
  /// 5).
  @Test(arguments: [(0, 0), (1.0 / 48, 0.25), (1.0 / 12, 0.5), (1, 1)] as [(Double, Double)])
  func hlg(scene: Double, signal: Double) {
    #expect(abs(HLG.oetf(scene) - signal) < 1e-7)
    #expect(abs(HLG.inverseOETF(signal) - scene) < 1e-7)
  }

  /// A signal of 75 % HLG shows 203 cd/m² on a display of 1000 cd/m² (BT.2100, table 5, note 5e;
  /// BT.2408, table 1).
  @Test func hlgReferenceWhite() throws {
    #expect(HLG.systemGamma(peakLuminance: 1000) == 1.2)
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    let scene = Triple(repeating: HLG.inverseOETF(0.75))
    let light = HLG.ootf(scene, weights: weights, peakLuminance: 1000)
    #expect(abs(light.x - 203) < 0.3)
  }

  /// A display of 1000 cd/m² shows HLG signals as this light, in cd/m². The values come from
  /// colour-science 0.4.7, `eotf_BT2100_HLG`. The OOTF depends on luminance: applied to each
  /// component by itself, it would give other values.
  @Test(arguments: [
    (Triple(600, 500, 400), Triple(84.298588, 51.503432, 30.587343)),
    (Triple(300, 700, 800), Triple(17.366311, 168.469958, 303.756744)),
    (Triple(850, 300, 200), Triple(401.073675, 16.923768, 5.620188)),
  ])
  func hlgDisplayLight(codes: Triple, light: Triple) throws {
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    func scene(_ code: Double) -> Double { HLG.inverseOETF((code - 64) / 876) }
    let color = Triple(scene(codes.x), scene(codes.y), scene(codes.z))
    let result = HLG.ootf(color, weights: weights, peakLuminance: 1000)
    for index in 0..<3 { #expect(abs(result[index] / light[index] - 1) < 2e-5) }
    let back = HLG.inverseOOTF(result, weights: weights, peakLuminance: 1000)
    for index in 0..<3 { #expect(abs(back[index] - color[index]) < 1e-12) }
  }

  /// The code points of BT.709's family can be read in three ways. A signal of 0.5 becomes light by
  /// gamma 2.4, by QuickTime's gamma 1.961, or by the inverse of BT.709's camera curve,
  /// ((0.5 + 0.099) / 1.099)^(1 / 0.45).
  @Test(
    arguments: [(.bt1886, 0.189464570814), (.quickTime, 0.256850359845), (.scene, 0.259589400506)]
      as [(SDRReading, Double)])
  func readings(reading: SDRReading, light: Double) throws {
    for code in [TransferCharacteristics.bt709, .smpte170M, .bt2020TenBit] {
      let transfer = try #require(ComponentTransfer(code, as: reading))
      #expect(abs(transfer.toLinear(0.5) - light) < 1e-6)
      #expect(abs(transfer.toSignal(transfer.toLinear(0.3)) - 0.3) < 1e-9)
    }
    #expect(ComponentTransfer(.sRGB, as: reading) == .power(.sRGB))
  }

  /// The light follows from the formulas in the standards: BT.1886, IEC 61966-2-1, plain powers,
  /// the logarithm, and ST 428-1, in which a signal of 1 is above white.
  @Test(
    arguments: [
      (.bt709, 0.5, 0.189464570814), (.sRGB, 0.5, 0.214041140482), (.gamma22, 0.5, 0.217637640825),
      (.gamma28, 0.5, 0.143587294030), (.linear, 0.25, 0.25), (.log100, 0.5, 0.1),
      (.smpte428, 1, 52.37 / 48),
    ] as [(TransferCharacteristics, Double, Double)])
  func standardDynamicRange(code: TransferCharacteristics, signal: Double, light: Double) throws {
    let transfer = try #require(ComponentTransfer(code))
    #expect(abs(transfer.toLinear(signal) - light) < 1e-9)
  }

  /// The camera curve of BT.709 (1.2) is used for light of the scene, not for what displays show.
  @Test func cameraCurve() {
    let camera = PowerForm.bt709Camera
    #expect(abs(camera.toSignal(0.18) - 0.409007728864) < 1e-9)
    #expect(abs(camera.toLight(camera.toSignal(0.7)) - 0.7) < 1e-12)
  }

  /// Every named code point has a curve, except 2, "unspecified".
  @Test(arguments: TransferCharacteristics.names.map(\.rawValue).filter { $0 != 2 })
  func everyCurveRisesAndComesBack(number: UInt16) throws {
    let transfer = try #require(ComponentTransfer(TransferCharacteristics(rawValue: number)))
    var before = -Double.infinity
    for step in 0...1000 {
      let signal = Double(step) / 1000
      let light = transfer.toLinear(signal)
      #expect(light >= before)
      before = light
      // Logarithmic curves have no signal for light that is darker than their range.
      if case .formula = transfer, step == 0 { continue }
      // PQ's formula gives black, a light of 0, the signal 7.3e-7.
      #expect(abs(transfer.toSignal(light) - signal) < 1e-6)
    }
  }

  @Test func curvesOfOneFunctionMeanTheSame() {
    let family: [TransferCharacteristics] = [.bt709, .smpte170M, .bt2020TenBit, .bt2020TwelveBit]
    for a in family { for b in family { #expect(a.meansTheSame(as: b)) } }
    #expect(!TransferCharacteristics.bt709.meansTheSame(as: .sRGB))
    #expect(!TransferCharacteristics.hlg.meansTheSame(as: .pq))
    // `gama` stores a gamma of 1.8 as this number in 16.16 fixed point.
    let stored = TransferCharacteristics(unnumberedGamma: 117_965.0 / 65_536)
    #expect(stored.meansTheSame(as: .init(unnumberedGamma: 1.8)))
    #expect(!stored.meansTheSame(as: .init(unnumberedGamma: 1.9)))
    #expect(!stored.meansTheSame(as: .unspecified))
  }
}
