// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
public import CodePoints
package import Host
package import Reading
package import Shots

/// Options of a run, besides the settings for the output.
public struct TranscodeOptions: Sendable {
  /// What to do about damaged data.
  public enum OnError: String, Sendable, CaseIterable {
    /// Take all that can be decoded, even from a truncated file.
    case `continue`
    /// Stop at the first damage.
    case stop
  }

  /// How thoroughly an output is verified before it gets its name.
  public enum VerificationLevel: String, Sendable, CaseIterable {
    /// Check tags, sizes, and the number and times of all samples, and decode the first frame.
    case normal
    /// Also decode all frames after the first.
    case decode
    /// Do not verify the output.
    case none
  }

  /// Whether an existing output may be replaced.
  public var overwrite = false
  /// Whether a source with conflicting tags is refused.
  public var strict = false
  /// What to do about damage, or `nil` to conceal damaged frames but refuse truncated files.
  public var onError: OnError?
  /// Whether to try an output that, by estimate, does not fit on its disk.
  public var ignoresFreeSpace = false
  /// The list of files that the run reads and writes, or `nil` to begin a new list.
  package var files: RunFiles?
  /// How thoroughly the output is verified.
  public var verification = VerificationLevel.normal
  /// What the source's colors mean, whatever the file declares, or `nil` to believe the file.
  public var sourceColor: ColorDescription?
  /// Whether segments are encoded separately. If so, the encoder's result must not depend on the
  /// machine.
  package var isSegmented = false
  /// The shots for tone curves or gain curves if the shots are known already, or `nil` to look for
  /// them.
  package var shots: ShotPlan?
  /// Whether shots are looked for, which decodes much of the file. Plans that are not used for
  /// encoding skip the search.
  package var looksForShots = true

  /// The metadata that copied frames get from another file, if any.
  package var graftedMetadata: GraftedMetadata?
  /// The file whose video takes the place of the input's video, if any. That video is copied.
  package var videoAsset: MediaAsset?

  /// How many processes encode the frames. With more than one, the frames are divided into
  /// segments, and the output is the same for every number above 1.
  ///
  /// Only export sessions start several processes. Each process runs the program `candela`, which
  /// must have the same version as this library. Such a process cannot use a ``videoComposition``.
  public var workers = WorkerCount.fixed(1)
  /// The path of the program `candela` for workers, or `nil` for the one that `PATH` finds.
  public var workerProgram: String?

  /// The composition that makes every frame, or `nil` for the settings' composition.
  public var videoComposition: VideoComposition?

  /// The requested part of the presentation, or `nil` for the whole.
  package var range: TimeRange?

  /// Makes options with the default values above.
  public init() {}
}
