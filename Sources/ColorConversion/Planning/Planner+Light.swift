// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience

extension Planner {
  /// Plans all steps between linear light of the source and linear light of the target.
  mutating func planLight(
    _ from: ColorDescription, _ to: ColorDescription
  ) throws(ConversionRefusal) {
    let (old, new) = (from.transferCharacteristics, to.transferCharacteristics)
    if isSceneReferred(old, new) {
      planSceneLight(old, new)
      planPrimaries(from, to, mustFit: old.isHDR)
      return
    }
    if let system = LightSystem(old) { planDisplayLight(from, system) }
    var primaries = from.colorPrimaries
    var mustFit = false
    if old.isHDR {
      mustFit = try planToneMapping(from, to, &primaries)
    } else if new.isHDR {
      planExpansion(&primaries)
    }
    let peak = LightSystem(new)?.peak(on: options.hlgPeakLuminance) ?? 1
    planPrimaries(
      ColorDescription(primaries, old, .unspecified), to, mustFit: mustFit, peak: peak)
    if let system = LightSystem(new) { planSignalLight(to, system) }
  }

  /// Whether both functions can refer to the light of the scene, and the options ask for this.
  func isSceneReferred(_ old: TransferCharacteristics, _ new: TransferCharacteristics) -> Bool {
    // HLG and the camera curve of BT.709 are functions of the light of the scene, so no display is
    // needed between them. Other curves belong to displays.
    let isOld = LightSystem(old)?.sceneWhite != nil
    guard options.sdrReading == .scene, isOld != (LightSystem(new)?.sceneWhite != nil) else {
      return false
    }
    return (isOld ? new : old).hasReadings
  }

  private mutating func planSceneLight(
    _ old: TransferCharacteristics, _ new: TransferCharacteristics
  ) {
    guard let system = LightSystem(old) ?? LightSystem(new), let signal = system.sceneWhite else {
      return
    }
    // Diffuse white is at this signal in HLG, and at the end of SDR's range.
    let white = system.transfer.toLinear(signal)
    let text = "\(ConversionStep.plain(100 * signal)) % \(system.name)"
    steps.append(
      old == system.code
        ? .scale(1 / white, reason: "in scene light: a signal of \(text) becomes SDR white")
        : .scale(white, reason: "in scene light: SDR white becomes a signal of \(text)"))
  }

  /// Plans the change of primaries and the gamut mapping.
  ///
  /// - Parameters:
  ///   - mustFit: whether colors can be outside the target's gamut even if they have its primaries.
  ///   - peak: the brightest light that the target can hold, in the unit of the light.
  private mutating func planPrimaries(
    _ from: ColorDescription, _ to: ColorDescription, mustFit: Bool, peak: Double = 1
  ) {
    var mustFit = mustFit
    if !from.colorPrimaries.meansTheSame(as: to.colorPrimaries) {
      steps.append(.changePrimaries(from: from.colorPrimaries, to: to.colorPrimaries))
      mustFit = mustFit || !to.colorPrimaries.contain(from.colorPrimaries)
    }
    // Linear light in floating point can represent every color.
    guard mustFit, !isOpenEnded,
      let map = gamutMap(
        from.colorPrimaries, to.colorPrimaries, isSDR: !from.transferCharacteristics.isHDR)
    else { return }
    // Gamut mappings expect the target's brightest light to be 1. If it is not, light is scaled
    // before the mapping and scaled back after it.
    let plain = ConversionStep.plain(peak)
    if peak != 1 { steps.append(.scale(1 / peak, reason: "\(plain) cd/m² as 1")) }
    steps.append(.mapGamut(map, to.colorPrimaries))
    if peak != 1 { steps.append(.scale(peak, reason: "1 as \(plain) cd/m²")) }
  }

  /// Whether HDR was tone mapped to SDR.
  private var mapsTonesToSDR: Bool {
    !newTransfer.isHDR && steps.contains { if case .toneMap = $0 { true } else { false } }
  }

