// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorTagging

extension SignalDescription {
  /// The signal as a report shows it: `BT.709 (1) / …, limited range, chroma left (0)`.
  package var text: String {
    let parts = SignalField.allCases.map { $0.statement(in: self) }
    return [
      colorText, parts[3].map { "\($0) range" } ?? "range unstated",
      parts[4].map { "chroma \($0)" } ?? "chroma location unstated",
    ].joined(separator: ", ")
  }

  /// The three parts of the color as a report shows them.
  package var colorText: String {
    // Three dashes would look like a fault, but an untagged file is not faulty.
    guard !color.isUnspecified else { return "no color" }
    return SignalField.allCases.prefix(3).map { $0.statement(in: self) ?? "–" }
      .joined(separator: " / ")
  }
}
