internal import Bitstreams

/// Reads the slice headers of a stream, access unit by access unit in the order of decoding, for
/// the types of its pictures and their order of output.
public struct CodedPictureReader: Sendable {
  private let codec: NALCodec
  private var sequenceSets: [UInt64: SequenceParameterSet] = [:]
  private var pictureSets: [UInt64: PictureParameterSet] = [:]
  private var sequence = 0
  /// `PicOrderCntVal` of the last picture that others may count from (H.265, 8.3.1).
  private var previousOrderCount = 0
  /// Whether the next picture begins a coded video sequence: the first, and that behind EOS.
  private var isAtStart = true

  /// A reader at the beginning of a stream.
  ///
  /// - Parameter parameterSets: those that stand beside the stream.
  public init(_ codec: NALCodec, parameterSets: [NALUnit]) {
    self.codec = codec
    for unit in parameterSets { add(unit) }
  }

  /// Reads the next access unit.
  ///
  /// - Returns: nil for units without a slice of the base layer: no picture.
  public mutating func read(_ units: [NALUnit]) -> CodedPicture? {
    var picture: CodedPicture?
    for unit in units where unit.isBaseLayer(codec) {
      if unit.isSlice(codec) {
        picture = picture ?? self.picture(unit)
      } else {
        add(unit)
      }
    }
    return picture
  }

  private mutating func add(_ unit: NALUnit) {
    switch (codec, unit.hevcType, unit.avcType) {
    case (.hevc, .sequenceParameterSet, _):
      guard let set = try? SequenceParameterSet(unit, codec) else { return }
      sequenceSets[set.parameterSetID] = set
    case (.hevc, .pictureParameterSet, _):
      guard let (id, set) = try? PictureParameterSet.reading(unit) else { return }
      pictureSets[id] = set
    case (.hevc, .endOfSequence, _), (.hevc, .endOfBitstream, _): isAtStart = true
    default: break
    }
  }

  private mutating func picture(_ unit: NALUnit) -> CodedPicture {
    // What is needed stands in the first bytes.
    let payload = NALUnit(Array(unit.bytes.prefix(64))).payload(codec)
    var reader = BitReader(payload)
    if codec == .avc {
      _ = try? reader.ue()
      let type = (try? reader.ue()).flatMap(PictureType.init(avcSliceType:))
      return CodedPicture(type: type, order: nil)
    }
    guard let slice = try? hevcSlice(unit.hevcType, &reader) else {
      return CodedPicture(type: nil, order: nil)
    }
    // It may begin a sequence.
    let orderCount = count(slice.leastBits, bits: slice.bits, unit)
    return CodedPicture(
      type: PictureType(hevcSliceType: slice.type),
      order: PictureOrder(sequence: sequence, orderCount: orderCount))
  }

  /// `slice_segment_header` up to the order count (H.265, 7.3.6.1).
  private func hevcSlice(
    _ type: HEVCNALUnitType, _ reader: inout BitReader
  ) throws -> (type: UInt64, leastBits: Int, bits: Int) {
    let isFirst = try reader.flag()
    if type.isRandomAccess { try reader.skip(1) }
    guard isFirst, let pictureSet = pictureSets[try reader.ue()],
      let set = sequenceSets[pictureSet.sequenceParameterSetID]
    else { throw BitstreamError.endOfData(bitPosition: 0, wanted: 1, available: 0) }
    try reader.skip(pictureSet.extraSliceHeaderBits)
    let sliceType = try reader.ue()
    if pictureSet.hasOutputFlag { try reader.skip(1) }
    if set.hasSeparateColorPlanes { try reader.skip(2) }
    let bits = set.pictureOrderCountBits
    return (sliceType, type.isIDR ? 0 : Int(try reader.u(bits)), bits)
  }

  /// The decoding process for the picture order count (H.265, 8.3.1).
  private mutating func count(_ leastBits: Int, bits: Int, _ unit: NALUnit) -> Int {
    let type = unit.hevcType
    let range = 1 << bits
    var high = 0
    if type.isRandomAccess && (isAtStart || type.isIDR || type.isBrokenLink) {
      sequence += 1
    } else {
      let previousLow = previousOrderCount & (range - 1)
      high = previousOrderCount - previousLow
      if leastBits < previousLow && previousLow - leastBits >= range / 2 {
        high += range
      } else if leastBits > previousLow && leastBits - previousLow > range / 2 {
        high -= range
      }
    }
    isAtStart = false
    let isLowestLayer = unit.bytes.count > 1 && unit.bytes[1] & 7 == 1
    if isLowestLayer && !type.isLeadingOrUnreferenced { previousOrderCount = high + leastBits }
    return high + leastBits
  }
}

/// What slices need to know of a picture parameter set of HEVC (7.3.2.3.1).
private struct PictureParameterSet: Sendable {
  let sequenceParameterSetID: UInt64
  /// `output_flag_present_flag`.
  let hasOutputFlag: Bool
  /// `num_extra_slice_header_bits`.
  let extraSliceHeaderBits: Int

  static func reading(_ unit: NALUnit) throws -> (id: UInt64, set: PictureParameterSet) {
    var reader = BitReader(unit.payload(.hevc))
    let (id, sequence) = (try reader.ue(), try reader.ue())
    try reader.skip(1)
    let hasOutputFlag = try reader.flag()
    return (
      id,
      PictureParameterSet(
        sequenceParameterSetID: sequence, hasOutputFlag: hasOutputFlag,
        extraSliceHeaderBits: Int(try reader.u(3)))
    )
  }
}

extension NALUnit {
  /// Whether a unit is a slice, or a slice segment (H.264, table 7-1: 1 to 5; H.265: 0 to 9, 16 to
  /// 21).
  public func isSlice(_ codec: NALCodec) -> Bool {
    guard codec == .hevc else { return (1...5).contains(avcType.rawValue) }
    return hevcType.rawValue <= 9 || (16...21).contains(hevcType.rawValue)
  }
}

extension HEVCNALUnitType {
  /// IRAP pictures and the types reserved for them.
  fileprivate var isRandomAccess: Bool { (16...23).contains(rawValue) }
  fileprivate var isIDR: Bool { rawValue == 19 || rawValue == 20 }
  fileprivate var isBrokenLink: Bool { (16...18).contains(rawValue) }
  /// RADL and RASL pictures, and those that no other of their sublayer refers to.
  fileprivate var isLeadingOrUnreferenced: Bool {
    (6...9).contains(rawValue) || (rawValue < 16 && rawValue % 2 == 0)
  }
}
