// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
package import Host
package import Reading
package import Shots

/// Options of a run, beside the settings of the output.
public struct TranscodeOptions: Sendable {
  /// The reaction to damaged data.
  public enum OnError: String, Sendable, CaseIterable {
    /// Take what can be decoded, also of a file that is cut off.
    case `continue`
    /// Stop at the first damage.
    case stop
  }

  /// The thoroughness of verification, before an output gets its name.
  public enum VerificationLevel: String, Sendable, CaseIterable {
    /// Tags, sizes, the number and times of all samples; the first frame is decoded.
    case normal
    /// Also every frame is decoded.
    case decode
    /// Nothing.
    case none
  }

  /// True if an existing output may be replaced.
  public var overwrite = false
  /// True if a source with conflicting tags is refused.
  public var strict = false
  /// The reaction to damage; nil to conceal damaged frames and to refuse files that are cut off.
  public var onError: OnError?
  /// True to try an output that does not fit on the disk by estimate.
  public var ignoresFreeSpace = false
  /// All that the run reads and writes beside what the session itself does; nil for nothing.
  package var files: RunFiles?
  /// The thoroughness of verification.
  public var verification = VerificationLevel.normal
  /// The meaning of the source's colors, in place of the file's statements; nil to believe the
  /// file.
  public var sourceColor: ColorDescription?
  /// True if segments are encoded apart: the encoder has to be the same for each of them.
  package var isSegmented = false
  /// The shots that tone curves are fitted to, where they were found before; nil to look for them.
  package var shots: ShotPlan?

  /// The composition for each frame before it is encoded; nil for that of the settings.
  public var videoComposition: VideoComposition?

  /// The part of the presentation that is wanted; nil for the whole.
  package var range: TimeRange?

  /// The defaults.
  public init() {}
}
