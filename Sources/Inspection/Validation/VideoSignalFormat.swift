// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import LibAV
internal import NALUnits

/// The format that a file's frames claim to have. It decides which rules apply.
enum VideoSignalFormat: Hashable, Sendable, CustomStringConvertible {
  /// Dolby Vision, with its profile. The compatibility describes the base layer (4 is HLG). `nil`
  /// means that the compatibility is unknown, or that the profile has none.
  case dolbyVision(profile: UInt8, compatibility: UInt8?)
  /// BT.2100 HLG.
  case hlg
  /// BT.2100 PQ.
  case hdr10
  /// Everything else, including untagged video.
  case sdr

  /// Determines a track's format from the first of these that it has: a configuration record, RPUs,
  /// a transfer function.
  init(_ facts: VideoFacts, rpuProfile: UInt8?) {
    let transfer = facts.tags.signal.color.transferCharacteristics
    if let record = facts.hdrMetadata.dolbyVision?.value {
      self = .dolbyVision(
        profile: record.profile,
        compatibility: record.profile >= 8 ? record.baseLayerSignalCompatibilityID : nil)
    } else if let rpuProfile {
      // Without a record, nothing declares the compatibility, so derive it from the base layer's
      // curve.
      let layer = DataMapping.BaseLayerSignal(transfer) ?? .sdr
      let ofCodec = facts.bitstream.flatMap {
        CodecParameters.bitstream(named: $0.codecName)?.dolbyVisionProfile
      }
      self = .dolbyVision(
        profile: rpuProfile == 8 ? ofCodec ?? 8 : rpuProfile,
        compatibility: rpuProfile == 8 ? layer.rawValue : nil)
    } else {
      self = transfer == .hlg ? .hlg : transfer == .pq ? .hdr10 : .sdr
    }
  }

  static let dolbyVision84 = profile8(.hlg)

  /// Returns Dolby Vision profile 8 with a given base layer.
  private static func profile8(_ layer: DataMapping.BaseLayerSignal) -> Self {
    .dolbyVision(profile: 8, compatibility: layer.rawValue)
  }

  var isDolbyVision: Bool {
    if case .dolbyVision = self { true } else { false }
  }

  /// The colors that the format prescribes (BT.2100; Dolby Vision Profiles and Levels), or `nil` if
  /// it allows several.
  var color: ColorDescription? {
    switch self {
    case .hlg, Self.profile8(.hlg): .hlg
    case .hdr10, .dolbyVision(7, _), Self.profile8(.pq): .pq
    case .sdr, .dolbyVision: nil
    }
  }

  /// Returns whether the format allows these colors.
  func permits(_ found: ColorDescription) -> Bool {
    guard let color else { return true }
    // BT.2100 allows ICtCp (14) and R′G′B′ (0) instead of BT.2020's matrix. Dolby Vision 7, 8.1 and
    // 8.4 allow only BT.2020's matrix (for 8.4, see TN3145).
    guard self == .hlg || self == .hdr10 else { return found == color }
    return found.colorPrimaries == color.colorPrimaries
      && found.transferCharacteristics == color.transferCharacteristics
      && [color.matrixCoefficients.rawValue, 14, 0].contains(found.matrixCoefficients.rawValue)
  }

  /// The name as reports show it, such as `Dolby Vision 8.4`, `HLG`, `HDR10` or `SDR`.
  var description: String {
    switch self {
    case .dolbyVision(let profile, let compatibility):
      "Dolby Vision \(profile)" + (compatibility.map { ".\($0)" } ?? "")
    case .hlg: "HLG"
    case .hdr10: "HDR10"
    case .sdr: "SDR"
    }
  }
}
