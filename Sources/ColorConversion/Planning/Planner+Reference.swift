// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Finds what light is relative to: reference white, peaks and the surround.
extension Planner {
  var oldTransfer: TransferCharacteristics { source.signal.color.transferCharacteristics }
  var newTransfer: TransferCharacteristics { target.signal.color.transferCharacteristics }

  /// The luminance of diffuse white in HDR, in cd/m². If the options do not state it, it depends on
  /// the systems. If HLG is the only HDR system, it is the luminance of 75 % HLG on the display.
  /// Otherwise, it is 203 (BT.2408, 2.1).
  var referenceWhite: Double {
    // 203 cd/m² is 58 % of PQ. On a display of 1000 cd/m², it is also 75 % of HLG. HLG states
    // signals, not luminances, so on other displays, white is what 75 % of HLG shows there
    // (BT.2100, table 5): for example, 101 cd/m² on a display of 400 cd/m².
    if let stated = options.hdrReferenceWhite { return stated }
    let systems = [oldTransfer, newTransfer].compactMap { LightSystem($0) }
    // If source or target is PQ, white stays at 203 cd/m², because PQ's luminances are fixed.
    let system = systems.first(where: \.isAbsolute) ?? systems.first
    return system?.referenceWhite(on: options.hlgPeakLuminance) ?? LightSystem.diffuseWhite
  }

  /// Whether a system's signals stand for the same luminances on every display.
  func isAbsolute(_ transfer: TransferCharacteristics) -> Bool {
    LightSystem(transfer)?.isAbsolute ?? false
  }

  /// Whether a system's light depends on the display.
  func isRelative(_ transfer: TransferCharacteristics) -> Bool {
    transfer.isHDR && !isAbsolute(transfer)
  }

  /// The peak luminance to which BT.2446's method A expands SDR, in cd/m².
  var expandedPeak: Double {
    // The report's curve ends at 1000 cd/m². For HLG, it ends at the display's peak instead. If the
    // options state a headroom, the curve may end at a lower peak.
    let most = LightSystem(newTransfer)?.peak(on: options.hlgPeakLuminance) ?? 1000
    let peak = isRelative(newTransfer) ? most : min(most, 1000)
    return min(peak, (options.headroom ?? .infinity) * referenceWhite)
  }

  /// Whether the target is linear light in floating point.
  var isOpenEnded: Bool { newTransfer == .linear && target.format.layout == .halfRGBA }

  /// The peaks that the source declares, in cd/m²: first its maximum content light level, then the
  /// peak of its mastering display.
  var statedPeaks: [(name: String, luminance: Double)] {
    let stated = [
      source.staticHDRMetadata.contentLightLevel.map {
        (Self.contentLight, Double($0.maxContentLightLevel))
      },
      source.staticHDRMetadata.masteringDisplay.map {
        ("mastering display's peak", $0.maximumLuminance)
      },
    ]
    // A declared 0 means unknown (CTA-861.3), so it is left out.
    return stated.compactMap { $0 }.filter { $0.1 > 0 }
  }

  /// The first of ``statedPeaks`` that is plausible.
  var statedPeak: Double? {
    statedPeaks.first { plausiblePeaks(of: $0.name).contains($0.luminance) }?.luminance
  }

  /// Returns the plausible values of a declared peak, in cd/m².
  ///
  /// - Parameter statement: its name in ``statedPeaks``.
  func plausiblePeaks(of statement: String) -> ClosedRange<Double> {
    // In conversions to SDR, a low content light level is accepted, too: it only means that less
    // has to be rolled off.
    statement == Self.contentLight && !newTransfer.isHDR ? 100...10_000 : 400...10_000
  }

  private static let contentLight = "maximum content light level"

  /// The source's peak in cd/m², as far as it is known without measuring frames. For HLG, it is the
  /// display's peak. For PQ, it is the peak that the source declares, or else ``assumedPeak``.
  var staticPeak: Double {
    let most = LightSystem(oldTransfer)?.peak(on: options.hlgPeakLuminance) ?? .infinity
    return isRelative(oldTransfer) ? most : min(statedPeak ?? Self.assumedPeak, most)
  }

  /// Whether the tone curve is fitted to the light that is measured in the frames.
  var measuresLight: Bool {
    options.toneMapping == .auto && options.shots == .auto && options.sourcePeak == nil
      && oldTransfer.isHDR && !newTransfer.isHDR && !isOpenEnded
      && !isSceneReferred(oldTransfer, newTransfer)
  }

  /// The peak of a PQ source that declares none, in cd/m².
  static let assumedPeak = 1000.0

  /// The plausible illuminances of an ambient viewing environment, in lux.
  static let plausibleIlluminances = 0.1...100_000

  /// The ambient viewing environment's illuminance in lux, if it is plausible.
  var ambientIlluminance: Double? {
    // H.265 (D.3.39) forbids 0, which would ask for an infinite gamma and a black frame. No room
    // with a display is darker than a night with a full moon (0.1 lux), and no place is brighter
    // than direct sunlight (100 000 lux).
    source.staticHDRMetadata.ambientViewingEnvironment.map(\.illuminance).flatMap {
      Self.plausibleIlluminances.contains($0) ? $0 : nil
    }
  }

  /// The luminance of the surround for which HLG's light is computed, in cd/m².
  var surround: Double {
    guard options.hlgSurround == .source, let ambientIlluminance else {
      return HLG.referenceSurround
    }
    // A matte white surround has a luminance in cd/m² of 1/π of its illuminance in lux (Lambert).
    return ambientIlluminance / .pi
  }
}

extension TransferCharacteristics {
  /// Whether the curve belongs to the BT.709 family, whose signals can be read with a display's
  /// curve or with the camera's.
  var hasReadings: Bool { ComponentTransfer(self) != ComponentTransfer(self, as: .scene) }
}
