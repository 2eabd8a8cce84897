// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import DolbyVision
internal import ISOBMFF

/// The Dolby Vision of a source. Only its base layer is decoded, and without Dolby's reshaping. The
/// base layer of some profiles is made to be seen by itself.
package struct DolbyVisionSource {
  private let record: ConfigurationRecord?
  private let rpu: ReferenceProcessingUnit?
  private let hasRPUs: Bool
  private let hasEnhancementUnits: Bool

  /// - Returns: nil for a source that has neither a record nor RPUs.
  package init?(_ metadata: HDRMetadata) {
    record = metadata.dolbyVision?.value
    rpu = metadata.dolbyVisionRPU
    hasRPUs = metadata.frames.has(DolbyVisionRPU.self)
    hasEnhancementUnits = metadata.hasDolbyVisionEnhancementLayer
    guard record != nil || hasRPUs else { return nil }
  }

  /// A source of which nothing but its record is known.
  init(_ record: ConfigurationRecord) {
    (self.record, rpu, hasRPUs, hasEnhancementUnits) = (record, nil, false, false)
  }

  /// Meaning of a base layer by itself.
  enum BaseLayer: Equatable {
    /// Video that can be seen.
    case open(DataMapping.BaseLayerSignal)
    /// Nothing that is known without Dolby's reshaping: its colors are IPT's.
    case closed

    /// The signal; nil for a closed layer.
    var signal: DataMapping.BaseLayerSignal? {
      if case .open(let signal) = self { signal } else { nil }
    }

    /// The layer for people: `HDR10`.
    var name: String { signal?.format ?? "closed" }

    /// True if a transfer function is the one that the layer promises.
    func permits(_ transfer: TransferCharacteristics) -> Bool {
      signal?.permits(transfer) ?? false
    }
  }

  private var profile: UInt8? { record?.profile ?? rpu?.profile }

  /// The base layer (Dolby Vision Profiles and Levels, 2.1 and annex I): up to profile 7 and in 9
  /// the profile tells it, in others the record's compatibility; nil where only tags do.
  var baseLayer: BaseLayer? {
    switch profile {
    case 0, 2, 4, 9: return .open(.sdr)
    case 1, 3, 5: return .closed
    case 6, 7: return .open(.pq)
    default: break
    }
    switch record?.baseLayerSignalCompatibilityID {
    // Some writers leave it out of profile 8, which has no such frames.
    case 0: return profile == 8 ? nil : .closed
    // The compatibility of Blu-ray discs.
    case 6: return .open(.pq)
    case let id?: return DataMapping.BaseLayerSignal(rawValue: id).map { .open($0) }
    case nil: return nil
    }
  }

  /// The reason for which frames cannot be converted, with the source's name.
  package enum Obstacle: Hashable, Sendable, CustomStringConvertible {
    /// An enhancement layer by itself.
    case enhancementLayer(String)
    /// A base layer that is nothing without Dolby's reshaping.
    case closedBaseLayer(String)

    /// The end of a sentence.
    package var description: String {
      switch self {
      case .enhancementLayer(let name):
        "\(name): it is an enhancement layer, without the video that it is for"
      case .closedBaseLayer(let name):
        "\(name): its frames are neither HLG, PQ nor SDR without Dolby's reshaping, and cannot "
          + "be converted"
      }
    }
  }

  /// The reason for which the frames cannot be converted; nil if they can.
  package var obstacle: Obstacle? {
    if record?.isEnhancementLayer == true { return .enhancementLayer(name) }
    return baseLayer == .closed ? .closedBaseLayer(name) : nil
  }

  /// Notice about the losses of a profile other than 8, and of RPUs of other profiles; nil for 8.
  package var notice: Notice? {
    guard let profile, profile != 8 else { return rpuNotice }
    return .baseLayerTaken(
      name, baseLayer?.name, isAV1: profile == 10, without: enhancementLayer)
  }

  /// Notice that RPUs are not those of profile 8, whatever the record states, or are damaged; nil
  /// where neither is so.
  private var rpuNotice: Notice? {
    guard let rpu else { return hasRPUs ? .rpusDamaged : nil }
    guard rpu.profile != 8 else { return nil }
    return .rpusOfOtherProfile(rpu.profile, record: record.map { "\($0)" })
  }

  /// The layer that is not decoded; nil where there is none.
  private var enhancementLayer: String? {
    guard record?.hasEnhancementLayer ?? false || hasEnhancementUnits else { return nil }
    switch rpu?.enhancementLayer {
    case .minimal: return "its enhancement layer (MEL, without residuals)"
    case .full: return "its enhancement layer (FEL, with residuals)"
    case nil: return "its enhancement layer"
    }
  }

  /// Notice that tags are not those of the base layer; nil where they are.
  package func tagNotice(_ transfer: TransferCharacteristics) -> Notice? {
    guard let baseLayer, baseLayer != .closed, !baseLayer.permits(transfer) else { return nil }
    return .tagsNotOfBaseLayer(name, baseLayer.name, transfer)
  }

  private var name: String {
    if let record { return "Dolby Vision \(record)" }
    return "Dolby Vision" + (profile.map { " profile \($0), by its RPUs" } ?? "")
  }
}

extension ConfigurationRecord {
  /// True if a track of two is the one that is nothing by itself. From 5 on but for 6 and 7,
  /// profiles have one layer (Dolby Vision Profiles and Levels, 2.1), and there it is a mistake.
  var isEnhancementLayer: Bool {
    !hasBaseLayer && profile <= 7 && profile != 5
  }
}
