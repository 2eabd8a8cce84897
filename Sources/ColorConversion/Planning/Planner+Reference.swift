// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Reference of light: reference white, peaks and the surround.
extension Planner {
  var oldTransfer: TransferCharacteristics { source.signal.color.transferCharacteristics }
  var newTransfer: TransferCharacteristics { target.signal.color.transferCharacteristics }

  /// The luminance of diffuse white in HDR, in cd/m², where the options leave it open.
  ///
  /// 203 (BT.2408, 2.1), which is 58 % of PQ and, on a display of 1000 cd/m², 75 % of HLG. HLG is
  /// relative: what is exchanged is the signal, so that on other displays white is what those 75 %
  /// show there (BT.2100, table 5): 101 cd/m² on one of 400. Beside PQ it stays 203.
  var referenceWhite: Double {
    if let stated = options.hdrReferenceWhite { return stated }
    let systems = [oldTransfer, newTransfer].compactMap { LightSystem($0) }
    let system = systems.first(where: \.isAbsolute) ?? systems.first
    return system?.referenceWhite(on: options.hlgPeakLuminance) ?? LightSystem.diffuseWhite
  }

  /// True for a system whose signals stand for luminances.
  func isAbsolute(_ transfer: TransferCharacteristics) -> Bool {
    LightSystem(transfer)?.isAbsolute ?? false
  }

  /// True for a system whose light depends on the display.
  func isRelative(_ transfer: TransferCharacteristics) -> Bool {
    transfer.isHDR && !isAbsolute(transfer)
  }

  /// Peak luminance to which BT.2446's method A expands SDR, in cd/m²: the display's, or the 1000
  /// of the report, and no more than the headroom.
  var expandedPeak: Double {
    let most = LightSystem(newTransfer)?.peak(on: options.hlgPeakLuminance) ?? 1000
    let peak = isRelative(newTransfer) ? most : min(most, 1000)
    return min(peak, (options.headroom ?? .infinity) * referenceWhite)
  }

  /// True if the target is linear light in numbers that go on above 1, so that white is no limit.
  var isOpenEnded: Bool { newTransfer == .linear && target.format.layout == .halfRGBA }

  /// Luminances of the brightest light that the source states, in cd/m²: the brightest pixel, then
  /// the peak of the display that it was mastered on. A stated 0 means unknown and is left out.
  var statedPeaks: [(name: String, luminance: Double)] {
    let stated = [
      source.staticHDRMetadata.contentLightLevel.map {
        (Self.contentLight, Double($0.maxContentLightLevel))
      },
      source.staticHDRMetadata.masteringDisplay.map {
        ("mastering display's peak", $0.maximumLuminance)
      },
    ]
    return stated.compactMap { $0 }.filter { $0.1 > 0 }
  }

  /// The brightest light that a source is said to have, where that is plausible.
  var statedPeak: Double? {
    statedPeaks.first { plausiblePeaks(of: $0.name).contains($0.luminance) }?.luminance
  }

  /// The peaks that a source can have, in cd/m². On the way to SDR its brightest pixel may be dark:
  /// then less is rolled off.
  func plausiblePeaks(of statement: String) -> ClosedRange<Double> {
    statement == Self.contentLight && !newTransfer.isHDR ? 100...10_000 : 400...10_000
  }

  private static let contentLight = "maximum content light level"

  /// The peak by what the source states, in cd/m².
  var staticPeak: Double {
    let most = LightSystem(oldTransfer)?.peak(on: options.hlgPeakLuminance) ?? .infinity
    return isRelative(oldTransfer) ? most : min(statedPeak ?? Self.assumedPeak, most)
  }

  /// True if the tone curve is fitted to what pictures show.
  var measuresLight: Bool {
    options.toneMapping == .auto && options.shots == .auto && options.sourcePeak == nil
      && oldTransfer.isHDR && !newTransfer.isHDR && !isOpenEnded
      && !isSceneReferred(oldTransfer, newTransfer)
  }
  /// The peak of a source that says nothing of it.
  static let assumedPeak = 1000.0

  /// The illuminances in lux that a source can mean for the place where it was watched. H.265
  /// (D.3.39) forbids 0, which would ask for an infinite gamma and a black frame; darker than a
  /// night of full moon (0.1 lux) no room with a display in it is, and brighter than direct
  /// sunlight (100 000 lux) no place.
  static let plausibleIlluminances = 0.1...100_000

  /// The ambient viewing environment's illuminance in lux, where it is plausible.
  var ambientIlluminance: Double? {
    source.staticHDRMetadata.ambientViewingEnvironment.map(\.illuminance).flatMap {
      Self.plausibleIlluminances.contains($0) ? $0 : nil
    }
  }

  /// The luminance of the surround that HLG is read for, in cd/m². A white surround under an
  /// illuminance in lux has 1/π of it.
  var surround: Double {
    guard options.hlgSurround == .source, let ambientIlluminance else {
      return HLG.referenceSurround
    }
    return ambientIlluminance / .pi
  }
}

extension TransferCharacteristics {
  /// True if the curve is BT.709's, which can be read as the display's or the camera's.
  var hasReadings: Bool { ComponentTransfer(self) != ComponentTransfer(self, as: .scene) }
}
