import CodePoints
import TestSupport
import Testing

@testable import ColorScience

@Suite struct GamutMappingTests {
  private typealias Mapping = (name: String, map: (Triple) -> Triple)

  private static func mappings() throws -> [Mapping] {
    let target = try #require(RGBSpace(.bt709))
    let source = try #require(RGBSpace(.bt2020))
    return [
      ("clip", GamutMap.clip.map), ("desaturate", DesaturateGamut(space: target).map),
      ("hue linear", HueLinearGamut(space: target).map),
      ("BT.2407", BT2407Gamut(from: source, to: target).map),
    ]
  }

  /// Linear BT.709 light of a color of BT.2020, up to twice white.
  private static func colors(_ count: Int, seed: UInt64) throws -> [Triple] {
    let matrix = try #require(RGBSpace(.bt2020)).matrix(to: try #require(RGBSpace(.bt709)))
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let scale = Double.random(in: 0...2, using: &random)
      return matrix
        * (Triple(
          .random(in: 0...1, using: &random), .random(in: 0...1, using: &random),
          .random(in: 0...1, using: &random)) * scale)
    }
  }

  @Test func everythingLandsInsideAndNothingIsNaN() throws {
    let strange = [
      Triple(.nan, 0.2, 0.3), Triple(.infinity, 0, 0), Triple(-.infinity, .infinity, .nan),
      Triple(-5, -5, -5), Triple(1e300, -1e300, 0.5), .zero, .one,
    ]
    let colors = try Self.colors(5000, seed: 3) + strange
    for (name, map) in try Self.mappings() {
      let inside = colors.allSatisfy {
        let result = map($0)
        return result.min() >= -1e-12 && result.max() <= 1 + 1e-12
      }
      #expect(inside, "\(name)")
    }
  }

  @Test func neutralsAndColorsWellInsideStay() throws {
    let matrix = try #require(RGBSpace(.bt709)).matrix(to: try #require(RGBSpace(.bt709)))
    #expect(matrix * .one == .one || abs((matrix * .one).max() - 1) < 1e-9)
    for (name, map) in try Self.mappings() {
      for gray in [0, 0.001, 0.18, 0.5, 0.9, 1] {
        let result = map(Triple(repeating: gray))
        let worst = (0..<3).map { abs(result[$0] - gray) }.max() ?? 1
        #expect(worst < 1e-9, "\(name) \(gray)")
      }
      for color in [
        Triple(0.7, 0.4, 0.3), Triple(0.2, 0.3, 0.5), Triple(0.3, 0.5, 0.2), Triple(0.6, 0.6, 0.5),
      ] {
        #expect(map(color) == color, "\(name)")
      }
    }
  }

  /// Small steps of the input are small steps of the signal that comes out (gamma 2.4).
  @Test func mappingsAreContinuous() throws {
    func signal(_ color: Triple) -> Triple {
      Triple(
        signedPower(color.x, 1 / 2.4), signedPower(color.y, 1 / 2.4),
        signedPower(color.z, 1 / 2.4))
    }
    let ends = try Self.colors(60, seed: 9)
    for (name, map) in try Self.mappings() {
      var worst = 0.0
      for (from, to) in zip(ends, ends.dropFirst()) {
        var before = map(from)
        for step in 1...2000 {
          let color = map(from + (to - from) * (Double(step) / 2000))
          let change = signal(color) - signal(before)
          // Steps near black are steep in the signal by the signal's own nature.
          if before.min() > 0.002 { worst = max(worst, change.max(), -change.min()) }
          before = color
        }
      }
      #expect(worst < 0.03, "\(name): \(worst)")
    }
  }

  /// BT.2020's colors at constant lightness and hue of Oklab inside BT.709 with a knee of 0.95: the
  /// first place on the way where a component is more than 0.0005 outside, by bisection in Python, with colour-science's matrices.
  @Test(arguments: [
    (Triple(1, 0, 0), Triple(0.9984154524, 0.100413725, 0.099861427)),
    (Triple(0, 1, 0), Triple(0.0005584355, 0.84870962, 0.2101922594)),
    (Triple(0, 0, 1), Triple(0.0, 0.0840910308, 0.2314414183)),
    (Triple(0, 1, 1), Triple(0.0006971822, 0.8813418176, 0.8069261183)),
    (Triple(1, 0, 1), Triple(0.9988959767, 0.1394107988, 0.7422351123)),
    (Triple(1, 1, 0), Triple(1.0, 0.9919589152, 0.1974665948)),
    (Triple(0, 0.25, 1), Triple(0.0, 0.2662785096, 0.5041513604)),
    (Triple(1, 0.4, 0), Triple(0.9993021751, 0.4569520889, 0.1729146834)),
  ])
  func hueLinear(color: Triple, expected: Triple) throws {
    let target = try #require(RGBSpace(.bt709))
    let matrix = try #require(RGBSpace(.bt2020)).matrix(to: target)
    let result = HueLinearGamut(space: target).map(matrix * color)
    for index in 0..<3 { #expect(abs(result[index] - expected[index]) < 1e-5) }
  }

  /// BT.2407, annex 2: the hue of CIELAB stays, what is outside lands on the boundary.
  @Test func bt2407KeepsHue() throws {
    let target = try #require(RGBSpace(.bt709))
    let mapping = BT2407Gamut(from: try #require(RGBSpace(.bt2020)), to: target)
    func hue(_ color: Triple) -> (angle: Double, chroma: Double) {
      // CIE 15: L*a*b* for tristimulus values above (6/29)³ of white's.
      let xyz = target.toXYZ * color / target.white.xyz
      func f(_ x: Double) -> Double {
        x > 0.008856 ? signedPower(x, 1.0 / 3) : 7.787037 * x + 16.0 / 116
      }
      let (a, b) = (500 * (f(xyz.x) - f(xyz.y)), 200 * (f(xyz.y) - f(xyz.z)))
      return (hueAngle(a, b), (a * a + b * b).squareRoot())
    }
    for color in try Self.colors(3000, seed: 21) where color.min() < 0 || color.max() > 1 {
      let result = mapping.map(color)
      #expect(min(result.min(), 1 - result.max()) < 1e-6)
      guard hue(result).chroma > 1 else { continue }
      let difference = abs(hue(result).angle - hue(color).angle)
      #expect(min(difference, 360 - difference) < 0.01)
    }
  }

  /// A desaturated color has the luminance it had.
  @Test func desaturateKeepsLuminance() throws {
    let target = try #require(RGBSpace(.bt709))
    let weights = Triple(0.2126, 0.7152, 0.0722)
    let mapping = DesaturateGamut(space: target)
    for color in try Self.colors(3000, seed: 5) {
      let luminance = (color * weights).sum()
      guard luminance > 0, luminance < 1 else { continue }
      #expect(abs((mapping.map(color) * weights).sum() - luminance) < 5e-4)
    }
  }
}
