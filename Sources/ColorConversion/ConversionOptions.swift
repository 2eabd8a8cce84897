public import ColorScience

/// How high dynamic range is brought into a smaller one.
public enum ToneMapping: String, Sendable, CaseIterable {
  /// The operator that this version considers best: today ``reinhard``.
  case auto
  /// No curve: HDR reference white becomes SDR white, everything brighter is cut off.
  case none
  /// Reinhard's curve over the largest component.
  case reinhard
}

/// How colors outside the output's gamut are brought inside.
public enum GamutMapping: String, Sendable, CaseIterable {
  /// Each component is limited by itself when it is quantized.
  case none
  /// Each component is limited by itself, in linear light.
  case clip
  /// Toward the gray of the same luminance, with a soft knee.
  case perceptual
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

/// How colors are converted where they are.
public struct ConversionOptions: Hashable, Sendable {
  /// How high dynamic range is brought into a smaller one.
  public var toneMapping: ToneMapping = .auto
  /// How colors outside the output's gamut are brought inside.
  public var gamutMapping: GamutMapping = .perceptual
  /// How rounding is hidden.
  public var dither: Dither = .ordered
  /// The nominal peak luminance of the display that HLG is read and made for, in cd/m².
  public var hlgPeakLuminance = 1000.0
  /// The luminance of diffuse white in HDR, in cd/m² (BT.2408).
  public var hdrReferenceWhite = 203.0

  /// How SDR signals of the BT.709 family are read, and written, as light.
  public var sdrReading = SDRReading.bt1886

  /// The defaults.
  public init() {}
}
