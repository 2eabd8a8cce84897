// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import DolbyVision
internal import ISOBMFF

/// What is known about the Dolby Vision of a source. Only the base layer is decoded. If the base
/// layer means nothing without reshaping, it is reshaped.
package struct DolbyVisionSource {
  private let record: ConfigurationRecord?
  private let rpu: ReferenceProcessingUnit?
  private let hasRPUs: Bool
  private let hasEnhancementUnits: Bool

  /// - Returns: `nil` if the source has neither a record nor RPUs.
  package init?(_ metadata: HDRMetadata) {
    record = metadata.dolbyVision?.value
    rpu = metadata.dolbyVisionRPU
    hasRPUs = metadata.frames.has(DolbyVisionRPU.self)
    hasEnhancementUnits = metadata.hasDolbyVisionEnhancementLayer
    guard record != nil || hasRPUs else { return nil }
  }

  /// Makes a source of which only the record is known.
  init(_ record: ConfigurationRecord) {
    (self.record, rpu, hasRPUs, hasEnhancementUnits) = (record, nil, false, false)
  }

  // The RPUs are believed before the record, which may be wrong: some records say profile 5
  // although the RPUs have residuals and so belong to profile 7.
  private var profile: UInt8? { rpu?.profile ?? record?.rpuProfile }

  // For profiles up to 7 and for profile 9, the profile alone decides what the base layer is. For
  // other profiles, the record's compatibility ID decides (Dolby Vision Profiles and Levels, 2.1
  // and annex I).

  /// Whether the base layer is closed: its colors are in IPT, and mean nothing without Dolby's
  /// reshaping.
  var isClosed: Bool {
    switch profile {
    case 1, 3, 5: true
    // In profile 8, players without Dolby Vision can always show the base layer. A compatibility ID
    // of 0 is then a mistake of the writer.
    case 0, 2, 4, 6, 7, 8, 9: false
    default: record?.baseLayerSignalCompatibilityID == 0
    }
  }

  /// The signal of the base layer, which any player can show; `nil` if the layer is closed, or if
  /// only the color tags say what it is.
  var baseLayer: DataMapping.BaseLayerSignal? {
    switch profile {
    case 0, 2, 4, 9: return .sdr
    case 1, 3, 5: return nil
    case 6, 7: return .pq
    default: break
    }
    guard let id = record?.baseLayerSignalCompatibilityID else { return nil }
    // Blu-ray discs use the ID 6. Their base layer is HDR10.
    return id == 6 ? .pq : DataMapping.BaseLayerSignal(rawValue: id)
  }

  /// Whether the source is an enhancement layer without its base layer.
  package var isEnhancementLayer: Bool { record?.isEnhancementLayer == true }

  /// Why the decoded frames cannot be converted as they are; `nil` if they can. The text fits the
  /// end of a sentence.
  package var obstacle: String? {
    if isEnhancementLayer { return "\(name), an enhancement layer without its base layer" }
    return isClosed ? "\(name), whose frames mean nothing until RPUs reshape them" : nil
  }

  /// Whether only RPUs could tell what the frames mean, but all of them are damaged.
  ///
  /// - Parameter transfer: the transfer function of the frames, according to their tags.
  package func isUndecided(_ transfer: TransferCharacteristics) -> Bool {
    // Frames of profile 5 have no color tags. So if frames have RPUs, but neither a tag nor a
    // record, they may be of profile 5, and only a readable RPU could tell.
    hasRPUs && rpu == nil && record == nil && !transfer.isSpecified
  }

  /// A notice about what is lost; `nil` if nothing is lost. There is a loss if the record or the
  /// RPUs are not of profile 8, or if the RPUs are damaged.
  package var notice: Notice? {
    guard let profile, profile != 8 else { return rpuNotice }
    return .baseLayerTaken(
      name, isClosed ? "closed" : baseLayer?.format, without: enhancementLayer)
  }

  /// A notice that RPUs are damaged or not of profile 8; `nil` if all is well.
  private var rpuNotice: Notice? {
    guard let rpu else { return hasRPUs ? .rpusDamaged : nil }
    guard rpu.profile != 8 else { return nil }
    return .rpusOfOtherProfile(rpu.profile, record: record.map { "\($0)" })
  }

  /// The layer that is not decoded, in words; `nil` if there is none.
  private var enhancementLayer: String? {
    guard record?.hasEnhancementLayer ?? false || hasEnhancementUnits else { return nil }
    switch rpu?.enhancementLayer {
    case .minimal: return "its enhancement layer (MEL, without residuals)"
    case .full: return "its enhancement layer (FEL, with residuals)"
    case nil: return "its enhancement layer"
    }
  }

  /// Returns a notice that tags contradict the base layer; `nil` if they agree with it.
  package func tagNotice(_ transfer: TransferCharacteristics) -> Notice? {
    guard let baseLayer, !baseLayer.permits(transfer),
      // If the RPUs agree with the tags, the record is wrong, and another notice says so.
      rpu?.mappedSignal?.permits(transfer) != true
    else { return nil }
    return .tagsNotOfBaseLayer(name, baseLayer.format, transfer)
  }

  /// A notice that frames are reshaped.
  var reshapingNotice: Notice { .baseLayerReshaped(name) }

  private var name: String {
    if let record, let unit = rpu?.profile, record.rpuProfile != unit {
      return "Dolby Vision profile \(unit), according to its RPUs (its record says \(record))"
    }
    if let record { return "Dolby Vision \(record)" }
    return "Dolby Vision" + (profile.map { " profile \($0), according to its RPUs" } ?? "")
  }
}

extension ConfigurationRecord {
  /// Whether the track has only the enhancement layer, and another track has the base layer.
  var isEnhancementLayer: Bool {
    // If the record of a single-layer profile says that there is no base layer, it is mistaken.
    !hasBaseLayer && !hasSingleLayer
  }

  /// Whether the profile has only one layer: 5 and all profiles from 8 on (Dolby Vision Profiles
  /// and Levels, 2.1).
  var hasSingleLayer: Bool { profile > 7 || profile == 5 }
}
