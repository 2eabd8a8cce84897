// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Testing

@testable import ColorScience

/// What every system of HDR promises, and what the two of BT.2100 are.
@Suite struct LightSystemTests {
  /// The code points that say HDR are those of the list, and no other.
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

  /// BT.2408: 203 cd/m², and on a display of 400 what 75 % of HLG shows there.
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
