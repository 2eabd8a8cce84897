// SPDX-License-Identifier: GPL-2.0-or-later
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
      ("clip", ClippedGamut().map), ("desaturate", DesaturateGamut(space: target).map),
      ("compression", GamutCompression(from: source, to: target).map),
      ("soft compression", GamutCompression(from: source, to: target, isSoft: true).map),
      ("BT.2407", BT2407Gamut(from: source, to: target).map),
    ]
  }

  /// Returns random BT.2020 colors as linear light of BT.709, up to twice as bright as white.
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

  /// If the input changes in small steps, the output's signal (gamma 2.4) does, too.
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
          // Near black, the signal itself is so steep that steps there do not count.
          if before.min() > 0.002 { worst = max(worst, change.max(), -change.min()) }
          before = color
        }
      }
      #expect(worst < 0.03, "\(name): \(worst)")
    }
  }

  private static func compression() throws -> (map: GamutCompression, toTarget: Matrix3x3) {
    let source = try #require(RGBSpace(.bt2020))
    let target = try #require(RGBSpace(.bt709))
    return (GamutCompression(from: source, to: target), source.matrix(to: target))
  }

  /// The primaries and secondaries of BT.2020 can still be recognized in BT.709: components that
  /// were full keep more than 65 % of their light, and components that were 0 stay below 12 %.
  @Test(arguments: [
    Triple(1, 0, 0), Triple(0, 1, 0), Triple(0, 0, 1), Triple(0, 1, 1), Triple(1, 0, 1),
    Triple(1, 1, 0),
  ])
  func saturatedColorsKeepTheirNames(color: Triple) throws {
    let (compression, toTarget) = try Self.compression()
    for level in [0.02, 0.2, 1.0] {
      let result = compression.map(toTarget * color * level)
      for index in 0..<3 where color[index] == 1 { #expect(result[index] > 0.65 * level) }
      for index in 0..<3 where color[index] == 0 { #expect(result[index] < 0.12 * level) }
    }
  }

  /// If a color of BT.709 was carried in BT.2020, its components return to within 1.5 % of white's
  /// light, and a ramp stays a ramp.
  @Test(arguments: [Triple(1, 0, 0), Triple(0, 1, 0), Triple(0, 0, 1), Triple(1, 0.2, 0)])
  func colorsOfTheTargetReturn(color: Triple) throws {
    let (compression, toTarget) = try Self.compression()
    let toSource = toTarget.inverse
    var before = Triple.zero
    for step in 1...100 {
      let wanted = color * (Double(step) / 100)
      let result = compression.map(toTarget * (toSource * wanted))
      for index in 0..<3 {
        #expect(abs(result[index] - wanted[index]) < 0.015)
        #expect(result[index] >= before[index] - 1e-9)
      }
      before = result
    }
  }

  /// Noise stays small: if a color moves by a small step in linear light, the result moves by at
  /// most two and a half times as much.
  @Test func noiseStaysSmall() throws {
    let (compression, _) = try Self.compression()
    var random = SeededGenerator(seed: 77)
    for color in try Self.colors(20_000, seed: 31) {
      let step =
        Triple(
          .random(in: -1...1, using: &random), .random(in: -1...1, using: &random),
          .random(in: -1...1, using: &random)) * 1e-4
      let change = compression.map(color + step) - compression.map(color)
      #expect((change * change).sum() <= 6.25 * (step * step).sum())
    }
  }

  /// Colors outside the gamut keep their order when they are moved to its surface. Otherwise, they
  /// would merge into flat patches of one color.
  @Test func colorsOutsideStayApart() throws {
    let (compression, toTarget) = try Self.compression()
    // Colors go from BT.709's green to BT.2020's. `codes` has the red of each as a 10-bit code
    // value.
    let start = toTarget.inverse * Triple(0, 0.8, 0)
    let codes = (0...8).map { index in
      let color = start + (Triple(0, 0.8, 0) - start) * (Double(index) / 8)
      return (876 * signedPower(compression.map(toTarget * color).x, 1 / 2.4)).rounded()
    }
    for (code, next) in zip(codes, codes.dropFirst()) { #expect(code >= next + 3) }
  }

  /// BT.2407, annex 2: the hue in CIELAB stays, and colors outside the gamut land on its boundary.
  @Test func bt2407KeepsHue() throws {
    let target = try #require(RGBSpace(.bt709))
    let mapping = BT2407Gamut(from: try #require(RGBSpace(.bt2020)), to: target)
    func hue(_ color: Triple) -> (angle: Double, chroma: Double) {
      // CIE 15 defines L*a*b*. Tristimulus values up to (6/29)³ of white's follow a straight line.
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

  /// A color keeps its luminance when it is desaturated.
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

  /// As light grows, the mapped color gets brighter, and no component falls by much. Only white
  /// itself becomes white.
  @Test(arguments: [
    Triple(1, 0, 0), Triple(0, 1, 0), Triple(0, 0, 1), Triple(1, 0.5, 0.1), Triple(1, 0.8, 0.7),
    Triple(1, 1, 0), Triple(0.4, 0.5, 1),
  ])
  func softCompressionKeepsSteps(color: Triple) throws {
    let source = try #require(RGBSpace(.bt2020))
    let target = try #require(RGBSpace(.bt709))
    let compression = GamutCompression(from: source, to: target, isSoft: true)
    let results = (1...400).map { compression.map(color * (Double($0) / 100)) }
    for (before, after) in zip(results, results.dropFirst()) {
      let rise = ((after - before) * target.luminanceWeights).sum()
      #expect(rise >= -1e-9, "\(before), \(after)")
      // Lines of constant hue bend a little, so a component may fall while the others rise.
      #expect((0..<3).allSatisfy { after[$0] >= before[$0] - 0.005 }, "\(before), \(after)")
    }
    #expect(results.allSatisfy { $0.max() < 1 })
  }

  /// Light of any hue fades to white as it grows to twenty times white, but it keeps its hue. In
  /// ICtCp, the hue turns by at most 1° as long as a color can be seen.
  @Test func brightColorsKeepTheirHue() throws {
    let space = try #require(RGBSpace(.bt709))
    let (dimming, ictcp) = (HighlightDimming(space: space), ICtCpLight(space: space))
    func color(_ light: Triple) -> (hue: Double, chroma: Double) {
      let signal = ictcp.signal(of: light * 203)
      let (tritan, protan) = (signal.y / 2, signal.z)
      return (hueAngle(tritan, protan), (tritan * tritan + protan * protan).squareRoot())
    }
    let corners: [Triple] = [
      [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1],
    ]
    for index in 0..<60 {
      let (corner, share) = (corners[index / 10], Double(index % 10) / 10)
      let pure = corner + (corners[(index / 10 + 1) % 6] - corner) * share
      for factor in [1.2, 2, 5, 20] {
        let dimmed = color(dimming.map(pure * factor, largest: factor))
        // Below 15 units of ΔE ITP, hardly any color can be seen.
        guard dimmed.chroma > 15.0 / 720 else { continue }
        let turn = abs(dimmed.hue - color(pure).hue)
        #expect(min(turn, 360 - turn) <= 1, "\(pure) × \(factor)")
      }
    }
  }

  /// An orange wall in the sun (538, 288 and 62 cd/m² in BT.2020) stays orange, even with a curve
  /// for many highlights.
  @Test func orangeStaysOrange() throws {
    let source = try #require(RGBSpace(.bt2020))
    let target = try #require(RGBSpace(.bt709))
    let curve = FittedToneCurve(
      sourcePeak: 1600, targetPeak: 203, shoulder: 1000, white: 0.76)
    let light = Triple(538, 288, 62)
    let mapped = ToneMap(curve, norm: .blend, space: source, target: target).map(light) / 203
    let result = GamutCompression(from: source, to: target, isSoft: true)
      .map(source.matrix(to: target) * mapped)
    let shown = target.matrix(to: source) * result * 203
    let space = ICtCpLight(space: source)
    let (before, after) = (space.signal(of: light), space.signal(of: shown))
    func chroma(_ signal: Triple) -> Double {
      (signal.y * signal.y / 4 + signal.z * signal.z).squareRoot()
    }
    #expect(chroma(after) >= 0.88 * chroma(before))
    let angles = [before, after].map { hueAngle($0.y / 2, $0.z) }
    #expect(abs(angles[0] - angles[1]) <= 2)
  }

  /// Reds of 203, 400 and 1000 cd/m², whose largest components are 955 to 4700 cd/m², stay apart in
  /// a frame with many highlights: from one to the next, green rises by at least 12 code values of
  /// 8 bits.
  @Test(arguments: [0.82, 0.76], [3000.0, 5000])
  func redsAreStepsApart(white: Double, peak: Double) throws {
    let source = try #require(RGBSpace(.bt2020))
    let target = try #require(RGBSpace(.bt709))
    let curve = FittedToneCurve(
      sourcePeak: peak, targetPeak: 203, shoulder: peak, white: white)
    let tone = ToneMap(curve, norm: .blend, space: source, target: target)
    let compression = GamutCompression(from: source, to: target, isSoft: true)
    let greens = [203.0, 400, 1000].map { luminance in
      let red = Triple(luminance / target.luminanceWeights.x, 0, 0)
      let light = tone.map(target.matrix(to: source) * red) / 203
      return 255 * signedPower(compression.map(source.matrix(to: target) * light).y, 1 / 2.4)
    }
    let steps = zip(greens, greens.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 >= 12 }, "\(greens)")
  }
}
