// SPDX-License-Identifier: GPL-2.0-or-later
public import ColorScience

// We are still working on the look of mapped video, so the docs say which defaults may change.
/// Options for conversions of color: `video.conversion` in a preset.
///
/// Later versions may change the defaults of ``toneMapping``, ``toneMappingNorm``, ``shots``,
/// ``highlightDetail``, ``sourcePeak``, ``gamutMapping``, ``dither`` and ``hlgPeakLuminance``. If
/// one of these values must not change, set it.
public struct ConversionOptions: Hashable, Sendable {
  /// How HDR is mapped to a smaller dynamic range.
  ///
  /// The default may change in a later version, and so may the curve that `auto` stands for.
  public var toneMapping: ToneMapping = .auto
  /// The measure of a color that the tone curve is applied to.
  ///
  /// The default may change in a later version.
  public var toneMappingNorm = ToneNorm.blend
  /// The share of local contrast that ``ToneMapping/auto`` and ``ToneMapping/spline`` restore in
  /// highlights, 0…1. With 0, the same curve applies to all pixels.
  ///
  /// The default may change in a later version.
  public var highlightDetail = 0.0
  /// How SDR is mapped to a larger dynamic range.
  public var inverseToneMapping = InverseToneMapping.none
  /// How colors outside the output's gamut are mapped into it.
  ///
  /// The default may change in a later version.
  public var gamutMapping: GamutMapping = .perceptual
  /// How rounding is hidden.
  ///
  /// The default may change in a later version.
  public var dither: Dither = .ordered
  /// The nominal peak luminance of the display that HLG is read and made for, in cd/m²: 100…10 000.
  ///
  /// The default, 1000, may change in a later version.
  public var hlgPeakLuminance = ConversionOptions.usualPeakLuminance
  /// The surround that HLG is read for.
  public var hlgSurround = HLGSurround.reference
  /// The luminance of diffuse white in HDR (BT.2408), in cd/m². SDR white corresponds to it.
  /// Allowed are 50…1000, and at most ``hlgPeakLuminance`` if HLG is converted.
  ///
  /// `nil` means 203. In conversions between HLG and SDR or linear light, however, `nil` means the
  /// luminance of 75 % HLG at ``hlgPeakLuminance``, which is 203 at 1000.
  public var hdrReferenceWhite: Double?
  /// The headroom of an HDR result, or of a linear result in floating point. It says how many times
  /// brighter than reference white the result may be: 1…50. With `nil`, the result may be as bright
  /// as its transfer function allows.
  public var headroom: Double?

  /// The light that the curve of ``ToneMapping/auto`` is fitted to in conversions to SDR.
  ///
  /// The default may change in a later version.
  public var shots = ToneFitting.auto
  /// The brightest light of a PQ source, in cd/m²: 100…10 000. If it is set, one curve is used for
  /// all shots. `nil` means the peak that the source declares (1000 if it declares none), or the
  /// brightest light measured in frames if that is more.
  ///
  /// How the peak is found may change in a later version.
  public var sourcePeak: Double?

  /// How SDR signals of the BT.709 family are read and written as light.
  public var sdrReading = SDRReading.bt1886

  /// The allowed values of ``highlightDetail``.
  package static let highlightDetails = 0.0...1
  /// The allowed values of ``hlgPeakLuminance``.
  package static let peakLuminances = 100.0...10_000
  /// The allowed values of ``sourcePeak``.
  package static let sourcePeaks = 100.0...10_000
  /// The allowed values of ``hdrReferenceWhite``.
  package static let referenceWhites = 50.0...1_000
  /// The allowed values of ``headroom``.
  package static let headrooms = 1.0...50

  /// The default of ``hlgPeakLuminance``: the display of BT.2100.
  package static let usualPeakLuminance = 1000.0

  /// Makes options with all defaults.
  public init() {}
}

