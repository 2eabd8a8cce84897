internal import Bitstreams

extension AmbientViewingEnvironment {
  /// Reads the payload that `amve` (ISO/IEC 14496-12, 12.1.9) and SEI 148 (H.265, D.2.39) share.
  public init?(payload bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let illuminance = try? reader.integer(UInt32.self),
      let x = try? reader.integer(UInt16.self), let y = try? reader.integer(UInt16.self)
    else { return nil }
    self.init(ambientIlluminance: illuminance, ambientLightX: x, ambientLightY: y)
  }

  /// The payload of `amve` and of SEI 148.
  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.append(ambientIlluminance)
    writer.append(ambientLightX)
    writer.append(ambientLightY)
    return writer.bytes
  }
}

extension MasteringDisplayColorVolume {
  /// Reads the payload that `mdcv` (ISO/IEC 14496-12, 12.1.7) and SEI 137 (H.265, D.2.28) share.
  public init?(payload bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    var chromaticities: [Chromaticity] = []
    for _ in 0..<4 {
      guard let x = try? reader.integer(UInt16.self), let y = try? reader.integer(UInt16.self)
      else { return nil }
      chromaticities.append(Chromaticity(x: x, y: y))
    }
    guard let maximum = try? reader.integer(UInt32.self),
      let minimum = try? reader.integer(UInt32.self)
    else { return nil }
    self.init(
      displayPrimaries: Array(chromaticities.prefix(3)), whitePoint: chromaticities[3],
      maxDisplayMasteringLuminance: maximum, minDisplayMasteringLuminance: minimum)
  }

  /// The payload of `mdcv` and of SEI 137.
  public var payload: [UInt8] {
    var writer = ByteWriter()
    for chromaticity in displayPrimaries + [whitePoint] {
      writer.append(chromaticity.x)
      writer.append(chromaticity.y)
    }
    writer.append(maxDisplayMasteringLuminance)
    writer.append(minDisplayMasteringLuminance)
    return writer.bytes
  }
}

extension ContentLightLevel {
  /// Reads the payload that `clli` (ISO/IEC 14496-12, 12.1.6) and SEI 144 (H.265, D.2.35) share.
  public init?(payload bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let content = try? reader.integer(UInt16.self),
      let average = try? reader.integer(UInt16.self)
    else { return nil }
    self.init(maxContentLightLevel: content, maxPicAverageLightLevel: average)
  }

  /// The payload of `clli` and of SEI 144.
  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.append(maxContentLightLevel)
    writer.append(maxPicAverageLightLevel)
    return writer.bytes
  }
}
