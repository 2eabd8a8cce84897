internal import Bitstreams

extension DecoderConfiguration {
  /// `avcC` or `hvcC` content with other NAL units in the places of its own; everything else stays.
  ///
  /// - Returns: nil where the content is in neither form.
  public static func replacing(
    _ bytes: [UInt8], _ codec: NALCodec, _ change: (NALUnit) throws -> NALUnit
  ) rethrows -> [UInt8]? {
    guard let places = unitPlaces(bytes, codec) else { return nil }
    var result: [UInt8] = []
    var position = 0
    for place in places {
      let unit = try change(NALUnit(Array(bytes[place])))
      // The length of 16 bits stands right before the unit.
      result += bytes[position..<place.lowerBound - 2]
      result += [UInt8(truncatingIfNeeded: unit.bytes.count >> 8)]
      result += [UInt8(truncatingIfNeeded: unit.bytes.count)] + unit.bytes
      position = place.upperBound
    }
    return result + bytes[position...]
  }

  /// `hvcC` content that says that all parameter sets are in it (`array_completeness`, ISO/IEC
  /// 14496-15, 8.3.3.1), as sample entries of type `hvc1` must.
  ///
  /// - Returns: nil where the content is damaged.
  public static func completing(hvcC bytes: [UInt8]) -> [UInt8]? {
    var result = bytes
    var reader = ByteReader(bytes)
    do {
      try reader.skip(22)
      for _ in 0..<(try reader.integer(UInt8.self)) {
        let type = HEVCNALUnitType(rawValue: try reader.integer(UInt8.self) & 0x3F)
        if [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet].contains(type) {
          result[reader.position - 1] |= 0x80
        }
        for _ in 0..<(try reader.integer(UInt16.self)) {
          try reader.skip(Int(try reader.integer(UInt16.self)))
        }
      }
    } catch {
      return nil
    }
    return result
  }

  /// Where the NAL units of a record lie.
  private static func unitPlaces(_ bytes: [UInt8], _ codec: NALCodec) -> [Range<Int>]? {
    var reader = ByteReader(bytes)
    var places: [Range<Int>] = []
    func take(_ count: Int) throws(BitstreamError) {
      for _ in 0..<count {
        let length = Int(try reader.integer(UInt16.self))
        places.append(reader.position..<reader.position + length)
        try reader.skip(length)
      }
    }
    do {
      if codec == .hevc {
        try reader.skip(22)
        for _ in 0..<(try reader.integer(UInt8.self)) {
          try reader.skip(1)
          try take(Int(try reader.integer(UInt16.self)))
        }
      } else {
        try reader.skip(5)
        try take(Int(try reader.integer(UInt8.self) & 0x1F))
        try take(Int(try reader.integer(UInt8.self)))
      }
    } catch {
      return nil
    }
    return places
  }
}
