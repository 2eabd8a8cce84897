/// Mastering display color volume: SEI payload 137 (H.265, D.2.28), box `mdcv`, SMPTE ST 2086.
///
/// Fields hold wire values; computed properties give SI units.
public struct MasteringDisplayColorVolume: Hashable, Sendable {
  /// A chromaticity in units of 0.00002.
  public struct Chromaticity: Hashable, Sendable {
    /// CIE 1931 x × 50 000.
    public var x: UInt16
    /// CIE 1931 y × 50 000.
    public var y: UInt16

    /// A chromaticity from wire values.
    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// The primaries in the order of the wire: green, blue, red.
  public var displayPrimaries: [Chromaticity]
  /// The white point.
  public var whitePoint: Chromaticity
  /// The nominal maximum luminance in units of 0.0001 cd/m².
  public var maxDisplayMasteringLuminance: UInt32
  /// The nominal minimum luminance in units of 0.0001 cd/m².
  public var minDisplayMasteringLuminance: UInt32

  /// A color volume from wire values.
  ///
  /// - Parameter displayPrimaries: three chromaticities in the order green, blue, red.
  public init(
    displayPrimaries: [Chromaticity], whitePoint: Chromaticity,
    maxDisplayMasteringLuminance: UInt32, minDisplayMasteringLuminance: UInt32
  ) {
    precondition(displayPrimaries.count == 3, "a color volume has three primaries")
    self.displayPrimaries = displayPrimaries
    self.whitePoint = whitePoint
    self.maxDisplayMasteringLuminance = maxDisplayMasteringLuminance
    self.minDisplayMasteringLuminance = minDisplayMasteringLuminance
  }

  /// The nominal maximum luminance in cd/m².
  public var maximumLuminance: Double { Double(maxDisplayMasteringLuminance) / 10_000 }
  /// The nominal minimum luminance in cd/m².
  public var minimumLuminance: Double { Double(minDisplayMasteringLuminance) / 10_000 }
}

/// Content light level information: SEI payload 144 (H.265, D.2.35), box `clli`, CTA-861.3.
public struct ContentLightLevel: Hashable, Sendable {
  /// MaxCLL: the brightest pixel's largest component in cd/m²; 0 if unknown.
  public var maxContentLightLevel: UInt16
  /// MaxFALL: the brightest frame's average in cd/m²; 0 if unknown.
  public var maxPicAverageLightLevel: UInt16

  /// Light levels in cd/m².
  public init(maxContentLightLevel: UInt16, maxPicAverageLightLevel: UInt16) {
    self.maxContentLightLevel = maxContentLightLevel
    self.maxPicAverageLightLevel = maxPicAverageLightLevel
  }
}

/// Ambient viewing environment: SEI payload 148 (H.265, D.2.39), box `amve` (ISO/IEC 14496-12,
/// 12.1.9).
public struct AmbientViewingEnvironment: Hashable, Sendable {
  /// The illuminance in units of 0.0001 lux.
  public var ambientIlluminance: UInt32
  /// CIE 1931 x of the ambient light × 50 000.
  public var ambientLightX: UInt16
  /// CIE 1931 y of the ambient light × 50 000.
  public var ambientLightY: UInt16

  /// An environment from wire values.
  public init(ambientIlluminance: UInt32, ambientLightX: UInt16, ambientLightY: UInt16) {
    self.ambientIlluminance = ambientIlluminance
    self.ambientLightX = ambientLightX
    self.ambientLightY = ambientLightY
  }

  /// The illuminance in lux.
  public var illuminance: Double { Double(ambientIlluminance) / 10_000 }
}
