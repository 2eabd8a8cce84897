// SPDX-License-Identifier: GPL-2.0-or-later
package import ColorScience

/// How high dynamic range is brought into a smaller one.
public enum ToneMapping: String, Sendable, CaseIterable {
  /// The operator that the evaluation speaks for: ``spline``.
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

  /// What the curves do, in words: the end of a sentence.
  package static let curveSummary = curves.compactMap { mapping in
    mapping.curve.map { "\(mapping.rawValue) \($0.summary)" }
  }.joined(separator: "; ")
}

/// How standard dynamic range is brought into a larger one.
public enum InverseToneMapping: String, Sendable, CaseIterable {
  /// SDR white becomes HDR reference white (BT.2408), nothing becomes brighter.
  case none
  /// BT.2446, method A: highlights are expanded to 1000 cd/m², or to HLG's peak.
  case bt2446a
  /// BT.2446, method C: the exact inverse of its tone mapping.
  case bt2446c
}

/// How colors outside the output's gamut are brought inside.
public enum GamutMapping: String, Sendable, CaseIterable {
  /// Each component is limited by itself when it is quantized.
  case none
  /// Each component is limited by itself, in linear light.
  case clip
  /// Toward the gray of the same luminance, with a soft knee.
  case desaturate
  /// By the distance from the largest component, with a soft knee; between gamuts of SDR that
  /// nearly agree (BT.601's and BT.709's) as `clip`, because hardly anything is outside.
  case perceptual
  /// By BT.2407, annex 2: the hue of CIELAB is kept.
  case bt2407
}

/// How rounding to the output's depth is hidden.
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
  /// That of the source's ambient viewing environment, where it has a plausible one.
  case source
}

/// The options for conversions of color.
public struct ConversionOptions: Hashable, Sendable {
  /// How high dynamic range is brought into a smaller one.
  public var toneMapping: ToneMapping = .auto
  /// What number of a color a tone curve is applied to.
  package var toneMappingNorm = ToneNorm.blend
  /// How standard dynamic range is brought into a larger one.
  public var inverseToneMapping = InverseToneMapping.none
  /// How colors outside the output's gamut are brought inside.
  public var gamutMapping: GamutMapping = .perceptual
  /// How rounding is hidden.
  public var dither: Dither = .ordered
  /// The nominal peak luminance of the display that HLG is read and made for, in cd/m².
  public var hlgPeakLuminance = 1000.0
  /// The surround that HLG is read for.
  public var hlgSurround = HLGSurround.reference
  /// The luminance of diffuse white in HDR, in cd/m² (BT.2408), which SDR white is shown with, too;
  /// at most ``hlgPeakLuminance`` where HLG is converted. nil: 203, and between HLG and SDR or
  /// linear light what 75 % of HLG is at ``hlgPeakLuminance``, which is 203 at 1000.
  public var hdrReferenceWhite: Double?
  /// How much brighter than reference white an HDR result, or a linear one in floating point, may
  /// be; nil: as bright as its transfer function allows. From 1.
  public var headroom: Double?

  /// How SDR signals of the BT.709 family are read, and written, as light.
  package var sdrReading = SDRReading.bt1886

  /// The defaults.
  public init() {}
}
