/// The kinds of NAL units that a change of tags looks at.
public enum TagCarrier {
  case sequenceParameterSet
  /// A video or picture parameter set, which says nothing of color.
  case otherParameterSet
  case sei
  /// A parameter set of another layer or view, whose syntax is another and which is not changed.
  case otherLayer

  /// The kind of a unit; nil for other units.
  public init?(_ unit: NALUnit, _ codec: NALCodec) {
    guard unit.isBaseLayer(codec), unit.avcType.rawValue != 15 || codec == .hevc else {
      guard codec == .avc || (32...34).contains(unit.hevcType.rawValue) else { return nil }
      self = .otherLayer
      return
    }
    switch (codec, unit.hevcType, unit.avcType) {
    case (.hevc, .sequenceParameterSet, _), (.avc, _, .sequenceParameterSet):
      self = .sequenceParameterSet
    case (.hevc, .videoParameterSet, _), (.hevc, .pictureParameterSet, _),
      (.avc, _, .pictureParameterSet):
      self = .otherParameterSet
    case (.hevc, .prefixSEI, _), (.avc, _, .sei): self = .sei
    default: return nil
    }
  }
}
