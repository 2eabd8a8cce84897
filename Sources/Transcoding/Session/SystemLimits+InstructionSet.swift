// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorConversion
package import Host

extension SystemLimits {
  /// Checks the environment variable that chooses the processor instructions for color conversion.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for an unknown name, and of kind
  ///   `unavailable` for instructions that this processor does not have.
  package static func checkInstructionSet() throws(TranscodingError) {
    // Conversions ignore a wrong value, so that an environment variable never makes a conversion
    // fail. Only this check reports the value to the user.
    do {
      try InstructionSet.checkChoice()
    } catch {
      throw TranscodingError(error)
    }
  }
}

extension TranscodingError {
  fileprivate init(_ fault: InstructionSet.ChoiceFault) {
    let variable = InstructionSet.variable
    switch fault {
    case .unknown(let value, let names):
      self.init(
        .invalidSettings,
        "\(variable) cannot be '\(value)': use one of \(names.joined(separator: ", ")), "
          + "or unset it")
    case .missing(let title, let available):
      self.init(
        .unavailable,
        "this processor has no \(title), which \(variable) asks for: use "
          + "\(available.joined(separator: " or ")), or unset it")
    }
  }
}
