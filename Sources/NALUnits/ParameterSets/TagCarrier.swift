/// The kinds of NAL units that a change of tags looks at.
package enum TagCarrier {
  case sequenceParameterSet
  /// A video or picture parameter set, which says nothing of color.
  case otherParameterSet
  case sei
  /// A parameter set of another layer or view, whose syntax is another and which is not changed.
  case otherLayer

  /// The kind of a unit; nil for other units.
  package init?(_ unit: NALUnit) {
    let type = unit.type
    switch type {
    case .avc(.subsetSequenceParameterSet): self = .otherLayer
    case _ where !unit.isBaseLayer:
      guard type.isParameterSet else { return nil }
      self = .otherLayer
    case _ where type.isSequenceParameterSet: self = .sequenceParameterSet
    case _ where type.isParameterSet: self = .otherParameterSet
    case .hevc(.prefixSEI), .avc(.sei): self = .sei
    default: return nil
    }
  }
}
