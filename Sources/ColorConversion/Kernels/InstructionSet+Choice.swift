// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials

/// The choice of the instructions that convert frames, which a user has for tests: the fastest are
/// taken else.
extension InstructionSet {
  /// The environment variable that names the instructions.
  package static let variable = "CANDELA_INSTRUCTION_SET"

  /// A fault of the variable's value.
  package enum ChoiceFault: Error, Hashable {
    /// The value is no name.
    case unknown(String, names: [String])
    /// The processor has no such instructions.
    case missing(String, available: [String])
  }

  /// Checks the variable, which conversions ignore where it is wrong.
  package static func checkChoice() throws(ChoiceFault) { _ = try named() }

  /// The instruction set that the variable names; nil without the variable.
  static func named(
    _ value: String? = ProcessInfo.processInfo.environment[variable],
    available: [InstructionSet] = InstructionSet.available
  ) throws(ChoiceFault) -> InstructionSet? {
    guard let value, !value.isEmpty else { return nil }
    guard let set = InstructionSet(rawValue: value) else {
      throw .unknown(value, names: InstructionSet.allCases.map(\.rawValue))
    }
    guard available.contains(set) else {
      throw .missing(set.title, available: available.map(\.rawValue))
    }
    return set
  }
}
