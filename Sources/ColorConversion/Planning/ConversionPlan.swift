// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience
internal import MediaCore

/// Says that frames of one kind cannot be converted to another kind, and why.
package struct ConversionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The format and signal of the existing frames.
  package let source: FrameDescription
  /// The format and signal of the requested frames.
  package let target: FrameDescription
  /// The reason, as the end of a sentence.
  package let reason: String

  /// The reason, with the colors of both kinds.
  package var description: String {
    "cannot convert \(source.signal.color) to \(target.signal.color): \(reason)"
  }
}

/// The steps from frames of one meaning to frames of another, in order.
///
/// Two meanings are the same if their code points stand for the same functions, even if the code
/// points differ. Parts that the source or the target does not declare make no difference. In the
/// source, an undeclared range is read as limited, and an undeclared chroma location as left.
package struct ConversionPlan: Hashable, Sendable {
  /// The format and signal of the existing frames.
  package let source: FrameDescription
  /// The format and signal of the requested frames.
  package let target: FrameDescription
  /// The steps of the conversion, in order. Empty if pixels stay as they are.
  package let steps: [ConversionStep]
  /// Notices about assumptions.
  package let assumptions: [Notice]
  /// Notices about options that were set but have no effect on this conversion.
  package let idleOptions: [Notice]

  /// Whether the tone curve still has to be fitted to the light of frames.
  package let measuresLight: Bool
  /// The source's peak without measurement, in cd/m²: the declared one, an assumed one, or the peak
  /// of the display.
  package let statedPeak: Double

  /// Plans a conversion.
  ///
  /// - Parameter measuredPeak: the brightest light in the source's frames, in cd/m², or `nil` if it
  ///   was not measured.
  /// - Throws: ``ConversionRefusal`` if the conversion is not possible, for example because a
  ///   function of the source or the target is not known.
  package init(
    from source: FrameDescription, to target: FrameDescription,
    options: ConversionOptions = ConversionOptions(), measuredPeak: Double? = nil
  ) throws(ConversionRefusal) {
    self.source = source
    self.target = target
    var planner = Planner(
      source: source, target: target, options: options, measuredPeak: measuredPeak)
    steps = try planner.plan()
    assumptions = planner.assumptions
    idleOptions = planner.idleOptions
    measuresLight = planner.measuresLight
    statedPeak = planner.staticPeak
  }

  private init(
    _ plan: ConversionPlan, steps: [ConversionStep], from source: FrameDescription? = nil
  ) {
    (self.source, target, self.steps) = (source ?? plan.source, plan.target, steps)
    (assumptions, idleOptions) = (plan.assumptions, plan.idleOptions)
    (measuresLight, statedPeak) = (plan.measuresLight, plan.statedPeak)
  }

  /// The luminance of diffuse white in the source, in cd/m².
  package var brightLuminance: Double { toneCurve?.targetPeak ?? LightSystem.diffuseWhite }

  /// PQ's signal above which light counts as a highlight.
  package var brightSignal: Double {
    // Captions, screens and test charts are at diffuse white itself and must not count.
    PQ.inverseEOTF(1.25 * brightLuminance)
  }

  /// Whether the source's brightness depends on the display that shows it, whatever the frames
  /// contain.
  package var hasDisplayPeak: Bool {
    LightSystem(source.signal.color.transferCharacteristics).map { !$0.isAbsolute } ?? false
  }

  /// The tone curve that can be fitted to light, if there is one.
  var toneCurve: (any KneeToneCurve)? { toneMap?.curve as? any KneeToneCurve }

  /// The tone curve and how it is applied to colors, if there is one.
  var toneMap: ToneMap? {
    for case .toneMap(.curve(let map), _) in steps { return map }
    return nil
  }

  /// Returns the luminance, in cd/m², that gray light of the source has in the target. Both have to
  /// be HDR.
  ///
  /// - Parameter hlgPeakLuminance: the peak of the display that HLG is shown on, in cd/m².
  package func targetLuminance(of luminance: Double, hlgPeakLuminance: Double) -> Double {
    let system = LightSystem(target.signal.color.transferCharacteristics)
    let mapped =
      rendition?.map(Triple(repeating: luminance)).max()
      ?? toneMap?.curve.map(luminance) ?? luminance
    return min(mapped, system?.peak(on: hlgPeakLuminance) ?? mapped)
  }

  /// The same plan without the tone curve and the steps after it.
  var beforeToneMap: ConversionPlan {
    let light = steps.prefix { step in if case .toneMap = step { false } else { true } }
    return ConversionPlan(self, steps: Array(light))
  }

  /// Returns the luminance, in cd/m², up to which a shot's tone curve changes nothing, or `nil` if
  /// there is no tone curve that can be fitted.
  package func knee(for light: ShotLight) -> Double? { fitted(to: light).toneCurve?.knee }

  /// Returns the same plan with a tone curve for the light of a shot.
  package func fitted(to light: ShotLight) -> ConversionPlan {
    let steps = steps.map { step in
      guard case .toneMap(.curve(let map), let reason) = step,
        map.curve is any KneeToneCurve
      else { return step }
      let fitted = FittedToneCurve(
        sourcePeak: light.peak, targetPeak: map.curve.targetPeak, shoulder: light.shoulder,
        white: light.white)
      return .toneMap(.curve(map.with(fitted)), reason: reason)
    }
    return ConversionPlan(self, steps: steps)
  }

  /// The plan for frames that are still a Dolby Vision base layer, which reshaping would turn into
  /// the source's BT.2020 PQ. `nil` if colors do not change, or if a target of Y'CbCr declares no
  /// range.
  package var reshaping: ConversionPlan? {
    guard let index = steps.firstIndex(where: { if case .toRGB = $0 { true } else { false } }),
      index > 0, case .dequantize = steps[index - 1],
      case .toRGB(let color) = steps[index],
      // Y'CbCr without a declared range gets the source's range, but the base layer has its own.
      target.signal.videoFullRangeFlag != nil || target.format.layout.isRGBA
    else { return nil }
    var base = source
    base.needsReshaping = true
    base.signal.videoFullRangeFlag = true
    var made = [ConversionStep.reshape(.ipt, middle: base.chromaMiddle)]
    var rest = steps[(index + 1)...]
    if case .toLinear = rest.first {
      rest.removeFirst()
    } else {
      made.append(.toSignal(color.transferCharacteristics, as: .bt1886))
    }
    let steps =
      steps[..<(index - 1)] + [.dequantize(base.format, isFullRange: true)] + made + rest
    return ConversionPlan(self, steps: Array(steps), from: base)
  }

  /// Returns the same plan with the reshaping of a frame.
  func reshaped(by reshaping: SignalReshaping) -> ConversionPlan {
    let steps = steps.map { step in
      guard case .reshape(_, let middle) = step else { return step }
      return .reshape(reshaping, middle: middle)
    }
    return ConversionPlan(self, steps: steps)
  }

  /// Whether the result has less dynamic range than the source.
  package var mapsTones: Bool {
    steps.contains { if case .toneMap = $0 { true } else { false } }
  }

  /// Whether frames are mapped by the tone maps that they carry.
  package var followsAuthor: Bool { rendition != nil }

  /// The step that maps frames by the tone maps that they carry, if there is one.
  private var rendition: HeadroomRendition? {
    for case .toneMap(.authored(let rendition), _) in steps { return rendition }
    return nil
  }

  /// Returns the same plan with the tone map of a frame.
  func authored(by toneMap: HeadroomAdaptiveToneMap) -> ConversionPlan {
    let steps = steps.map { step in
      guard case .toneMap(.authored(let rendition), let reason) = step else { return step }
      return .toneMap(.authored(rendition.with(toneMap)), reason: reason)
    }
    return ConversionPlan(self, steps: steps)
  }

  /// The same plan, but with ICtCp computed directly from light.
  var withoutSignalBeforeICtCp: ConversionPlan {
    // The usual steps turn light into R'G'B' and then into light again, which cuts off negative
    // light.
    guard
      let index = steps.indices.dropLast().first(where: { index in
        guard case .toSignal = steps[index], case .fromRGB(let color) = steps[index + 1]
        else { return false }
        return color.matrixCoefficients == .iCtCp
      }), case .toSignal(let transfer, _) = steps[index], let coding = ICtCp(transfer)
    else { return self }
    var shorter = steps
    shorter.replaceSubrange(index...index + 1, with: [.lightToICtCp(coding)])
    return ConversionPlan(self, steps: shorter)
  }

  /// Whether pixels stay as they are.
  package var isIdentity: Bool { steps.isEmpty }

  /// Whether only depth, range or layout change, so that each component is converted separately.
  var isPlanewise: Bool {
    source.format.componentCount == target.format.componentCount
      && steps.allSatisfy { step in
        switch step {
        case .dequantize, .quantize: true
        default: false
        }
      }
  }

  /// Whether the output has chroma rows at the same places as the source.
  var chromaRowsReturn: Bool {
    let location = target.chromaLocation(madeFrom: source)
    return source.format.chromaSubsampling == .cs420 && target.format.chromaSubsampling == .cs420
      && source.chromaLocation.verticalOffset == location.verticalOffset
  }

  /// The dither that hides rounding.
  var dither: ConversionOptions.Dither {
    if case .quantize(_, _, let dither) = steps.last { dither } else { .none }
  }

  /// Whether code values do not change, even if their layout in memory does.
  package var keepsCodeValues: Bool {
    // RGBA always has full range and no matrix, so its code values are never those of Y'CbCr.
    source.format.planar == target.format.planar && !source.format.layout.isRGBA
      && !target.format.layout.isRGBA
      && steps.allSatisfy { step in
        switch step {
        case .dequantize: true
        case .quantize(_, let isFull, let dither): isFull == source.isFullRange && dither == .none
        default: false
        }
      }
  }
}
