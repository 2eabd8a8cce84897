// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience
internal import MediaCore

/// Refusal to convert frames of one kind to another; names both.
package struct ConversionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Format and signal of the frames that there are.
  package let source: PictureDescription
  /// Format and signal of the frames that are wanted.
  package let target: PictureDescription
  /// Reason for the refusal, for people.
  package let reason: String

  /// The reason with both ends.
  package var description: String {
    "cannot convert \(source.signal.color) to \(target.signal.color): \(reason)"
  }
}

/// The steps from frames of one meaning to frames of another, in their order.
///
/// Two meanings are compared by their functions, not their numbers, and what either side leaves
/// unstated is no difference; reading a frame, an unstated range counts as limited and an
/// unstated chroma location as left.
package struct ConversionPlan: Hashable, Sendable {
  /// Format and signal of the frames that there are.
  package let source: PictureDescription
  /// Format and signal of the frames that are wanted.
  package let target: PictureDescription
  /// Steps of the conversion, in order; empty where pixels stay as they are.
  package let steps: [ConversionStep]
  /// Notices about assumptions.
  package let assumptions: [Notice]
  /// Notices about options that were set and do nothing here.
  package let idleOptions: [Notice]

  /// True if the tone curve is to be fitted to the light of the pictures, which is not known yet.
  package let measuresLight: Bool
  /// The peak that the tone curve has at least, in cd/m².
  package let statedPeak: Double

  /// Plans a conversion.
  ///
  /// - Parameter measuredPeak: the brightest light that pictures of the source show, in cd/m²; nil
  ///   where none was looked at.
  /// - Throws: ``ConversionRefusal`` where a function of either end is not known.
  package init(
    from source: PictureDescription, to target: PictureDescription,
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

  private init(_ plan: ConversionPlan, steps: [ConversionStep]) {
    (source, target, self.steps) = (plan.source, plan.target, steps)
    (assumptions, idleOptions) = (plan.assumptions, plan.idleOptions)
    (measuresLight, statedPeak) = (plan.measuresLight, plan.statedPeak)
  }

  /// The luminance of diffuse white in the source, in cd/m²; what is brighter is a highlight.
  package var brightLuminance: Double { toneCurve?.targetPeak ?? LightSystem.diffuseWhite }

  /// True if the source is as bright as the display that it is shown on, whatever it holds.
  package var hasDisplayPeak: Bool {
    LightSystem(source.signal.color.transferCharacteristics).map { !$0.isAbsolute } ?? false
  }

  /// The tone curve that can be fitted to light; nil where there is none.
  var toneCurve: SplineToneCurve? { toneMap?.curve as? SplineToneCurve }

  /// The tone curve as it is applied to colors; nil where there is none.
  var toneMap: ToneMap? {
    for case .toneMap(.curve(let map), _) in steps { return map }
    return nil
  }

  /// The same plan up to the light that a tone curve is applied to.
  var beforeToneMap: ConversionPlan {
    let light = steps.prefix { step in if case .toneMap = step { false } else { true } }
    return ConversionPlan(self, steps: Array(light))
  }

  /// The luminance in cd/m² up to which nothing changes in a shot; nil without a tone curve.
  package func knee(for light: ShotLight) -> Double? { fitted(to: light).toneCurve?.knee }

  /// The same plan with a tone curve for the light of a shot.
  package func fitted(to light: ShotLight) -> ConversionPlan {
    let steps = steps.map { step in
      guard case .toneMap(.curve(let map), let reason) = step,
        let curve = map.curve as? SplineToneCurve
      else { return step }
      let fitted = SplineToneCurve(
        sourcePeak: light.peak, targetPeak: curve.targetPeak, brightShare: light.brightShare)
      return .toneMap(.curve(map.with(fitted)), reason: reason)
    }
    return ConversionPlan(self, steps: steps)
  }

  /// The same plan with ICtCp made of light at once, where R'G'B' would be made of light and light
  /// of that again. Light that is negative is not limited before.
  var withoutSignalBeforeICtCp: ConversionPlan {
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

  /// True if pixels stay as they are.
  package var isIdentity: Bool { steps.isEmpty }

  /// True if each component is converted by itself: its depth, range or layout alone.
  var isPlanewise: Bool {
    source.format.componentCount == target.format.componentCount
      && steps.allSatisfy { step in
        switch step {
        case .dequantize, .quantize: true
        default: false
        }
      }
  }

  /// Dither that hides rounding.
  var dither: ConversionOptions.Dither {
    if case .quantize(_, _, let dither) = steps.last { dither } else { .none }
  }

  /// True if code values stay as they are, and at most lie elsewhere in memory.
  package var keepsCodeValues: Bool {
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