extension ConversionOptions {
  /// How HDR is mapped to a smaller dynamic range.
  public enum ToneMapping: String, Sendable, CaseIterable {
    /// The recommended operator. In conversions to SDR, it is a curve that is fitted to the
    /// highlights of each shot. In all other conversions, it is ``spline``.
    case auto
    /// No curve: HDR reference white becomes SDR white, and brighter light is cut off.
    case none
    /// Changes nothing up to the target's peak. Brighter light is dimmed to the peak and keeps its
    /// color.
    case clip
    /// Reinhard's curve.
    case reinhard
    /// The EETF of BT.2390.
    case bt2390
    /// Keeps midtones and skin as they are, and rolls off brighter light.
    case spline
    /// BT.2446, method A; to SDR only.
    case bt2446a
    /// BT.2446, method B, with a roll-off where the report gives no numbers; to SDR only.
    case bt2446b
    /// BT.2446, method C; to SDR only.
    case bt2446c
    /// The curves that frames carry (SMPTE ST 2094-50). They say how the author wants the frames to
    /// look with the output's headroom.
    case authored

    /// The type of the tone curve. For ``auto``, it is the type before the curve is fitted. `nil`
    /// if the operator is `none`, `authored` or a method of BT.2446.
    package var curve: (any ToneCurve.Type)? {
      switch self {
      case .clip: ClippingToneCurve.self
      case .reinhard: ReinhardToneCurve.self
      case .bt2390: BT2390EETF.self
      case .auto, .spline: SplineToneCurve.self
      case .none, .bt2446a, .bt2446b, .bt2446c, .authored: nil
      }
    }

    /// The operators that are curves, without ``auto``, in the order of the documentation.
    package static let curves = allCases.filter { $0 != .auto && $0.curve != nil }

    /// What each curve does, as the end of a sentence.
    package static let curveSummary = curves.compactMap { mapping in
      mapping.curve.map { "\(mapping.rawValue) \($0.summary)" }
    }.joined(separator: "; ")
  }

  /// The light that a tone curve is fitted to.
  public enum ToneFitting: String, Sendable, CaseIterable {
    /// The light of each shot, as its frames show it.
    case auto
    /// One curve for all shots, fitted to the peak that the source declares. Without a declaration,
    /// 1000 cd/m² is assumed for PQ.
    case off
  }

  /// How SDR is mapped to a larger dynamic range.
  public enum InverseToneMapping: String, Sendable, CaseIterable {
    /// SDR white becomes HDR reference white (BT.2408), and nothing becomes brighter.
    case none
    /// BT.2446, method A: expands highlights to 1000 cd/m², or to HLG's peak.
    case bt2446a
    /// BT.2446, method C: the exact inverse of its tone mapping.
    case bt2446c
  }

  /// How the rounding to the output's depth is hidden.
  public enum Dither: String, Sendable, CaseIterable {
    /// Rounds to nearest.
    case none
    /// Adds a fixed pattern of blue noise before rounding, if the depth becomes smaller or is
    /// 8 bits. The pattern is the same on every machine.
    case ordered
    /// Floyd and Steinberg's error diffusion, if the depth becomes smaller or is 8 bits. It runs on
    /// one thread, because each sample needs the error of the one before it.
    case errorDiffusion
  }

  /// The surround that HLG's system gamma is made for (BT.2390).
  public enum HLGSurround: String, Sendable, CaseIterable {
    /// 5 cd/m², which leaves the gamma of BT.2100 as it is.
    case reference
    /// The surround that the source's ambient viewing environment illuminates. Without a plausible
    /// illuminance, it is that of ``reference``.
    case source
  }
}

/// The light of a shot, to which a tone curve is fitted.
package struct ShotLight: Hashable, Sendable {
  /// The brightest light of the shot, in cd/m². The curve keeps differences up to there.
  package var peak: Double
  /// The light above which highlights keep less of their contrast, in cd/m².
  package var shoulder: Double
  /// The share of SDR's signal that diffuse white gets, 0…1.
  package var white: Double

  package init(peak: Double, shoulder: Double, white: Double) {
    (self.peak, self.shoulder, self.white) = (peak, shoulder, white)
  }
}
