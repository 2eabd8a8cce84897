// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ISOBMFF
package import MediaCore

extension ColorInformation {
  /// The content of `colr` for a signal; nil where no color is stated.
  package init?(_ signal: SignalDescription, container: FileType) {
    let color = signal.color.numbered
    guard !color.isUnspecified else { return nil }
    switch container.movie {
    case .quickTime: self = .nclc(color)
    case .isoBaseMedia: self = .nclx(color, videoFullRangeFlag: signal.videoFullRangeFlag ?? false)
    case nil: return nil
    }
  }
}

extension Box {
  /// `gama`, which QuickTime has for a gamma without a number; nil where there is none to state.
  package init?(gammaOf signal: SignalDescription, container: FileType) {
    guard container.statesGamma, let gamma = signal.color.transferCharacteristics.gamma
    else {
      return nil
    }
    self = SampleEntry.gammaBox(gamma)
  }
}

extension SignalDescription {
  /// The signal as a VUI states it: one that describes colors has a bit for the range, which is 0,
  /// limited, where nothing is known of it (H.264 and H.265, E.2.1).
  package var inVUI: SignalDescription {
    var signal = self
    signal.color = color.numbered
    if !signal.color.isUnspecified { signal.videoFullRangeFlag = videoFullRangeFlag ?? false }
    return signal
  }

  /// The signal as a VUI states it that names another transfer function, which receivers know that
  /// do not know the signal's; SEI 147 then names that (H.265, D.3.38).
  func inVUI(fallback: TransferCharacteristics?) -> SignalDescription {
    var signal = inVUI
    if let fallback { signal.color.transferCharacteristics = fallback }
    return signal
  }
}
