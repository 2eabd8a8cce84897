internal import Bitstreams

/// `HEVCDecoderConfigurationRecord`, the content of `hvcC` (ISO/IEC 14496-15, 8.3.3.1): what it
/// says beside the parameter sets themselves.
public struct HEVCConfigurationRecord: Hashable, Sendable {
  /// NAL units of one type.
  public struct UnitArray: Hashable, Sendable {
    /// `array_completeness`: whether samples have no units of this type.
    public let isComplete: Bool
    /// `NAL_unit_type`.
    public let type: HEVCNALUnitType
    /// The number of units.
    public let count: Int
  }

  /// `general_profile_idc`.
  public let profileIdc: Int
  /// `general_level_idc`: thirty times the level.
  public let levelIdc: Int
  /// `chroma_format_idc`: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  public let chromaFormatIdc: Int
  /// Bits of a luma sample.
  public let bitDepthLuma: Int
  /// Bits of a chroma sample.
  public let bitDepthChroma: Int
  /// The arrays of NAL units, in their order.
  public let arrays: [UnitArray]

  /// Reads a payload; nil where it is cut off.
  public init?(payload: [UInt8]) {
    guard payload.count >= 23 else { return nil }
    profileIdc = Int(payload[1] & 0x1F)
    levelIdc = Int(payload[12])
    chromaFormatIdc = Int(payload[16] & 3)
    bitDepthLuma = Int(payload[17] & 7) + 8
    bitDepthChroma = Int(payload[18] & 7) + 8
    var reader = ByteReader(payload, at: 22)
    var arrays: [UnitArray] = []
    do {
      for _ in 0..<(try reader.integer(UInt8.self)) {
        let first = try reader.integer(UInt8.self)
        let count = Int(try reader.integer(UInt16.self))
        for _ in 0..<count { try reader.skip(Int(try reader.integer(UInt16.self))) }
        arrays.append(
          UnitArray(
            isComplete: first & 0x80 != 0, type: HEVCNALUnitType(rawValue: first & 0x3F),
            count: count))
      }
    } catch {
      return nil
    }
    self.arrays = arrays
  }
}
