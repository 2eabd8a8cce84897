// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

extension VideoSettings {
  /// What happens to frames with a clean aperture (`clap`).
  public enum CleanApertureMode: String, Sendable, CaseIterable {
    /// Frames stay whole, and the output declares the clean aperture.
    case keep
    /// Frames are cropped to the clean aperture, with edges rounded to whole chroma samples.
    case crop
  }

  /// What happens to interlaced frames.
  public enum DeinterlaceMode: String, Sendable, CaseIterable {
    /// They stay interlaced.
    case off
    /// Each interlaced frame becomes one progressive frame. Other frames are not changed.
    case auto
    /// Each frame, interlaced or not, becomes one progressive frame.
    case frame
    /// Each frame becomes two progressive frames, one for each field.
    case bob
  }

  /// What happens to frames that are rotated or mirrored for display.
  public enum RotationMode: String, Sendable, CaseIterable {
    /// Frames are not changed, and the output's matrix rotates them.
    case keep
    /// Frames are rotated before they are encoded, and the output has no matrix that rotates them
    /// again.
    case apply
  }

  /// What happens to samples that are not square.
  public enum PixelAspectMode: String, Sendable, CaseIterable {
    /// They keep their shape, and the output declares it.
    case keep
    /// Frames are scaled until samples are square.
    case square
  }

  /// What happens to black bars.
  public enum CropMode: String, Sendable, CaseIterable {
    /// They stay in the frame.
    case none
    /// They are detected and cropped.
    case auto
  }

  /// Where the content light level comes from (`kVTCompressionPropertyKey_ContentLightLevelInfo`).
  public enum ContentLightLevelOrigin: Hashable, Sendable {
    /// The source's values, as long as they are still true.
    case source
    /// Measured from the output's frames (CTA-861.3, Annex P of CTA-861).
    case measure
    /// These values.
    case stated(ContentLightLevel)
    /// None.
    case unstated
  }

  /// Which mastering display the output states
  /// (`kVTCompressionPropertyKey_MasteringDisplayColorVolume`).
  public enum MasteringDisplayOrigin: Hashable, Sendable {
    /// The source's display, as long as it is still true.
    case source
    /// The source's display, as long as it is still true. If there is no such display, and HDR is
    /// converted to a different transfer function, the output states the display that the
    /// conversion is for. That display has the output's primaries and a maximum of
    /// `hlgPeakLuminance`.
    case auto
    /// This display.
    case stated(MasteringDisplayColorVolume)
    /// None.
    case unstated
  }
}
