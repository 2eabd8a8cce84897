/// Why a command could not do what it was asked to: what, where, and what to do about it.
public struct TranscodingError: Error, Sendable, CustomStringConvertible {
  /// What the one who asked can do about it.
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

  /// What can be done about it.
  public let kind: Kind
  /// One line: what went wrong, where, and what to do.
  public let message: String
  /// Where an output that failed verification was kept.
  public let keptPath: String?

  /// An error from its parts.
  public init(_ kind: Kind, _ message: String, keptPath: String? = nil) {
    self.kind = kind
    self.message = message
    self.keptPath = keptPath
  }

  /// The message.
  public var description: String { message }
}
