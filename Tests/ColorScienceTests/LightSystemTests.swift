// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

/// In every HDR system, display light is converted back to the scene light that it came from.
/// BT.2100's two systems have the standard's values.
@Suite struct LightSystemTests {
  /// Exactly the code points in the list of HDR systems count as HDR.
  @Test func codePointsSayHDR() {
    let numbered = TransferCharacteristics.names.map {
      TransferCharacteristics(rawValue: $0.rawValue)
    }
    #expect(
      Set(numbered.filter(\.isHDR))
        == Set(LightSystem.all.map(\.code).filter { $0.unnumberedName == nil }))
    #expect(LightSystem.all.allSatisfy { $0.code.isHDR && SDRCurve($0.code) == nil })
    #expect(SDRCurve.all.allSatisfy { $0.codePoints.allSatisfy { !$0.isHDR } })
  }

  @Test(arguments: LightSystem.all) func sceneLightComesBack(system: LightSystem) throws {
    let weights = try #require(RGBSpace(.bt2020)).luminanceWeights
    for peak in [100.0, 400, 1000, 4000] {
      let scene = Triple(0.2, 0.5, 0.05)
      let shown = system.ootf(scene, weights: weights, peak: peak)
      let back = system.inverseOOTF(shown, weights: weights, peak: peak)
      #expect((back - scene).max() < 1e-12 && (back - scene).min() > -1e-12)
      #expect(system.ootf(.one, weights: weights, peak: peak).max() <= peak * (1 + 1e-9))
    }
  }

  /// Diffuse white is 203 cd/m² on a display of 1000 cd/m² (BT.2408). HLG's diffuse white is a
  /// signal of 75 %, which a display of 400 cd/m² shows as 101 cd/m².
  @Test func diffuseWhite() {
    #expect(LightSystem.all.allSatisfy { abs($0.referenceWhite(on: 1000) - 203) < 1e-9 })
    #expect(LightSystem.pq.referenceWhite(on: 400) == 203)
    #expect(abs(LightSystem.hlg.referenceWhite(on: 400) - 101) < 0.5)
  }

  @Test func peaks() {
    #expect(LightSystem.pq.peak(on: 400) == 10_000 && LightSystem.hlg.peak(on: 400) == 400)
    #expect(LightSystem.pq.isAbsolute && !LightSystem.hlg.isAbsolute)
    #expect(LightSystem.hlg.sceneWhite == 0.75 && LightSystem.pq.sceneWhite == nil)
  }
}
