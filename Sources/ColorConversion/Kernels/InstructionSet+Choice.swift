// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials

/// Lets a user choose the instructions that convert frames, for tests.
extension InstructionSet {
  /// The environment variable that names the instructions.
  package static let variable = "CANDELA_INSTRUCTION_SET"

  /// What is wrong with the variable's value.
  package enum ChoiceFault: Error, Hashable {
    /// The value names no instruction set.
    case unknown(String, names: [String])
    /// The processor does not have the instructions that the value names.
    case missing(String, available: [String])
  }

  /// Checks the variable's value.
  package static func checkChoice() throws(ChoiceFault) { _ = try named() }

  /// Returns the instruction set that the variable names, or `nil` if the variable is not set.
  static func named(
    _ value: String? = ProcessInfo.processInfo.environment[variable],
    available: [InstructionSet] = InstructionSet.available
  ) throws(ChoiceFault) -> InstructionSet? {
    guard let value, !value.isEmpty else { return nil }
    guard let set = InstructionSet(rawValue: value) else {
      throw .unknown(value, names: InstructionSet.allCases.map(\.rawValue))
    }
    // Running missing instructions would end the process with a signal, without an explanation.
    guard available.contains(set) else {
      throw .missing(set.title, available: available.map(\.rawValue))
    }
    return set
  }
}
