// SPDX-License-Identifier: GPL-2.0-or-later
package import ColorScience

/// The light that a tone curve is fitted to.
package enum ToneFitting: String, Sendable, CaseIterable {
  /// The light of each shot, as pictures of it show.
  case auto
  /// One curve for all, by the peak that the source states.
  case off
}

/// The options for conversions of color.
public struct ConversionOptions: Hashable, Sendable {
  /// The way of bringing high dynamic range into a smaller one.
  public var toneMapping: ToneMapping = .auto
  /// The number of a color that a tone curve is applied to.
  package var toneMappingNorm = ToneNorm.blend
  /// The share of the local contrast in highlights, 0…1, that ``ToneMapping/spline`` leaves as it
  /// is in HDR. 0: one curve for all pixels.
  public var highlightDetail = 0.0
  /// The way of bringing standard dynamic range into a larger one.
  public var inverseToneMapping = InverseToneMapping.none
  /// The way of bringing colors outside the output's gamut inside.
  public var gamutMapping: GamutMapping = .perceptual
  /// The way of hiding rounding.
  public var dither: Dither = .ordered
  /// The nominal peak luminance of the display that HLG is read and made for, in cd/m²: 100…10 000.
  public var hlgPeakLuminance = ConversionOptions.usualPeakLuminance
  /// The surround that HLG is read for.
  public var hlgSurround = HLGSurround.reference
  /// The luminance of diffuse white in HDR, in cd/m² (BT.2408), with which SDR white is shown, too:
  /// 50…1000, and at most ``hlgPeakLuminance`` where HLG is converted. nil: 203, and between HLG
  /// and SDR or linear light what 75 % of HLG is at ``hlgPeakLuminance``, which is 203 at 1000.
  public var hdrReferenceWhite: Double?
  /// The most that an HDR result, or a linear one in floating point, may be brighter than reference
  /// white: a factor, 1…50; nil: as bright as its transfer function allows.
  public var headroom: Double?

  /// The light that the curve of ``ToneMapping/auto`` is fitted to on the way to SDR.
  package var shots = ToneFitting.auto
  /// The brightest light of a PQ source, in cd/m², for one curve; nil: as it states, or pictures
  /// show.
  package var sourcePeak: Double?

  /// The light that SDR signals of the BT.709 family are read and written as.
  package var sdrReading = SDRReading.bt1886

  /// The range of ``highlightDetail``.
  package static let highlightDetails = 0.0...1
  /// The range of ``hlgPeakLuminance``.
  package static let peakLuminances = 100.0...10_000
  /// The range of ``hdrReferenceWhite``.
  package static let referenceWhites = 50.0...1_000
  /// The range of ``headroom``.
  package static let headrooms = 1.0...50

  /// The default of ``hlgPeakLuminance``: the display of BT.2100.
  package static let usualPeakLuminance = 1000.0

  /// The defaults.
  public init() {}
}

// The ways that the options choose from.
extension ConversionOptions {
  /// A way of bringing high dynamic range into a smaller one.
  public enum ToneMapping: String, Sendable, CaseIterable {
    /// The operator that the evaluation speaks for: ``spline``, fitted to each shot on the way to
    /// SDR.
    case auto
    /// No curve: HDR reference white becomes SDR white, everything brighter is cut off.
    case none
    /// Everything as it is up to the target's peak; what is brighter keeps its color at the peak.
    case clip
    /// Reinhard's curve.
    case reinhard
    /// The EETF of BT.2390.
    case bt2390
    /// Midtones and skin as they are, a roll-off above.
    case spline
    /// BT.2446, method A; to SDR only.
    case bt2446a
    /// BT.2446, method B, as far as it is published as numbers; to SDR only.
    case bt2446b
    /// BT.2446, method C; to SDR only.
    case bt2446c

    /// The tone curve; nil for operators that are none.
    package var curve: (any ToneCurve.Type)? {
      switch self {
      case .clip: ClippingToneCurve.self
      case .reinhard: ReinhardToneCurve.self
      case .bt2390: BT2390EETF.self
      case .auto, .spline: SplineToneCurve.self
      case .none, .bt2446a, .bt2446b, .bt2446c: nil
      }
    }

    /// The operators that are curves, in the order of the documentation.
    package static let curves = allCases.filter { $0 != .auto && $0.curve != nil }

    /// Work of the curves, in words: the end of a sentence.
    package static let curveSummary = curves.compactMap { mapping in
      mapping.curve.map { "\(mapping.rawValue) \($0.summary)" }
    }.joined(separator: "; ")
  }

  /// A way of bringing standard dynamic range into a larger one.
  public enum InverseToneMapping: String, Sendable, CaseIterable {
    /// SDR white becomes HDR reference white (BT.2408), nothing becomes brighter.
    case none
    /// BT.2446, method A: highlights are expanded to 1000 cd/m², or to HLG's peak.
    case bt2446a
    /// BT.2446, method C: the exact inverse of its tone mapping.
    case bt2446c
  }

  /// A way of hiding the rounding to the output's depth.
  public enum Dither: String, Sendable, CaseIterable {
    /// Plain rounding to nearest.
    case none
    /// A fixed pattern of blue noise added before rounding, where the depth becomes smaller or is 8
    /// bits: the same on every machine.
    case ordered
    /// Floyd's and Steinberg's error diffusion, in the same places. Each sample waits for the one
    /// before it, so that it runs on one thread.
    case errorDiffusion
  }

  /// The surround that HLG's system gamma is made for (BT.2390).
  public enum HLGSurround: String, Sendable, CaseIterable {
    /// 5 cd/m², which leaves the gamma of BT.2100 as it is.
    case reference
    /// The illuminance of the source's ambient viewing environment, where it has a plausible one.
    case source
  }
}

/// Facts about the light of a shot, to which a tone curve is fitted.
package struct ShotLight: Hashable, Sendable {
  /// The brightest light that is told apart, in cd/m².
  package var peak: Double
  /// The share of the pixels that are brighter than diffuse white, 0…1.
  package var brightShare: Double

  /// Facts about a shot.
  package init(peak: Double, brightShare: Double) {
    (self.peak, self.brightShare) = (peak, brightShare)
  }
}
