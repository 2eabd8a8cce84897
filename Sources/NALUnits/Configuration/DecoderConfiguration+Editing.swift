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

  /// `hvcC` content with other prefix SEI units; an array for them is made or removed as needed.
  ///
  /// - Parameter change: gets the units that there are and gives those in their place.
  /// - Returns: nil where the content is damaged.
  public static func changingPrefixSEI(
    hvcC bytes: [UInt8], _ change: ([NALUnit]) -> [NALUnit]
  ) -> [UInt8]? {
    guard let (arrays, rest) = hevcArrays(bytes) else { return nil }
    let sei = HEVCNALUnitType.prefixSEI.rawValue
    let old = arrays.filter { $0.header & 0x3F == sei }.flatMap(\.units)
    let new = change(old)
    guard new != old else { return bytes }
    var changed = arrays.filter { $0.header & 0x3F != sei }
    let place = arrays.firstIndex { $0.header & 0x3F == sei } ?? changed.count
    // `array_completeness` of a new array is 0: samples may have messages of other kinds.
    let header = arrays.first { $0.header & 0x3F == sei }?.header ?? sei
    if !new.isEmpty { changed.insert((header, new), at: min(place, changed.count)) }
    return Array(bytes.prefix(22)) + serialized(changed) + rest
  }

  /// The number of arrays and the arrays of `hvcC`.
  static func serialized(_ arrays: [(header: UInt8, units: [NALUnit])]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append([UInt8(truncatingIfNeeded: arrays.count)])
    for array in arrays {
      writer.append(array.header)
      writer.append(UInt16(truncatingIfNeeded: array.units.count))
      for unit in array.units {
        writer.append(UInt16(truncatingIfNeeded: unit.bytes.count))
        writer.append(unit.bytes)
      }
    }
    return writer.bytes
  }

  /// The arrays of `hvcC`, the byte with their type and their units; and the bytes behind them.
  static func hevcArrays(
    _ bytes: [UInt8]
  ) -> (arrays: [(header: UInt8, units: [NALUnit])], rest: [UInt8])? {
    var reader = ByteReader(bytes)
    var arrays: [(header: UInt8, units: [NALUnit])] = []
    do {
      try reader.skip(22)
      for _ in 0..<(try reader.integer(UInt8.self)) {
        let header = try reader.integer(UInt8.self)
        var units: [NALUnit] = []
        for _ in 0..<(try reader.integer(UInt16.self)) {
          units.append(NALUnit(try reader.bytes(Int(try reader.integer(UInt16.self)))))
        }
        arrays.append((header, units))
      }
    } catch {
      return nil
    }
    return (arrays, reader.rest())
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
