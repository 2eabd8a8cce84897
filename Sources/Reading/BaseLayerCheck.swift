// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import ColorScience
internal import DolbyVision
package import Host
internal import LibAV
package import MediaCore

/// Refuses a frame that has to be reshaped by its RPU (Dolby Vision profiles 5 and 10.0) if the
/// track's first frames must not be reshaped, or the other way round. The first frames decide how
/// all frames of the track are shown.
package struct BaseLayerCheck: Sendable {
  /// The error for a track whose frames change from one kind to the other.
  package struct Fault: ExplainedError {
    fileprivate let message: String

    package func explained(at path: String) -> TranscodingError {
      TranscodingError(.unusableInput, "\(path): \(message)")
    }
  }

  private let trackID: Int
  /// The profile of Dolby Vision, in the track's codec, whose frames have to be reshaped.
  private let closedProfile: String
  /// Whether the first frames are reshaped. Frames of the other kind are refused.
  private let reshapes: Bool

  /// - Returns: `nil` if the first frames do not say whether frames have to be reshaped.
  package init?(_ track: AssetTrack) {
    guard let video = track.video else { return nil }
    reshapes = video.reshaped != nil
    guard reshapes || DolbyVisionSource(video.hdrMetadata)?.obstacle == nil else { return nil }
    trackID = track.demuxed.id
    // In HEVC, frames that have to be reshaped have a profile of their own. In AV1, they are a
    // variant of profile 10 (Dolby Vision Profiles and Levels, 2.1).
    closedProfile = track.demuxed.codec.nalCodec == nil ? "10.0" : "5"
  }

  /// Throws if a frame is of a different kind than the first frames.
  ///
  /// - Parameter time: when the frame is presented, in the media.
  package func refuse(_ metadata: FrameMetadata, at time: MediaTime) throws(Fault) {
    // A frame whose RPU is missing or damaged does not show its kind.
    guard let unit = metadata[DolbyVisionRPU.self]?.unit else { return }
    if reshapes, let profile = unit.profile, profile != 5 {
      throw fault(
        "the frames are Dolby Vision profile \(closedProfile) up to \(time.seconds) s, but not "
          + "after that, and the later frames must not be reshaped")
    }
    if !reshapes, SignalReshaping(unit) != nil {
      throw fault(
        "the frames are Dolby Vision profile \(closedProfile) from \(time.seconds) s on, but not "
          + "before, and only the later frames have to be reshaped by their RPUs")
    }
  }

  private func fault(_ reason: String) -> Fault {
    Fault(
      message: "track \(trackID): \(reason); cut the file at that time, and work on each part "
        + "separately")
  }
}