  /// - Parameter isSDR: whether no light is brighter than white before primaries change.
  private func gamutMap(
    _ from: ColorPrimaries, _ to: ColorPrimaries, isSDR: Bool
  ) -> GamutMap? {
    guard let old = RGBSpace(from), let new = RGBSpace(to) else { return nil }
    let change = ConversionOptions.GamutMapping.Change(
      source: old, target: new, isSDR: isSDR, mapsTones: mapsTonesToSDR)
    return options.gamutMapping.method(change).map(GamutMap.init)
  }

  /// Turns linear light of HDR, in its own unit, into display light in cd/m².
  private mutating func planDisplayLight(_ from: ColorDescription, _ system: LightSystem) {
    let peak = system.peak(on: options.hlgPeakLuminance)
    steps.append(
      system.hasOOTF
        ? .ootf(system, from.colorPrimaries, peakLuminance: peak, surround: surround)
        : .scale(peak, reason: "\(system.name) as display light in cd/m²"))
  }

  /// Turns display light in cd/m² into linear light of HDR, in its own unit.
  private mutating func planSignalLight(_ to: ColorDescription, _ system: LightSystem) {
    let peak = system.peak(on: options.hlgPeakLuminance)
    steps.append(
      system.hasOOTF
        ? .inverseOOTF(system, to.colorPrimaries, peakLuminance: peak)
        : .scale(1 / peak, reason: "display light in cd/m² as \(system.name)"))
  }

  /// Turns display light in cd/m² into light that the target can show. For SDR and linear light,
  /// white becomes 1.
  ///
  /// - Returns: whether colors can be outside the target's gamut.
  private mutating func planToneMapping(
    _ from: ColorDescription, _ to: ColorDescription, _ primaries: inout ColorPrimaries
  ) throws(ConversionRefusal) -> Bool {
    let white = referenceWhite
    let new = to.transferCharacteristics
    let sourcePeak = sourcePeak(from.transferCharacteristics)
    if options.toneMapping == .authored {
      if let headroom = authoredHeadroom { try planAuthoredToneMap(from, headroom) }
    } else if let targetPeak = targetPeak(new), targetPeak < sourcePeak,
      options.toneMapping != .none
    {
      let tone = try toneOperator(from, to, sourcePeak, targetPeak)
      // BT.2446's methods are defined for BT.2020 primaries; curves work with any primaries.
      if case .curve = tone {} else { planPrimaries(of: .bt2020, &primaries) }
      let reason = toneReason(sourcePeak, targetPeak) + detailReason(tone)
      steps.append(.toneMap(tone, reason: reason))
    }
    // HDR is finished here, because light in cd/m² means the same in HLG and in PQ.
    guard !new.isHDR else { return false }
    let unit = new == .linear ? "1" : "SDR white"
    steps.append(.scale(1 / white, reason: "\(ConversionStep.plain(white)) cd/m² as \(unit)"))
    return true
  }

  private func toneReason(_ sourcePeak: Double, _ targetPeak: Double) -> String {
    let name: ConversionOptions.ToneMapping =
      options.toneMapping == .auto && !measuresLight ? .spline : options.toneMapping
    let norm = name.curve == nil ? "" : " over '\(options.toneMappingNorm.rawValue)'"
    let assumed =
      isAbsolute(oldTransfer) && statedPeak == nil && options.sourcePeak == nil
      && (measuredPeak ?? 0) < sourcePeak
    // Method C is one curve for all sources.
    let from =
      name == .bt2446c
      ? "" : " from \(ConversionStep.plain(sourcePeak))\(assumed ? " (assumed)" : "")"
    return
      "tone map by '\(name.rawValue)'\(norm)\(from) to \(ConversionStep.plain(targetPeak)) cd/m²"
  }

  private func detailReason(_ tone: ToneOperator) -> String {
    guard case .curve(let map) = tone, map.highlightDetail > 0 else { return "" }
    let percent = ConversionStep.plain(100 * map.highlightDetail)
    return ", giving highlights back \(percent) % of their lost local contrast"
  }

