public import CodePoints

/// Whether to go on after damaged data.
public enum OnError: String, Sendable, CaseIterable {
  /// Take what can be decoded, also of a file that is cut off.
  case `continue`
  /// Stop at the first damage.
  case stop
}

/// How an output is checked before it gets its name.
public enum VerificationLevel: String, Sendable, CaseIterable {
  /// Tags, sizes, the number and times of all samples; the first picture is decoded.
  case normal
  /// Also every picture is decoded.
  case decode
  /// Nothing.
  case none
}

/// What is to be done, apart from the settings of the output.
public struct TranscodeOptions: Sendable {
  /// Whether an output that exists may be replaced.
  public var overwrite = false
  /// Whether a source whose tags contradict each other is refused.
  public var strict = false
  /// Whether to go on after damage; nil to conceal damaged pictures and refuse files cut off.
  public var onError: OnError?
  /// Whether to try what does not fit on the disk by estimate.
  public var ignoresFreeSpace = false
  /// Files beside the input that the output must not replace, such as the preset's.
  public var protectedFiles: [String] = []
  /// How the output is checked.
  public var verification = VerificationLevel.normal
  /// What the source's colors mean, whatever the file says; nil to believe the file.
  public var sourceColor: ColorDescription?

  /// What is done to each frame before it is encoded; nil for what the settings say.
  public var videoComposition: VideoComposition?

  /// The defaults.
  public init() {}
}
