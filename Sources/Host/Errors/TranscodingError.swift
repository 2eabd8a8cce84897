// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import FoundationEssentials

/// The reason for which work could not be done: what, where, and what to do about it.
public struct TranscodingError: Error, Sendable, CustomStringConvertible {
  /// The kind of error, by what a user can do about it.
  public enum Kind: Sendable, Hashable {
    /// The settings are wrong or contradict each other.
    case invalidSettings
    /// The input is damaged, or of a kind that cannot be used.
    case unusableInput
    /// There is no such input.
    case noInput
    /// A library or a feature of one is missing.
    case unavailable
    /// The output cannot be created, or is there already.
    case cannotCreateOutput
    /// Reading or writing failed: a full disk, a lost connection.
    case inputOutput
    /// The output was written but is not what was promised; it is kept at ``keptPath``.
    case verificationFailed
    /// A fault of this program.
    case internalFault
  }

  /// The stable name of an error that an option or a setting gets past, and which one that is.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// A movie in fragments: transcoding it with the codec `passthrough` makes it one piece.
    case fragmentedMovie
    /// There is less room on the disk than the output needs by estimate: `ignoresFreeSpace` tries
    /// it all the same.
    case doesNotFit
    /// There is a file at the output's path: `overwrite` replaces it.
    case outputExists
    /// Another run is writing the output, or works on its segments.
    case writtenByAnother
    /// The source contradicts itself, which the option `strict` refuses.
    case conflictingStatements
    /// The source is cut off, which the option `onError` decides about.
    case truncatedInput
    /// The source is damaged, which the option `onError` decides about.
    case damagedInput
    /// HDR does not fit into the bits of the output's samples, which the settings decide.
    case hdrNeedsMoreBits
    /// The container of the settings is not the one that the output's name stands for.
    case containerIsNotOfName
    /// A change of settings is not of the form `key=value`.
    case malformedChange
    /// Nothing is to be changed.
    case nothingToChange
    /// A value of HDR metadata cannot be so.
    case impossibleMetadata
    /// There is no such sample entry.
    case unknownCodecTag
    /// A range cannot be left out where color is stated: the color has to go, too.
    case rangeBesideColor
    /// RPUs are not valid or not for these frames: `force` puts them in all the same.
    case unfitRPUs
    /// There are more RPUs than frames, or fewer.
    case otherRPUCount
    /// There is no frame of this number.
    case noSuchFrame
    /// The output's name is that of a folder.
    case outputIsFolder
    /// There is no preset of this name.
    case unknownPreset
    /// Settings have no key of this name.
    case unknownKey
    /// An option of an encoder states metadata, which outputs have from their source.
    case statedMetadata
    /// A segment is not what was planned for it, or damaged: the whole has to be encoded as one.
    case unfitSegment
  }

  /// The kind of error.
  public let kind: Kind
  /// The name of the error; nil where the kind says all that a program could decide by.
  public let code: Code?
  /// The values that the message has, by names that never change; empty where there is no code.
  public let arguments: [String: String]
  /// One line: what went wrong, where, and what to do.
  public let message: String
  /// The path of an output that failed verification and was kept; nil for other errors.
  public let keptPath: String?
  /// The faults of an output that failed verification; empty for other errors.
  public let faults: [Notice]
  /// The path of the key of settings that the error is about; nil for other errors.
  package var settingsKey: String?

  /// An error from its parts.
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

  /// The same error, with what it is about in front.
  package func of(_ subject: String) -> TranscodingError {
    var error = TranscodingError(
      kind, "\(subject): \(message)", code: code, arguments: arguments, keptPath: keptPath,
      faults: faults)
    error.settingsKey = settingsKey
    return error
  }

  /// The same error with the file in front, where it is about a file and does not say which.
  package func naming(_ path: String) -> TranscodingError {
    kind == .unusableInput && !names(path) ? of(path) : self
  }

  /// A path without a folder or an extension may be a word that means something else.
  private func names(_ path: String) -> Bool {
    message.hasPrefix(path) || path.contains { "./".contains($0) } && message.contains(path)
  }

  /// The message.
  public var description: String { message }
}

extension TranscodingError: LocalizedError {
  /// The message, in English: what went wrong, where, and what to do.
  public var errorDescription: String? { message }

  /// The change that gets past the error; nil where the message says all there is to do.
  public var recoverySuggestion: String? { code.flatMap { Self.suggestions[$0] } }

  private static let suggestions: [Code: String] = [
    .fragmentedMovie: "Transcode it with the codec 'passthrough', which makes it one piece.",
    .doesNotFit: "Make room on the disk, or set 'ignoresFreeSpace' to try all the same.",
    .outputExists: "Choose another name, or set 'overwrite' to replace the file.",
    .conflictingStatements: "Clear 'strict' to go by the statement that is believed.",
    .truncatedInput: "Set 'onError' to 'continue' to take what is there.",
    .damagedInput: "Set 'onError' to 'continue' to conceal what is damaged.",
    .hdrNeedsMoreBits: "Choose 10 bits, or color properties of SDR, to which HDR is converted.",
    .containerIsNotOfName: "Name the output by its container, or choose the container of the name.",
    .nothingToChange: "State at least one change.",
    .rangeBesideColor: "Leave out the color, too.",
    .unfitRPUs: "Set 'force' to put the RPUs in as they are.",
    .unfitSegment: "Encode the file as a whole.",
  ]
}
