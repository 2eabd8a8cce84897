// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import NALUnits

/// What is known about one kind of dynamic metadata in all samples of a track.
struct MetadataSurvey<Kind: DynamicHDRMetadataKind>: Sendable {
  /// The number of samples.
  private(set) var sampleCount = 0
  /// The number of samples with the metadata.
  private(set) var present = 0
  /// Samples without the metadata.
  private(set) var missing = Tally()
  /// Samples with more than one message.
  private(set) var several = Tally()
  /// Samples whose message cannot be read.
  private(set) var unreadable = Tally()
  /// Samples with values that the standard does not allow.
  private(set) var issues = Tally()
  /// Samples whose metadata has a later version than this code knows.
  private(set) var later = Tally()

  /// Examines the SEI messages of a sample.
  mutating func add(_ messages: [SEIMessage]) {
    let sample = sampleCount
    sampleCount += 1
    let values = messages.compactMap { Kind.payload(in: [NALUnit(hevcPrefixSEI: $0)]) }
    guard let first = values.first else {
      missing.add(sample)
      return
    }
    present += 1
    if values.count > 1 { several.add(sample, "\(values.count) messages") }
    let value = Kind(payload: first)
    guard !value.isOfLaterVersion else {
      later.add(sample, value.fault ?? "")
      return
    }
    guard value.isReadable else {
      unreadable.add(sample, value.fault ?? "")
      return
    }
    if let issue = value.fault { issues.add(sample, issue) }
  }

  /// The outcome of the rule that every sample has one message.
  var presenceOutcome: RuleOutcome {
    let lack = missing.text(of: sampleCount).map { "none in \($0)" }
    if let text = several.text(of: sampleCount) {
      return .faults(["more than one in \(text)"] + [lack].compactMap(\.self), otherwise: "")
    }
    // For a frame without metadata, a player uses the values of the previous frame, so nothing is
    // broken.
    if let lack { return .warning(lack) }
    return .pass("\(present) of \(sampleCount.counted("frame"))")
  }

  /// The outcome of the rule that all messages can be read.
  var syntaxOutcome: RuleOutcome {
    if let text = unreadable.text(of: sampleCount) { return .fail("cannot be read in \(text)") }
    if let text = later.text(of: sampleCount) { return .warning("an unknown version in \(text)") }
    return .pass("all \(present) can be read")
  }

  /// The outcome of the rule that all values are valid.
  var valuesOutcome: RuleOutcome {
    issues.text(of: sampleCount).map { .fail($0) } ?? .pass("all \(present)")
  }

  /// Returns the outcome of a rule, or `notApplicable` if no sample has the metadata.
  func outcome(_ outcome: (Self) -> RuleOutcome) -> RuleOutcome {
    present > 0 ? outcome(self) : .notApplicable("no \(Kind.name)")
  }
}
