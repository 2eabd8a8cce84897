// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Which dynamic HDR metadata an output gets.
public struct HDRMetadataSettings: Hashable, Sendable {
  /// The Dolby Vision of an output.
  public enum DolbyVisionMode: String, Sendable, CaseIterable {
    /// The source's Dolby Vision, if it is still true of the output's frames. Otherwise, profile
    /// 8.4 (10.4 in AV1) is computed if the output is HLG.
    case auto
    /// Profile 8.1 (10.1 in AV1), for PQ. The source's Dolby Vision is kept if it has this profile
    /// and is still true of the output's frames. Otherwise, the profile is computed.
    case profile81 = "8.1"
    /// Profile 8.4 (10.4 in AV1), for HLG. The source's Dolby Vision is kept if it has this profile
    /// and is still true of the output's frames. Otherwise, the profile is computed.
    case profile84 = "8.4"
    /// No Dolby Vision.
    case none

    /// The transfer function of frames with this profile; `nil` if no profile is asked for.
    package var transferCharacteristics: TransferCharacteristics? {
      switch self {
      case .profile81: .pq
      case .profile84: .hlg
      case .auto, .none: nil
      }
    }
  }

  /// The HDR10+ or the headroom-adaptive gain curves of an output.
  public enum MeasuredMode: String, Sendable, CaseIterable {
    /// The source's metadata, if it has any that is still true. HDR10+ that is no longer true is
    /// measured again.
    case auto
    /// The metadata is measured. HDR10+, which needs an output in PQ, is measured in the output's
    /// frames. For gain curves, the light of each shot is measured.
    case measure
    /// None.
    case none
  }

  /// The Dolby Vision of the output. `hdrMetadataInsertionMode` must not be `none` if a profile is
  /// asked for.
  public var dolbyVision = DolbyVisionMode.auto
  /// The HDR10+ of the output.
  public var hdr10Plus = MeasuredMode.auto
  /// The headroom-adaptive gain curves of the output (SMPTE ST 2094-50).
  public var headroomAdaptiveGain = MeasuredMode.auto

  /// Creates the default settings.
  public init() {}
}
