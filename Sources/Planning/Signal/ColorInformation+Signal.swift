// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ISOBMFF
package import MediaCore

extension ColorInformation {
  /// Makes the content of `colr` for a signal. Returns `nil` if the signal has no color, or if the
  /// container is not a movie.
  package init?(_ signal: SignalDescription, container: FileType) {
    // Some transfer functions have no number in H.273 (pure gammas), and `colr` has only numbers.
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
  /// Makes a `gama` box, in which QuickTime states a gamma that H.273 has no number for. Returns
  /// `nil` if the signal has no such gamma, or if the container has no `gama`.
  package init?(gammaOf signal: SignalDescription, container: FileType) {
    guard container.statesGamma, let gamma = signal.color.transferCharacteristics.gamma
    else {
      return nil
    }
    self = SampleEntry.gammaBox(gamma)
  }
}

extension SignalDescription {
  /// The signal as a VUI declares it.
  package var inVUI: SignalDescription {
    var signal = self
    signal.color = color.numbered
    // A VUI with colors always has `video_full_range_flag`, and 0 (limited) is its value for an
    // unknown range (H.264 and H.265, E.2.1).
    if !signal.color.isUnspecified { signal.videoFullRangeFlag = videoFullRangeFlag ?? false }
    return signal
  }

  /// Returns the signal as a VUI declares it, with a fallback for receivers that do not know its
  /// transfer function. SEI 147 then names the real one (H.265, D.3.38).
  func inVUI(fallback: TransferCharacteristics?) -> SignalDescription {
    var signal = inVUI
    if let fallback { signal.color.transferCharacteristics = fallback }
    return signal
  }
}