  private func toneOperator(
    _ from: ColorDescription, _ to: ColorDescription, _ sourcePeak: Double, _ targetPeak: Double
  ) throws(ConversionRefusal) -> ToneOperator {
    guard let curve = options.toneMapping.curve else {
      // BT.2446's methods end at SDR's white, but HDR and linear light in floating point go beyond
      // it.
      guard !to.transferCharacteristics.isHDR, !isOpenEnded else {
        throw refusal("the methods of BT.2446 map to SDR only; choose another toneMapping")
      }
      return methodOfBT2446(sourcePeak, targetPeak)
    }
    guard let space = RGBSpace(from.colorPrimaries) else {
      throw refusal("the primaries \(from.colorPrimaries) are not known")
    }
    return .curve(
      ToneMap(
        curve.init(sourcePeak: sourcePeak, targetPeak: targetPeak), norm: options.toneMappingNorm,
        space: space, target: RGBSpace(to.colorPrimaries),
        highlightDetail: options.highlightDetail))
  }

  private func methodOfBT2446(_ sourcePeak: Double, _ targetPeak: Double) -> ToneOperator {
    switch options.toneMapping {
    case .bt2446a: .bt2446A(BT2446A(sourcePeak: sourcePeak, targetPeak: targetPeak))
    case .bt2446b: .bt2446B(BT2446B(sourcePeak: sourcePeak, targetPeak: targetPeak))
    default: .bt2446C(BT2446C(targetPeak: targetPeak))
    }
  }

  /// Turns SDR light, in which white is 1, into display light in cd/m².
  private mutating func planExpansion(_ primaries: inout ColorPrimaries) {
    let white = referenceWhite
    // SDR's white becomes HDR's diffuse white (BT.2408), whether or not highlights are expanded.
    steps.append(
      .scale(white, reason: "SDR white at \(ConversionStep.plain(white)) cd/m²"))
    let tone: ToneOperator
    switch options.inverseToneMapping {
    case .none: return
    case .bt2446a: tone = .bt2446A(BT2446A(sourcePeak: expandedPeak, targetPeak: white))
    case .bt2446c: tone = .bt2446C(BT2446C(targetPeak: white))
    }
    planPrimaries(of: .bt2020, &primaries)
    let method = options.inverseToneMapping
    let peak = method == .bt2446a ? " to \(ConversionStep.plain(expandedPeak)) cd/m²" : ""
    steps.append(
      .inverseToneMap(tone, reason: "inverse tone map by '\(method.rawValue)'\(peak)"))
  }

  /// Changes primaries to those that a method is defined for.
  private mutating func planPrimaries(
    of wanted: ColorPrimaries, _ primaries: inout ColorPrimaries
  ) {
    guard !primaries.meansTheSame(as: wanted) else { return }
    steps.append(.changePrimaries(from: primaries, to: wanted))
    primaries = wanted
  }

  /// Whether HDR stays HDR, but the options ask for a lower peak than the source has, or for the
  /// author's look with a certain headroom.
  var limitsPeak: Bool {
    guard options.headroom != nil, options.toneMapping != .none, oldTransfer.isHDR,
      newTransfer.isHDR, let targetPeak = targetPeak(newTransfer)
    else { return false }
    return options.toneMapping == .authored || targetPeak < sourcePeak(oldTransfer)
  }

  /// Returns the brightest light that the source has, in cd/m².
  private func sourcePeak(_ transfer: TransferCharacteristics) -> Double {
    let most = LightSystem(transfer)?.peak(on: options.hlgPeakLuminance) ?? .infinity
    // Relative systems, such as HLG, are as bright as their display, whatever the source declares.
    guard isAbsolute(transfer) else { return most }
    return min(options.sourcePeak ?? max(staticPeak, measuredPeak ?? 0), most)
  }

  /// Returns the brightest light that the target shows, in cd/m², or `nil` if it shows everything.
  func targetPeak(_ transfer: TransferCharacteristics) -> Double? {
    let wanted = options.headroom.map { max($0, 1) * referenceWhite }
    if let system = LightSystem(transfer) {
      return min(wanted ?? .infinity, system.peak(on: options.hlgPeakLuminance))
    }
    return isOpenEnded ? wanted : referenceWhite
  }
}

extension ColorPrimaries {
  /// Whether all colors of other primaries are inside the gamut of these.
  fileprivate func contain(_ others: ColorPrimaries) -> Bool {
    guard let mine = RGBSpace(self), let other = RGBSpace(others) else { return false }
    // If no weight is negative, no color of the other primaries has a negative component here.
    return other.matrix(to: mine).rows.allSatisfy { $0.min() >= 0 }
  }
}
