// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience

/// Which of AVFoundation's four rules for `AVVideoColorPropertiesKey` applies, and its result
/// (Apple, "Tagging media with video color information").
package struct TaggingDecision: Hashable, Sendable {
  package enum Rule: String, Sendable {
    /// The settings have color properties, and the source is wholly or partly untagged. The output
    /// is tagged with the properties, and R'G'B' does not change.
    case tagUntaggedSource
    /// The settings have color properties, and the source is tagged. Pixels are converted if the
    /// meaning differs, and the output is tagged with the properties.
    case convertTaggedSource
    /// The settings have no color properties, and the source is tagged. The output is tagged like
    /// the source.
    case propagate
    /// The settings have no color properties, and the source is untagged. The output stays
    /// untagged.
    case leaveUntagged
  }

  package let rule: Rule
  /// What the conversion assumes about the source's pixels. Unspecified if nothing may be
  /// converted.
  package let source: ColorDescription
  /// The color for the output's tags.
  package let output: ColorDescription
  /// Parts of the source's description that no place declares, but that a standard implies.
  package let inferred: [SignalField]
  /// Parts that are declared but could not be used, because the rest is missing and cannot be
  /// inferred. The source is then treated as untagged.
  package let ignored: [SignalField]

  /// Applies the rules.
  ///
  /// - Parameters:
  ///   - source: the color that the source declares.
  ///   - colorProperties: the color that the settings ask for, with all three parts, or `nil` if
  ///     they ask for none.
  package init(source: ColorDescription, colorProperties: ColorDescription?) {
    guard let wanted = colorProperties else {
      rule = source.isUnspecified ? .leaveUntagged : .propagate
      self.source = source
      output = source
      inferred = []
      ignored = []
      return
    }
    output = wanted
    let completed = Self.complete(source)
    if completed.description.isComplete {
      rule = .convertTaggedSource
      self.source = completed.description
      inferred = completed.inferred
      ignored = []
    } else {
      rule = .tagUntaggedSource
      let matrixAlone = ColorDescription(.unspecified, .unspecified, source.matrixCoefficients)
      // Converting samples to R'G'B' and back does not depend on what R'G'B' means, unless the
      // matrix is derived from the primaries or depends on the transfer function.
      let knowsMatrix = SignalCoding(matrixAlone) != nil
      self.source = knowsMatrix ? matrixAlone : .unspecified
      inferred = []
      ignored = SignalField.allCases.filter { field in
        field.statement(in: SignalDescription(color: source)) != nil
          && !(knowsMatrix && field == .yCbCrMatrix)
      }
    }
  }

  /// Whether only the matrix of the source's Y'CbCr is used, and the other parts count as untagged.
  package var knowsMatrixOnly: Bool {
    // In that case, samples are converted to R'G'B' with the source's matrix, and to Y'CbCr with
    // the output's matrix. R'G'B' itself does not change. A source in R'G'B' has no matrix to
    // exchange.
    rule == .tagUntaggedSource && source.matrixCoefficients.isSpecified
      && source.matrixCoefficients != .identity
  }

  /// Keeps the source's tags, except for parts that the caller changed because they would be wrong
  /// for the output's frames. For example, R'G'B' that has to become Y'CbCr gets another matrix.
  ///
  /// - Parameters:
  ///   - source: the color that the source declares.
  ///   - output: the same color, after the parts that would be wrong were changed.
  package init(propagating source: ColorDescription, with output: ColorDescription) {
    rule = .propagate
    self.source = source
    self.output = output
    inferred = []
    ignored = []
  }

  /// Completes a description with what a standard implies.
  private static func complete(
    _ color: ColorDescription
  ) -> (description: ColorDescription, inferred: [SignalField]) {
    var result = color
    var inferred: [SignalField] = []
    // For HLG and PQ, BT.2100 has only one set of primaries and one usual matrix for Y'CbCr, so
    // each implies the other. SDR has no such pairs.
    guard color.transferCharacteristics.isHDR else { return (result, inferred) }
    if !color.colorPrimaries.isSpecified, color.matrixCoefficients == .bt2020NonConstant {
      result.colorPrimaries = .bt2020
      inferred.append(.colorPrimaries)
    }
    if !color.matrixCoefficients.isSpecified, color.colorPrimaries == .bt2020 {
      result.matrixCoefficients = .bt2020NonConstant
      inferred.append(.yCbCrMatrix)
    }
    return (result, inferred)
  }
}
