// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import Testing

@testable import ColorConversion

/// Between gamuts that nearly agree, colors are only clipped. From wider gamuts, they are
/// compressed.
@Suite struct NearbyGamutTests {
  private func map(_ from: ColorPrimaries, _ to: ColorPrimaries) throws -> GamutMap? {
    let format = PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)
    func description(_ primaries: ColorPrimaries) -> FrameDescription {
      FrameDescription(
        signal: SignalDescription(color: ColorDescription(primaries, .bt709, .bt709)),
        format: format)
    }
    let plan = try ConversionPlan(from: description(from), to: description(to))
    return plan.steps.lazy.compactMap { step -> GamutMap? in
      if case .mapGamut(let map, _) = step { map } else { nil }
    }.first
  }

  /// Between the gamuts of BT.601 and BT.709, each component is clipped separately, so colors that
  /// can be shown stay as they are.
  @Test func colorsThatCanBeShownStay() throws {
    let near: [ColorPrimaries] = [.bt709, .bt470BG, .smpte170M, .jedecP22]
    for from in near {
      for to in near where from != to {
        let matrix = try #require(RGBSpace(from)).matrix(to: try #require(RGBSpace(to)))
        guard let map = try map(from, to) else {
          let isInside = matrix.rows.allSatisfy { $0.min() >= 0 }
          #expect(isInside)
          continue
        }
        for bar in 0..<8 {
          let color = matrix * Triple(Double(bar >> 2 & 1), Double(bar >> 1 & 1), Double(bar & 1))
          #expect(map.map(color) == ClippedGamut().map(color), "\(from) \(to) \(bar)")
        }
      }
    }
  }

  @Test func widerGamutsAreCompressed() throws {
    let pairs: [(ColorPrimaries, ColorPrimaries)] = [
      (.p3D65, .bt709), (.bt2020, .bt709), (.bt2020, .p3D65),
    ]
    for (from, to) in pairs {
      #expect(try map(from, to)?.method is GamutCompression, "\(from) \(to)")
    }
  }
}
