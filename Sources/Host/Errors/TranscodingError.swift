// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import FoundationEssentials

/// An error that says what failed, where, and what to do about it.
public struct TranscodingError: Error, Sendable, CustomStringConvertible {
  /// Groups errors by what a user can do about them. Each kind has an exit code.
  public enum Kind: Sendable, Hashable {
    /// The settings are wrong or contradict each other.
    case invalidSettings
    /// The input is damaged, or of a kind that Candela does not read.
    case unusableInput
    /// The input does not exist.
    case noInput
    /// A library, one of its features, or a resource of the system is missing.
    case unavailable
    /// The output cannot be created, or exists already.
    case cannotCreateOutput
    /// Reading or writing failed, for example because the disk is full.
    case inputOutput
    /// The output is not what was promised. It was kept at ``keptPath``.
    case verificationFailed
    /// A bug in Candela.
    case internalFault
  }

  /// Stable names for errors that a program may want to react to, often by changing an option or a
  /// setting.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The movie is fragmented. Transcoding it with the codec `passthrough` makes it one piece.
    case fragmentedMovie
    /// The estimated output does not fit on the disk. Set `ignoresFreeSpace` to try anyway.
    case doesNotFit
    /// A file exists at the output's path. Set `overwrite` to replace it.
    case outputExists
    /// Another run is writing the output, or working on its segments.
    case writtenByAnother
    /// The source contradicts itself, and the option `strict` refuses that.
    case conflictingStatements
    /// The source is cut off. The option `onError` decides what happens then.
    case truncatedInput
    /// The source is damaged. The option `onError` decides what happens then.
    case damagedInput
    /// HDR needs more bits than the output's samples have. Change the settings.
    case hdrNeedsMoreBits
    /// The settings name one container, and the output's extension stands for another.
    case containerIsNotOfName
    /// A settings change is not written as `key=value`.
    case malformedChange
    /// The request changes nothing.
    case nothingToChange
    /// A value of HDR metadata is out of its range.
    case impossibleMetadata
    /// The sample entry code is unknown.
    case unknownCodecTag
    /// The tag for full or limited range cannot be removed while the color tags stay. Remove both.
    case rangeBesideColor
    /// The RPUs are invalid or do not match the frames. Set `force` to insert them anyway.
    case unfitRPUs
    /// The number of RPUs differs from the number of frames.
    case otherRPUCount
    /// The file has no frame with this number.
    case noSuchFrame
    /// The output's path is a folder.
    case outputIsFolder
    /// No preset has this name.
    case unknownPreset
    /// The settings have no key with this name.
    case unknownKey
    /// An encoder option sets metadata that an output takes from its source.
    case statedMetadata
    /// A segment is damaged or not what was planned. Encode the file as a whole.
    case unfitSegment
  }

  /// The group of the error, by what a user can do about it.
  public let kind: Kind
  /// The stable name of the error, or `nil` if the kind tells a program enough.
  public let code: Code?
  /// The values that the message contains, keyed by stable names. Empty if the error has no code.
  public let arguments: [String: String]
  /// One line: what failed, where, and what to do.
  public let message: String
  /// The path of an output that was kept although it is incomplete, or failed its verification.
  public let keptPath: String?
  /// What verification found wrong with the output. Empty for other errors.
  public let faults: [Notice]
  /// The path of the settings key that the error is about.
  package var settingsKey: String?

  /// Creates an error.
  public init(
    _ kind: Kind, _ message: String, code: Code? = nil, arguments: [String: String] = [:],
    keptPath: String? = nil, faults: [Notice] = []
  ) {
    self.kind = kind
    self.code = code
    self.arguments = arguments
    self.message = message
    self.keptPath = keptPath
    self.faults = faults
  }

  /// Returns the same error with its subject in front of the message.
  package func of(_ subject: String) -> TranscodingError {
    var error = TranscodingError(
      kind, "\(subject): \(message)", code: code, arguments: arguments, keptPath: keptPath,
      faults: faults)
    error.settingsKey = settingsKey
    return error
  }

  /// Returns the error with the path in front of its message, if the error is of kind
  /// `unusableInput` and its message does not name the path yet. Returns other errors unchanged.
  package func naming(_ path: String) -> TranscodingError {
    kind == .unusableInput && !names(path) ? of(path) : self
  }

  private func names(_ path: String) -> Bool {
    // Without a slash or a dot, a path such as `video` may be an ordinary word of the message. Such
    // a path counts only at the beginning.
    message.hasPrefix(path) || path.contains { "./".contains($0) } && message.contains(path)
  }

  /// The same as ``message``.
  public var description: String { message }
}

extension TranscodingError: LocalizedError {
  /// The message, in English: what failed, where, and what to do.
  public var errorDescription: String? { message }

  /// A change that avoids the error, or `nil` if the message says it all.
  public var recoverySuggestion: String? { code.flatMap { Self.suggestions[$0] } }

  private static let suggestions: [Code: String] = [
    .fragmentedMovie: "Transcode it with the codec 'passthrough' to make it one piece.",
    .doesNotFit: "Make room on the disk, or set 'ignoresFreeSpace' to try anyway.",
    .outputExists: "Choose another name, or set 'overwrite' to replace the file.",
    .conflictingStatements: "Clear 'strict' to use the value that Candela believes.",
    .truncatedInput: "Set 'onError' to 'continue' to use what is there.",
    .damagedInput: "Set 'onError' to 'continue' to conceal what is damaged.",
    .hdrNeedsMoreBits: "Choose 10 bits, or convert to SDR with SDR color properties.",
    .containerIsNotOfName: "Give the output the extension of its container, or choose the "
      + "container that fits its name.",
    .nothingToChange: "State at least one change.",
    .rangeBesideColor: "Remove the color tags, too.",
    .unfitRPUs: "Set 'force' to insert the RPUs anyway.",
    .unfitSegment: "Encode the file as a whole.",
  ]
}
