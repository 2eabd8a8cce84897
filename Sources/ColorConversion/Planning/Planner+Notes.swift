// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Notices about a plan. They follow from its steps.
extension Planner {
  /// What is assumed, and which curves are fixed.
  var assumptions: [Notice] { surroundNotes + peakNotes + authorNotes + fixedCurves }

  private var authorNotes: [Notice] {
    // If the user named another curve, that was a choice and needs no notice.
    guard options.toneMapping == .auto, isToneMapped, source.toneMap != nil else { return [] }
    return [.authoredCurvesNotUsed]
  }

  private var surroundNotes: [Notice] {
    // A plausible environment is used, so it needs no notice. Without an environment, the option
    // has no effect, and `idleSurround` says so.
    guard hasOOTF, options.hlgSurround == .source, ambientIlluminance == nil,
      let ambient = source.staticHDRMetadata.ambientViewingEnvironment
    else { return [] }
    return [
      .ambientLightIgnored(ambient.illuminance, plausible: Self.plausibleIlluminances)
    ]
  }

  private var peakNotes: [Notice] {
    // From PQ to another HDR system, the source's peak decides whether tones are mapped. So notices
    // about the peak matter even if no tones are mapped.
    guard isAbsolute(oldTransfer), isToneMapped || convertsLight && entersAnotherSystem,
      ![.bt2446c, .none, .authored].contains(options.toneMapping), options.sourcePeak == nil
    else { return [] }
    var notes = statedPeaks.compactMap { name, luminance in
      let plausible = plausiblePeaks(of: name)
      return plausible.contains(luminance)
        ? nil : Notice.peakIgnored(name, luminance, plausible: plausible)
    }
    if statedPeak == nil, measuredPeak == nil {
      notes.append(.peakAssumed(Self.assumedPeak))
    }
    return notes
  }

  /// Options that were set but have no effect on this conversion.
  var idleOptions: [Notice] {
    [
      ("toneMapping", idleToneMapping), ("toneMappingNorm", idleNorm),
      ("highlightDetail", idleDetail), ("inverseToneMapping", idleExpansion),
      ("gamutMapping", idleGamutMapping), ("headroom", idleHeadroom),
      ("hdrReferenceWhite", idleWhite), ("hlgPeakLuminance", idlePeak),
      ("hlgSurround", idleSurround), ("sdrReading", idleReading), ("dither", idleDither),
      ("sourcePeak", idleSourcePeak), ("shots", idleShots),
    ].compactMap { name, reason in reason.map { .optionHasNoEffect(name, because: $0) } }
  }

  private func has(_ isWanted: (ConversionStep) -> Bool) -> Bool { steps.contains(where: isWanted) }

  private func plain(_ value: Double) -> String { ConversionStep.plain(value) }

  private var convertsLight: Bool { has { if case .toLinear = $0 { true } else { false } } }
  private var isScene: Bool { isSceneReferred(oldTransfer, newTransfer) }
  private var entersAnotherSystem: Bool { newTransfer.isHDR && newTransfer != oldTransfer }
  private var hasOOTF: Bool { has { if case .ootf = $0 { true } else { false } } }
  private var isToneMapped: Bool { has { if case .toneMap = $0 { true } else { false } } }

  /// The reason why options for display light have no effect, or `nil` if they can have an effect.
  private var noDisplayLight: String? {
    if !convertsLight { return "the conversion does not change light" }
    return isScene ? "sdrReading 'scene' converts the light of the scene, without any display" : nil
  }

  private var idleToneMapping: String? {
    // The default was not asked for, and "none" asks for nothing, so neither needs a notice.
    guard ![.auto, .none].contains(options.toneMapping), !isToneMapped else { return nil }
    if let noDisplayLight { return noDisplayLight }
    return oldTransfer.isHDR
      ? "the output can show all light of the source" : "the source is not HDR"
  }

  private var idleNorm: String? {
    guard options.toneMappingNorm != .blend,
      !has({ if case .toneMap(.curve, _) = $0 { true } else { false } })
    else { return nil }
    guard isToneMapped else { return "no tone curve is applied" }
    return options.toneMapping == .authored
      ? "the author's curves define their own norm"
      : "the methods of BT.2446 define their own norms"
  }

  private var idleDetail: String? {
    let hasDetail = has {
      if case .toneMap(.curve(let map), _) = $0 { map.highlightDetail > 0 } else { false }
    }
    guard options.highlightDetail > 0, !hasDetail else { return nil }
    return isToneMapped
      ? "only the tone mappings 'auto' and 'spline' keep highlight detail, and only with norms "
        + "other than 'ictcp'"
      : "no tone curve is applied"
  }

