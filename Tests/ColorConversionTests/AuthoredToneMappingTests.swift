// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import MediaCore
import TestSupport
import Testing

@testable import ColorConversion

/// If the headroom changes, frames look the way their author wants for the new headroom. Results
/// are compared with the definition in double precision.
@Suite struct AuthoredToneMappingTests {
  private typealias Curve = HeadroomAdaptiveToneMap.GainCurve
  private typealias Mix = HeadroomAdaptiveToneMap.ComponentMix

  private static func curve(_ places: [(x: Double, y: Double)]) -> Curve {
    Curve(through: places)
  }

  /// Two of these tone maps have reference-white curves. Two have an author's curves, in other
  /// primaries than BT.2020 and with several kinds of mix, and one of them states a reference
  /// white. The last map has a curve that jumps.
  private static let maps: [HeadroomAdaptiveToneMap] = {
    let rolling = curve([(x: 0.2, y: 0), (x: 1, y: -0.5), (x: 2, y: -1.2), (x: 8, y: -3)])
    let gentle = curve([(x: 0.5, y: 0), (x: 3, y: -0.4), (x: 8, y: -1)])
    let own = Mix(components: Triple(0.3, 0.6, 0.1), largest: 0, smallest: 0.2, own: 0.5)
    let spaces = [RGBSpace(.p3D65), RGBSpace(.bt709)].compactMap(\.self)
    var authored = spaces.enumerated().map { number, space in
      HeadroomAdaptiveToneMap(
        space: space, baselineHeadroom: 3,
        alternates: [
          .init(headroom: 0, mix: number == 0 ? own : .blend, curve: rolling),
          .init(headroom: 1.5, mix: number == 0 ? .maximum : .each, curve: gentle),
        ])
    }
    authored[0].referenceWhite = 100
    let jumping = curve([(x: 0.999, y: 0), (x: 1, y: -5), (x: 1.001, y: 0), (x: 4, y: -2)])
    return [HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 2)] + authored
      + [
        HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 0),
        HeadroomAdaptiveToneMap(
          space: .bt2020, baselineHeadroom: 2,
          alternates: [.init(headroom: 0, mix: .each, curve: jumping)]),
      ]
  }()

  private static func description(
    _ color: ColorDescription, _ toneMap: HeadroomAdaptiveToneMap? = nil
  ) -> FrameDescription {
    var description = FrameDescription(
      signal: SignalDescription(color: color, videoFullRangeFlag: false),
      format: PixelFormat(bitDepth: 10, chromaSubsampling: .cs444))
    description.toneMap = toneMap
    return description
  }

  private static func options(
    headroom: Double? = nil, gamut: ConversionOptions.GamutMapping = .perceptual
  ) -> ConversionOptions {
    var options = ConversionOptions()
    (options.toneMapping, options.dither, options.headroom) = (.authored, .none, headroom)
    options.gamutMapping = gamut
    return options
  }

  private static let targets: [(color: ColorDescription, headroom: Double?)] = [
    (.bt709, nil), (.p3D65, nil), (.pq, 2), (.hlg, 1.5), (.pq, 1), (.bt2020, nil),
  ]

  /// Samples are right to half a code value. With gamut mapping, the error can be 2.5 code values,
  /// because the mapping subtracts large numbers when it dims a color that is far beyond BT.2020
  /// and also brighter than white.
  @Test(arguments: [ColorDescription.pq, .hlg], Array(0..<5))
  func samplesAreRightToHalfACode(source: ColorDescription, map: Int) throws {
    try expectRight(source, map, gamut: .none, within: 0.6)
    try expectRight(source, map, gamut: .perceptual, within: 2.5)
  }

  private func expectRight(
    _ source: ColorDescription, _ map: Int, gamut: ConversionOptions.GamutMapping,
    within limit: Double
  ) throws {
    var random = SeededGenerator(seed: 7)
    let (width, height) = (128, 64)
    let samples = (0..<width * height).map { index -> Triple in
      Definition.codes(AccuracyTests.signal(index, &random), of: source, depth: 10)
    }
    let picture = Pictures.make(
      PixelFormat(bitDepth: 10, chromaSubsampling: .cs444), width, height
    ) { Int(samples[$2 * width + $1][$0]) }
    for (color, headroom) in Self.targets {
      // The plan knows only the first frames, whose tone map can differ from this one.
      let plan = try ConversionPlan(
        from: Self.description(source, HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 1)),
        to: Self.description(color), options: Self.options(headroom: headroom, gamut: gamut))
      let result = FrameConverter(plan: plan, width: width, height: height).convert(
        picture, toneMap: Self.maps[map])
      let define = PixelDefinition(plan.authored(by: Self.maps[map]))
      let planes = (0..<3).map { Pictures.samples(result, plane: $0) }
      var worst = (error: 0.0, what: "")
      for (index, sample) in samples.enumerated() {
        let expected = define(sample - Triple(64, 512, 512))
        for plane in 0..<3 {
          let code = min(max(expected[plane], 0), 1023)
          let error = abs(Double(planes[plane][index / width][index % width]) - code)
          if error > worst.error { worst = (error, "\(sample): \(plane) is not \(code)") }
        }
      }
      #expect(worst.error <= limit, "\(color), \(headroom ?? 0), \(gamut): \(worst)")
    }
  }

  /// Returns the luma that a gray has after a conversion with a tone map.
  private static func luma(
    of luminance: Double, _ source: ColorDescription, _ target: ColorDescription,
    _ map: HeadroomAdaptiveToneMap, headroom: Double? = nil,
    _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> Int {
    var options = options(headroom: headroom)
    change(&options)
    let plan = try ConversionPlan(
      from: description(source, map), to: description(target), options: options)
    let code = Int((64 + 876 * PQ.inverseEOTF(luminance)).rounded())
    let picture = Pictures.make(
      PixelFormat(bitDepth: 10, chromaSubsampling: .cs444), 16, 2
    ) { plane, _, _ in plane == 0 ? code : 512 }
    let result = FrameConverter(plan: plan, width: 16, height: 2).convert(picture)
    return Pictures.samples(result, plane: 0)[0][3]
  }

  /// The brightest light of the frame becomes SDR's white, or the brightest light that the headroom
  /// allows. Diffuse white is dimmed as the standard says.
  @Test func peaksBecomeTheHeadroom() throws {
    let map = HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 2)
    #expect(try abs(Self.luma(of: 812, .pq, .bt709, map) - 940) <= 1)
    let white = try Self.luma(of: 203, .pq, .bt709, map)
    let signal = try #require(ComponentTransfer(.bt709)).toSignal(0.56527)
    #expect(abs(Double(white) - (64 + 876 * signal)) <= 2, "\(white)")
    let twice = try Self.luma(of: 812, .pq, .pq, map, headroom: 2)
    let stops = map.gains(of: Triple(repeating: 4), headroom: 1).x
    let expected = 64 + 876 * PQ.inverseEOTF(812 * binaryPower(stops))
    #expect(abs(Double(twice) - expected) <= 1, "\(twice)")
    // With the frame's own headroom, nothing changes.
    #expect(
      try abs(
        Double(Self.luma(of: 500, .pq, .pq, map, headroom: 4))
          - (64 + 876 * PQ.inverseEOTF(500))) <= 1)
  }

  /// If the author states a reference white, it becomes SDR's white, even if the options state
  /// another one.
  @Test func theAuthorsWhiteCounts() throws {
    var map = HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 0)
    map.referenceWhite = 100
    #expect(try abs(Self.luma(of: 100, .pq, .bt709, map) - 940) <= 1)
    #expect(try abs(Self.luma(of: 100, .pq, .bt709, map) { $0.hdrReferenceWhite = 300 } - 940) <= 1)
  }

  @Test func plansSayWhatHappens() throws {
    let map = HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 2)
    func steps(_ target: ColorDescription, headroom: Double? = nil) throws -> String {
      try ConversionPlan(
        from: Self.description(.pq, map), to: Self.description(target),
        options: Self.options(headroom: headroom)
      ).steps.map(\.description).joined(separator: "\n")
    }
    let sdr = try steps(.bt709)
    #expect(sdr.contains("'authored'") && sdr.contains("reference-white curve"), "\(sdr)")
    #expect(sdr.contains("SDR (headroom 0)"), "\(sdr)")
    #expect(try steps(.pq, headroom: 2).contains("headroom 1 (2 × white)"))
    // HLG ends at 1000 cd/m², which is a headroom of 2.3. PQ has room for all light of the frame,
    // so nothing is mapped.
    #expect(try steps(.hlg).contains("headroom 2.3"))
    #expect(try steps(.pq) == "")
  }

  @Test func framesWithoutCurvesAreRefused() throws {
    let refusal = try #require(throws: ConversionRefusal.self) {
      try ConversionPlan(
        from: Self.description(.pq), to: Self.description(.bt709), options: Self.options())
    }
    #expect(refusal.reason.contains("ST 2094-50") && refusal.reason.contains("'auto'"))
    // If no tones are mapped, no curves are needed.
    #expect(
      try ConversionPlan(
        from: Self.description(.hlg), to: Self.description(.pq), options: Self.options()
      ).idleOptions.map(\.code) == ["settingHasNoEffect"])
  }

  /// Users who let the program choose the tone mapping are told about the author's curves.
  @Test func autoNamesTheAuthorsCurves() throws {
    func codes(_ map: HeadroomAdaptiveToneMap?, _ target: ColorDescription) throws -> [String] {
      try ConversionPlan(from: Self.description(.hlg, map), to: Self.description(target))
        .assumptions.map(\.code.description)
    }
    let map = HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 2)
    #expect(try codes(map, .bt709) == ["authoredCurvesNotUsed"])
    #expect(try codes(nil, .bt709) == [] && codes(map, .pq) == [])
  }
}
