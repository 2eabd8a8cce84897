internal import Bitstreams

/// Finds the sequence parameter set that a picture is decoded with: the slice names a picture
/// parameter set, which names a sequence parameter set, and of several with the same number the
/// last one holds (H.264, 7.4.1.2.1; H.265, 7.4.2.4.2).
struct ActiveParameterSet {
  private let codec: NALCodec
  private var sequenceSets: [UInt64: SequenceParameterSet] = [:]
  /// The numbers of sequence parameter sets by that of the picture parameter set.
  private var pictureSets: [UInt64: UInt64] = [:]
  /// The first sequence parameter set: where no slice tells, it is taken.
  private var first: SequenceParameterSet?
  private var active: SequenceParameterSet?

  init(_ codec: NALCodec, _ units: [NALUnit]) {
    self.codec = codec
    for unit in units where active == nil && unit.isBaseLayer(codec) { add(unit) }
  }

  /// The set; nil where there is none.
  var parameterSet: SequenceParameterSet? {
    active ?? first.flatMap { sequenceSets[$0.parameterSetID] }
  }

  private mutating func add(_ unit: NALUnit) {
    switch (codec, unit.hevcType, unit.avcType) {
    case (.hevc, .sequenceParameterSet, _), (.avc, _, .sequenceParameterSet):
      guard let set = try? SequenceParameterSet(unit, codec) else { return }
      sequenceSets[set.parameterSetID] = set
      first = first ?? set
    case (.hevc, .pictureParameterSet, _), (.avc, _, .pictureParameterSet):
      var reader = BitReader(unit.payload(codec))
      guard let number = try? reader.ue(), let sequence = try? reader.ue() else { return }
      pictureSets[number] = sequence
    default:
      guard let number = pictureSet(ofSlice: unit), let sequence = pictureSets[number] else {
        return
      }
      active = sequenceSets[sequence]
    }
  }

  /// The picture parameter set that a slice names (H.264, 7.3.3; H.265, 7.3.6.1); nil for other
  /// units and for slices that are not the first of their picture.
  private func pictureSet(ofSlice unit: NALUnit) -> UInt64? {
    // The number stands in the first bytes.
    var reader = BitReader(NALUnit(Array(unit.bytes.prefix(32))).payload(codec))
    do {
      if codec == .avc {
        guard (1...5).contains(unit.avcType.rawValue), try reader.ue() == 0 else { return nil }
        _ = try reader.ue()
      } else {
        let type = unit.hevcType.rawValue
        guard type <= 9 || (16...21).contains(type), try reader.flag() else { return nil }
        if type >= 16 { try reader.skip(1) }
      }
      return try reader.ue()
    } catch {
      return nil
    }
  }
}

extension SequenceParameterSet {
  /// Reads a NAL unit.
  init(_ unit: NALUnit, _ codec: NALCodec) throws(BitstreamError) {
    let payload = unit.payload(codec)
    switch codec {
    case .avc: try self.init(avcPayload: payload)
    case .hevc: try self.init(hevcPayload: payload)
    }
  }
}

extension NALUnit {
  /// Whether a unit belongs to the layer that every decoder knows (`nuh_layer_id` 0), not to the
  /// second view of a stereo video.
  public func isBaseLayer(_ codec: NALCodec) -> Bool {
    guard codec == .hevc, bytes.count > 1 else { return true }
    return bytes[0] & 1 == 0 && bytes[1] >> 3 == 0
  }

  /// Whether a unit of HEVC is a coded slice of another layer than that which every decoder knows.
  public var isPictureOfOtherLayer: Bool { !isBaseLayer(.hevc) && hevcType.rawValue < 32 }

  /// Whether this is a slice of another view of MVC (H.264, 7.3.1 and H.7.3.1.1): a slice extension
  /// that is none of SVC, or one of depth.
  public var isPictureOfOtherView: Bool {
    switch avcType {
    case .sliceExtension: bytes.count > 1 && bytes[1] & 0x80 == 0
    case .sliceExtensionForDepth: true
    default: false
    }
  }
}
