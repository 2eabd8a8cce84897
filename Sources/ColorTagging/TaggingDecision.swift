// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorScience

/// Rule of AVFoundation's `AVVideoColorPropertiesKey` that applies, one of four, and its result
/// (Apple, "Tagging media with video color information").
package struct TaggingDecision: Hashable, Sendable {
  /// The rules.
  package enum Rule: String, Sendable {
    /// Color properties are set, the source is untagged, wholly or in part: the output is tagged
    /// with them, R'G'B' stays as it is.
    case tagUntaggedSource
    /// Color properties are set, the source is tagged: pixels are converted where the meaning
    /// differs, the output is tagged with the properties.
    case convertTaggedSource
    /// No color properties, the source is tagged: the output is tagged as the source is.
    case propagate
    /// No color properties, the source is untagged: the output carries no color tags.
    case leaveUntagged
  }

  /// The rule that applies.
  package let rule: Rule
  /// Meaning of the source's pixels for a conversion; unspecified where nothing may be converted.
  package let source: ColorDescription
  /// Color that the output is tagged with.
  package let output: ColorDescription
  /// Parts of the source's description that no place states and a standard implies.
  package let inferred: [SignalField]
  /// Parts of the source's description that are stated but could not be used, because the rest is
  /// missing and cannot be inferred: the source was treated as untagged.
  package let ignored: [SignalField]

  /// Applies the rules.
  ///
  /// - Parameters:
  ///   - source: the color that the source states.
  ///   - colorProperties: the color that the settings demand, all three parts; nil where they state
  ///     none.
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
      // The way from samples to R'G'B' and back is known without the meaning of R'G'B', but for
      // matrices that derive from the rest.
      let knowsMatrix = SignalCoding(matrixAlone) != nil
      self.source = knowsMatrix ? matrixAlone : .unspecified
      inferred = []
      ignored = SignalField.allCases.filter { field in
        field.statement(in: SignalDescription(color: source)) != nil
          && !(knowsMatrix && field == .yCbCrMatrix)
      }
    }
  }

  /// True if the source counts as untagged but for the matrix of its Y'CbCr: samples become R'G'B'
  /// by it and those of the output's, and R'G'B' stays as it is.
  package var knowsMatrixOnly: Bool {
    rule == .tagUntaggedSource && source.matrixCoefficients.isSpecified
      && source.matrixCoefficients != .identity
  }

  /// Keeps the source's tags as far as the output's frames can carry them: R'G'B' that has to
  /// become Y'CbCr gets another matrix.
  ///
  /// - Parameters:
  ///   - source: the color that the source states.
  ///   - output: the same with what has to differ.
  package init(propagating source: ColorDescription, with output: ColorDescription) {
    rule = .propagate
    self.source = source
    self.output = output
    inferred = []
    ignored = []
  }

  /// HLG and PQ are defined by BT.2100 with one set of primaries and, for Y'CbCr, one matrix that
  /// is in use, so that either implies what is missing.
  private static func complete(
    _ color: ColorDescription
  ) -> (description: ColorDescription, inferred: [SignalField]) {
    var result = color
    var inferred: [SignalField] = []
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
