// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import NALUnits

/// What is known about the HDR10+ of all samples of a track.
struct HDR10PlusSurvey: Sendable {
  /// The number of samples.
  private(set) var sampleCount = 0
  /// The number of samples with HDR10+.
  private(set) var present = 0
  /// Samples without HDR10+.
  private(set) var missing = Tally()
  /// Samples with more than one message.
  private(set) var several = Tally()
  /// Samples whose message cannot be read.
  private(set) var unreadable = Tally()
  /// Samples with values that the standard does not allow.
  private(set) var issues = Tally()

  /// Examines the units of a sample.
  mutating func add(_ units: [NALUnit]) {
    let sample = sampleCount
    sampleCount += 1
    let messages = units.filter(\.type.isSEI).flatMap(SEIMessage.messages).compactMap { message in
      HDR10Plus.payload(in: [NALUnit(hevcPrefixSEI: message)])
    }
    guard let first = messages.first else {
      missing.add(sample)
      return
    }
    present += 1
    if messages.count > 1 { several.add(sample, "\(messages.count)") }
    guard let metadata = HDR10Plus(payload: first).metadata else {
      unreadable.add(sample)
      return
    }
    if let issue = metadata.issues.first { issues.add(sample, issue) }
  }
}
