// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// `DOVIDecoderConfigurationRecord`, the content of `dvcC`, `dvvC` and `dvwC` (Dolby Vision
/// Streams within the ISO Base Media File Format, 2.2).
package struct ConfigurationRecord: Hashable, Sendable, CustomStringConvertible {
  /// The size of a record in bytes.
  package static let size = 24
  /// `dv_bl_signal_compatibility_id` for the HDR10 of Ultra HD Blu-ray discs, the base layer of
  /// profile 7.
  package static let discCompatibilityID: UInt8 = 6

  /// `dv_version_major`.
  package var versionMajor: UInt8
  /// `dv_version_minor`.
  package var versionMinor: UInt8
  /// `dv_profile`, 7 bits.
  package var profile: UInt8
  /// `dv_level`, 6 bits.
  package var level: UInt8
  /// `rpu_present_flag`.
  package var hasRPU: Bool
  /// `el_present_flag`.
  package var hasEnhancementLayer: Bool
  /// `bl_present_flag`.
  package var hasBaseLayer: Bool
  /// `dv_bl_signal_compatibility_id`, 4 bits: 1 for HDR10, 2 for SDR, 4 for HLG.
  package var baseLayerSignalCompatibilityID: UInt8

  // These bits are kept unchanged, so that reading and writing a record of a later version loses
  // nothing.
  /// The last bits of the record: `dv_md_compression` and reserved bits.
  private var rest: [UInt8]

  /// `dv_md_compression`, 2 bits: 0 none, 1 limited, 3 extended (FFmpeg, `AVDOVICompression`). 2 is
  /// reserved.
  package var metadataCompression: UInt8 {
    get { (rest.first ?? 0) >> 2 & 3 }
    set {
      let reserved = (rest.first ?? 0) & 0b0011
      rest = [reserved | (newValue & 3) << 2] + rest.dropFirst()
    }
  }

  /// Makes the record (version 1.0) of a single track that contains a base layer and its RPUs.
  /// Returns `nil` if no level allows frames of this size at this rate.
  ///
  /// - Parameters:
  ///   - profile: 5, 7, 8, or 10 for AV1.
  ///   - baseLayerSignalCompatibilityID: 4 for HLG, as in profile 8.4.
  ///   - width: the coded width in pixels.
  ///   - height: the coded height in pixels.
  ///   - frameRate: frames per second.
  package init?(
    profile: UInt8 = 8,
    baseLayerSignalCompatibilityID: UInt8 = DataMapping.BaseLayerSignal.hlg.rawValue, width: Int,
    height: Int,
    frameRate: Double
  ) {
    let level = Self.level(width: width, height: height, frameRate: frameRate)
    guard let level else { return nil }
    versionMajor = 1
    versionMinor = 0
    self.profile = profile
    self.level = level
    hasRPU = true
    hasEnhancementLayer = false
    hasBaseLayer = true
    self.baseLayerSignalCompatibilityID = baseLayerSignalCompatibilityID
    // One entry for the low half of the fifth byte, then the 19 reserved bytes.
    rest = [UInt8](repeating: 0, count: Self.size - 4)
  }

  /// Reads the payload of a `dvcC`, `dvvC` or `dvwC` box.
  package init(payload: [UInt8]) throws(DolbyVisionError) {
    var reader = BitReader(payload)
    do throws(BitstreamError) {
      versionMajor = UInt8(try reader.u(8))
      versionMinor = UInt8(try reader.u(8))
      profile = UInt8(try reader.u(7))
      level = UInt8(try reader.u(6))
      hasRPU = try reader.flag()
      hasEnhancementLayer = try reader.flag()
      hasBaseLayer = try reader.flag()
      baseLayerSignalCompatibilityID = UInt8(try reader.u(4))
      rest = [UInt8(try reader.u(4))] + payload.dropFirst(5)
    } catch {
      throw .unreadableRecord(error)
    }
  }

  /// The record as the payload of its box.
  package var payload: [UInt8] {
    let flags: UInt16 = (hasRPU ? 4 : 0) | (hasEnhancementLayer ? 2 : 0) | (hasBaseLayer ? 1 : 0)
    let word = UInt16(profile & 0x7F) << 9 | UInt16(level & 0x3F) << 3 | flags
    let fifth = baseLayerSignalCompatibilityID << 4 | (rest.first ?? 0) & 0x0F
    return [versionMajor, versionMinor, UInt8(word >> 8), UInt8(word & 0xFF), fifth]
      + rest.dropFirst()
  }

  /// The profile and level as text for people, such as `profile 8.4, level 4`.
  package var description: String {
    "profile \(profileText), level \(level)"
  }

  /// The profile of the RPUs in the track. Profile 10 is AV1: its RPUs have profile 5 if the base
  /// layer is not compatible with anything, otherwise profile 8 (Dolby Vision Profiles and Levels,
  /// 2.1).
  package var rpuProfile: UInt8 {
    guard profile == 10 else { return profile }
    return baseLayerSignalCompatibilityID == 0 ? 5 : 8
  }

  /// The profile as text, such as `5`, or `8.4` with the base layer's compatibility ID.
  package var profileText: String {
    // Only profile 8 and higher profiles have several kinds of base layer.
    profile >= 8 ? "\(profile).\(baseLayerSignalCompatibilityID)" : "\(profile)"
  }
}

extension DataMapping {
  /// The kinds of base layer in profile 8, by `dv_bl_signal_compatibility_id` (Dolby Vision
  /// Profiles and Levels, 2.1).
  package enum BaseLayerSignal: UInt8, Sendable, CaseIterable, CustomStringConvertible {
    /// PQ, which the mapping leaves nearly unchanged (8.1).
    case pq = 1
    /// SDR, whose white the mapping puts far below the white of PQ and HLG (8.2).
    case sdr = 2
    /// HLG, as phones record it (8.4).
    case hlg = 4

    /// The base layer of profile 7, whose RPUs can become those of profile 8.
    package static let ofDualLayers = Self.pq

    /// Whether computed RPUs name a mastering display. Computed RPUs for HLG follow the RPUs of
    /// phones, which name none.
    package var namesDisplay: Bool { self == .pq }

    /// The base layer's format as text for people, such as `HDR10`.
    package var format: String {
      switch self {
      case .pq: "HDR10"
      case .sdr: "SDR"
      case .hlg: "HLG"
      }
    }

    /// The signal and its profile as text for people, such as `PQ (8.1)`.
    package var description: String { "\(self == .pq ? "PQ" : format) (8.\(rawValue))" }
  }
}
