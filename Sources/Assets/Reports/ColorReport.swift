// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorTagging
internal import NALUnits

/// A report on a track's colors: their meaning, what each place claims, and conflicts.
package struct ColorReport: Sendable, Encodable {
  /// The meaning that is believed.
  package let resolved: SignalReport
  /// The claim of the container; `nil` if there is none.
  package let container: SignalReport?
  /// The claim of the bitstream; `nil` if the codec is not read.
  package let bitstream: SignalReport?
  /// The claim of the decoder; `nil` if there is none.
  package let decoder: SignalReport?
  /// The transfer function that SEI 147 prefers; `nil` if there is none.
  package let preferredTransferFunction: String?
  /// The claim of an ICC profile in the container; `nil` if there is none.
  package let profile: SignalReport?
  /// The claim of QuickTime's `gama`; `nil` if there is none.
  package let gamma: SignalReport?
  /// Places that contradict each other.
  package let conflicts: [Notice]
  /// Claims that are ignored, and why.
  package let notes: [Notice]

  /// One claim with names and numbers. Undeclared parts are left out.
  package struct SignalReport: Sendable, Encodable {
    /// The color primaries: `BT.2020 (9)`.
    package let colorPrimaries: String?
    /// The transfer function: `HLG (18)`.
    package let transferFunction: String?
    /// The matrix: `BT.2020 (9)`.
    package let yCbCrMatrix: String?
    /// `limited` or `full`.
    package let range: String?
    /// The chroma location: `left (0)`.
    package let chromaLocation: String?

    package init(_ signal: SignalDescription) {
      colorPrimaries = SignalField.colorPrimaries.statement(in: signal)
      transferFunction = SignalField.transferFunction.statement(in: signal)
      yCbCrMatrix = SignalField.yCbCrMatrix.statement(in: signal)
      range = SignalField.range.statement(in: signal)
      chromaLocation = SignalField.chromaLocation.statement(in: signal)
    }

    /// The three parts of the color as text.
    var colorText: String {
      let parts = [colorPrimaries, transferFunction, yCbCrMatrix]
      // Three dashes would look like a fault, but an untagged file is not faulty.
      let hasColor = parts.contains { $0 != nil }
      return hasColor ? parts.map { $0 ?? "–" }.joined(separator: " / ") : "no color"
    }

    package var text: String {
      [
        colorText, range.map { "\($0) range" } ?? "range unstated",
        chromaLocation.map { "chroma \($0)" } ?? "chroma location unstated",
      ].joined(separator: ", ")
    }
  }

  package init(_ facts: VideoFacts) {
    func claim(_ source: ClaimSource) -> SignalReport? {
      facts.claims.first { $0.source == source }.map { SignalReport($0.signal) }
    }
    resolved = SignalReport(facts.tags.signal)
    container = claim(.container)
    bitstream = claim(.bitstream)
    decoder = claim(.decoder)
    preferredTransferFunction = claim(.preferredTransfer)?.transferFunction
    profile = claim(.profile)
    gamma = claim(.gamma)
    conflicts = facts.tags.conflicts.map { .tagConflict($0) }
    notes = facts.tags.notes
  }

  package var lines: [String] {
    var lines = ["  color      \(resolved.text)"]
    for (name, report) in [
      ("container", container), ("bitstream", bitstream), ("decoder  ", decoder),
    ] {
      lines.append("    \(name)  \(report?.text ?? "not read for this codec")")
    }
    if let preferredTransferFunction {
      lines.append(
        "    \(StatementPlace.preferredTransfer)    prefers \(preferredTransferFunction)")
    }
    for (name, report) in [("ICC      ", profile), ("gama     ", gamma)] {
      if let report { lines.append("    \(name)  \(report.colorText)") }
    }
    lines += notes.map { "    NOTE       \($0)" }
    lines += conflicts.map { "    CONFLICT   \($0)" }
    return lines
  }
}
