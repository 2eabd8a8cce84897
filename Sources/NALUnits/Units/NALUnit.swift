internal import Bitstreams

/// The codecs whose bitstreams consist of NAL units.
public enum NALCodec: Sendable {
  /// H.264.
  case avc
  /// H.265.
  case hevc
}

/// One NAL unit, header included, with its emulation prevention bytes (H.264, 7.3.1; H.265,
/// 7.3.1).
public struct NALUnit: Hashable, Sendable {
  /// The bytes, without a start code or a length.
  public let bytes: [UInt8]

  /// A NAL unit from its bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// `nal_unit_type` of H.265.
  public var hevcType: HEVCNALUnitType {
    HEVCNALUnitType(rawValue: bytes.first.map { $0 >> 1 & 0x3F } ?? 63)
  }

  /// `nal_unit_type` of H.264.
  public var avcType: AVCNALUnitType {
    AVCNALUnitType(rawValue: bytes.first.map { $0 & 0x1F } ?? 31)
  }

  /// Whether this is supplemental enhancement information.
  public func isSEI(_ codec: NALCodec) -> Bool {
    codec == .hevc ? hevcType == .prefixSEI || hevcType == .suffixSEI : avcType == .sei
  }

  /// The payload without header and emulation prevention bytes (`rbsp_byte`).
  public func payload(_ codec: NALCodec) -> [UInt8] {
    EmulationPrevention.remove(from: Array(bytes.dropFirst(codec == .hevc ? 2 : 1)))
  }

  /// The unit behind its length, as samples have it (ISO/IEC 14496-15).
  ///
  /// - Parameter size: the bytes of the length, 1 to 4.
  public func lengthPrefixed(_ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  /// The unit behind a start code (Annex B).
  public var annexB: [UInt8] { [0, 0, 0, 1] + bytes }

  /// A Dolby Vision RPU as the last NAL unit of its access unit in HEVC.
  ///
  /// - Parameter bytes: `19 … 80`, with emulation prevention; zeros behind it belong to whatever
  ///   came next and are left out.
  public init(dolbyVisionRPU bytes: [UInt8]) {
    let zeros = bytes.reversed().prefix { $0 == 0 }.count
    self.bytes = [HEVCNALUnitType.dolbyVisionRPU.rawValue << 1, 1] + bytes.dropLast(zeros)
  }

  /// The NAL units of a byte stream with start codes (Annex B).
  public static func split(annexB bytes: [UInt8]) -> [NALUnit] {
    var units: [NALUnit] = []
    var start: Int?
    var index = 0
    func close(_ end: Int) {
      guard let start else { return }
      var last = end
      // Zeros before the next start code belong to it (`leading_zero_8bits`).
      while last > start && bytes[last - 1] == 0 { last -= 1 }
      if last > start { units.append(NALUnit(Array(bytes[start..<last]))) }
    }
    while index + 2 < bytes.count {
      if bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1 {
        close(index)
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    close(bytes.count)
    return units
  }

  /// The NAL units of a sample that puts a length before each (ISO/IEC 14496-15, 5.3.2 and 8.3.2).
  ///
  /// What is left of a unit that is cut off is left out.
  public static func split(sample bytes: [UInt8], lengthSize: Int) -> [NALUnit] {
    var units: [NALUnit] = []
    var position = 0
    while position + lengthSize <= bytes.count {
      let length = bytes[position..<position + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length <= bytes.count - position else { break }
      if length > 0 { units.append(NALUnit(Array(bytes[position..<position + length]))) }
      position += length
    }
    return units
  }
}

/// `nal_unit_type` of H.265, table 7-1.
public struct HEVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number, 0…63.
  public let rawValue: UInt8

  /// A type from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `VPS_NUT`.
  public static let videoParameterSet = Self(rawValue: 32)
  /// `SPS_NUT`.
  public static let sequenceParameterSet = Self(rawValue: 33)
  /// `PPS_NUT`.
  public static let pictureParameterSet = Self(rawValue: 34)
  /// `AUD_NUT`.
  public static let accessUnitDelimiter = Self(rawValue: 35)
  /// `EOS_NUT`: the end of a sequence.
  public static let endOfSequence = Self(rawValue: 36)
  /// `EOB_NUT`: the end of the bitstream.
  public static let endOfBitstream = Self(rawValue: 37)
  /// `PREFIX_SEI_NUT`.
  public static let prefixSEI = Self(rawValue: 39)
  /// `SUFFIX_SEI_NUT`.
  public static let suffixSEI = Self(rawValue: 40)
  /// `UNSPEC62`: a Dolby Vision RPU.
  public static let dolbyVisionRPU = Self(rawValue: 62)
  /// `UNSPEC63`: the enhancement layer of Dolby Vision.
  public static let dolbyVisionEnhancementLayer = Self(rawValue: 63)
}

/// `nal_unit_type` of H.264, table 7-1.
public struct AVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number, 0…31.
  public let rawValue: UInt8

  /// A type from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A slice of an IDR picture.
  public static let idrSlice = Self(rawValue: 5)
  /// Supplemental enhancement information.
  public static let sei = Self(rawValue: 6)
  /// A sequence parameter set.
  public static let sequenceParameterSet = Self(rawValue: 7)
  /// A picture parameter set.
  public static let pictureParameterSet = Self(rawValue: 8)
  /// A slice of SVC or MVC.
  public static let sliceExtension = Self(rawValue: 20)
  /// A slice of MVC with depth.
  public static let sliceExtensionForDepth = Self(rawValue: 21)
}
