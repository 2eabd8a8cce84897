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

  /// What a base layer means to players that do not know Dolby Vision.
  enum BaseLayer: Equatable {
    /// Video that any player can show.
    case open(DataMapping.BaseLayerSignal)
    /// Colors in IPT, which mean nothing without Dolby's reshaping.
    case closed

    /// The signal; `nil` if the layer is closed.
    var signal: DataMapping.BaseLayerSignal? {
      if case .open(let signal) = self { signal } else { nil }
    }

    /// The layer's name to display: `HDR10`.
    var name: String { signal?.format ?? "closed" }

    /// Returns whether the layer promises this transfer function.
    func permits(_ transfer: TransferCharacteristics) -> Bool {
      signal?.permits(transfer) ?? false
    }
  }

  // The RPUs are believed before the record, which may be wrong: some records say profile 5
  // although the RPUs have residuals and so belong to profile 7.
  private var profile: UInt8? { rpu?.profile ?? record?.rpuProfile }

  /// The base layer (Dolby Vision Profiles and Levels, 2.1 and annex I); `nil` if only the color
  /// tags say what it is.
  var baseLayer: BaseLayer? {
    // For profiles up to 7 and for profile 9, the profile alone decides. For other profiles, the
    // record's compatibility ID decides.
    switch profile {
    case 0, 2, 4, 9: return .open(.sdr)
    case 1, 3, 5: return .closed
    case 6, 7: return .open(.pq)
    default: break
    }
    switch record?.baseLayerSignalCompatibilityID {
    // In profile 8, players without Dolby Vision can always show the base layer. An ID of 0 is then
    // a mistake of the writer.
    case 0: return profile == 8 ? nil : .closed
    // Blu-ray discs use this ID. Their base layer is HDR10.
    case 6: return .open(.pq)
    case let id?: return DataMapping.BaseLayerSignal(rawValue: id).map { .open($0) }
    case nil: return nil
    }
  }

  /// Why decoded frames cannot be converted as they are. Each case has the name of the source's
  /// Dolby Vision.
  package enum Obstacle: Hashable, Sendable, CustomStringConvertible {
    /// An enhancement layer without its base layer.
    case enhancementLayer(String)
    /// A base layer that means nothing without Dolby's reshaping.
    case closedBaseLayer(String)

    /// The obstacle as the end of a sentence.
    package var description: String {
      switch self {
      case .enhancementLayer(let name):
        "\(name), an enhancement layer without its base layer"
      case .closedBaseLayer(let name):
        "\(name), whose frames mean nothing until RPUs reshape them"
      }
    }
  }

  /// Why the decoded frames cannot be converted as they are; `nil` if they can.
  package var obstacle: Obstacle? {
    if record?.isEnhancementLayer == true { return .enhancementLayer(name) }
    return baseLayer == .closed ? .closedBaseLayer(name) : nil
  }

  /// Whether only RPUs could tell what the frames mean, but all of them are damaged.
  ///
  /// - Parameter transfer: the transfer function of the frames, according to their tags.
  package func isUndecided(_ transfer: TransferCharacteristics) -> Bool {
    // Frames of profile 5 have no color tags. If there is a record or a tag, it says what they are.
    hasRPUs && rpu == nil && record == nil && !transfer.isSpecified
  }

  /// A notice about what is lost if the record or the RPUs are not of profile 8, or if the RPUs are
  /// damaged; `nil` if nothing is lost.
  package var notice: Notice? {
    guard let profile, profile != 8 else { return rpuNotice }
    return .baseLayerTaken(name, baseLayer?.name, without: enhancementLayer)
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
    guard let baseLayer, baseLayer != .closed, !baseLayer.permits(transfer),
      // If the RPUs agree with the tags, the record is wrong, and another notice says so.
      rpu?.mappedSignal?.permits(transfer) != true
    else { return nil }
    return .tagsNotOfBaseLayer(name, baseLayer.name, transfer)
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
    // If a record of a profile with one layer has no base layer, that is a mistake.
    !hasBaseLayer && !hasSingleLayer
  }

  /// Whether the profile has only one layer: 5 and all profiles from 8 on (Dolby Vision Profiles
  /// and Levels, 2.1).
  var hasSingleLayer: Bool { profile > 7 || profile == 5 }
}