  private var idleExpansion: String? {
    guard options.inverseToneMapping != .none,
      !has({ if case .inverseToneMap = $0 { true } else { false } })
    else { return nil }
    return noDisplayLight ?? "only SDR that becomes HDR is expanded"
  }

  private var idleGamutMapping: String? {
    guard ![.perceptual, .none].contains(options.gamutMapping),
      !has({ if case .mapGamut = $0 { true } else { false } })
    else { return nil }
    return "the output's gamut is not smaller"
  }

  private var idleHeadroom: String? {
    guard let headroom = options.headroom else { return nil }
    if let noDisplayLight { return noDisplayLight }
    guard newTransfer.isHDR || isOpenEnded else { return "the output is SDR, whose peak is white" }
    if oldTransfer.isHDR {
      guard !isToneMapped else { return nil }
      return options.toneMapping == .none
        ? "toneMapping is 'none'" : "the source is not brighter than this headroom allows"
    }
    switch options.inverseToneMapping {
    case .none: return "an SDR source does not become brighter than reference white"
    case .bt2446c: return "'bt2446c' always expands to the same peak"
    case .bt2446a:
      return headroom * referenceWhite > expandedPeak
        ? "'bt2446a' expands to \(plain(expandedPeak)) cd/m²" : nil
    }
  }

  private var idleWhite: String? {
    guard options.hdrReferenceWhite != nil else { return nil }
    if let noDisplayLight { return noDisplayLight }
    if options.toneMapping == .authored, isToneMapped, !newTransfer.isHDR {
      return "the frames state the white of the author's curves"
    }
    let isUsed = oldTransfer.isHDR != newTransfer.isHDR || limitsPeak
    return isUsed ? nil : "the source is \(oldTransfer.isHDR ? "HDR" : "SDR"), and so is the output"
  }

  private var idlePeak: String? {
    guard options.hlgPeakLuminance != ConversionOptions.usualPeakLuminance else { return nil }
    if let noDisplayLight { return noDisplayLight }
    guard !isRelative(oldTransfer), !isRelative(newTransfer) else { return nil }
    return "neither the source nor the output is \(LightSystem.names { !$0.isAbsolute })"
  }

  private var idleSourcePeak: String? {
    let isAuthored = options.toneMapping == .authored && isToneMapped
    guard options.sourcePeak != nil, !isAbsolute(oldTransfer) || !isToneMapped || isAuthored else {
      return nil
    }
    if let noDisplayLight { return noDisplayLight }
    if isAuthored { return "the author's curves are for the headroom that the frames state" }
    return isAbsolute(oldTransfer)
      ? "the output can show all light of the source"
      : "the source is not \(LightSystem.names(where: \.isAbsolute))"
  }

  private var idleShots: String? {
    guard options.shots == .off, !oldTransfer.isHDR || newTransfer.isHDR else { return nil }
    return noDisplayLight ?? "shots are examined only if HDR becomes SDR"
  }

  private var idleSurround: String? {
    guard options.hlgSurround == .source else { return nil }
    guard hasOOTF else {
      return noDisplayLight ?? "the source is not \(LightSystem.names(where: \.hasOOTF))"
    }
    // `surroundNotes` says that an implausible environment is ignored.
    return source.staticHDRMetadata.ambientViewingEnvironment == nil
      ? "the source states no ambient viewing environment" : nil
  }

  private var idleReading: String? {
    guard options.sdrReading != .bt1886 else { return nil }
    let isUsed = has {
      switch $0 {
      case .toLinear(let transfer, _), .toSignal(let transfer, _): transfer.hasReadings
      default: false
      }
    }
    if isUsed { return nil }
    return convertsLight ? "neither the source nor the output has a BT.709 curve" : noDisplayLight
  }

  private var idleDither: String? {
    guard options.dither == .errorDiffusion else { return nil }
    // The planner leaves out dither where none is needed, so the last step shows whether it is
    // used.
    if case .quantize(_, _, .errorDiffusion) = steps.last { return nil }
    return target.format.layout == .halfRGBA
      ? "half floats need no dither" : "the bit depth is not reduced"
  }

  /// Says that method C of BT.2446 is used with an HLG display that it is not made for. The method
  /// is one fixed curve between SDR and a display of 1000 cd/m².
  private var fixedCurves: [Notice] {
    let usesMethodC = has {
      switch $0 {
      case .toneMap(.bt2446C, _), .inverseToneMap(.bt2446C, _): true
      default: false
      }
    }
    guard usesMethodC, isRelative(oldTransfer) || isRelative(newTransfer),
      options.hlgPeakLuminance != BT2446C.sourcePeak
    else { return [] }
    return [.fixedCurveNotFitted(hlgPeakLuminance: options.hlgPeakLuminance)]
  }
}
