// SPDX-License-Identifier: GPL-2.0-or-later
internal import Writing

/// Bounds of what a segment's file says of itself.
enum SegmentBounds {
  private typealias Whole = FieldBounds<SegmentFacts, Int64>
  private typealias Real = FieldBounds<SegmentFacts, Double>

  /// Of whole numbers, and of the lengths of texts and lists.
  static let whole: [FieldBounds<SegmentFacts, Int64>] = [
    .text("job", 64...64) { [$0.job] },
    .count("number", 0...Most.segments - 1) { [$0.number] },
    .count("frameCount", 1...Most.frames) { [$0.frameCount] },
    Whole("timescale", 1...Int64(Int32.max)) { [Int64($0.timescale)] },
    .length("parameterSets", 1...1 << 20) { [$0.parameterSets.count] },
    .text("encoder", 1...Most.text) { [$0.encoder] },
    .length("requested", 0...10_000) { [$0.requested.count] },
    .length("effective", 0...10_000) { [$0.effective.count] },
    .length("lightLevels", 2...2) { [$0.lightLevels?.count] },
    .count("counts.concealed", 0...Most.frames) { [$0.counts.concealed] },
    .count("counts.hidden", 0...Most.frames) { [$0.counts.hidden] },
    .count("counts.repairedTimes", 0...Most.frames) { [$0.counts.repairedTimes] },
  ]

  /// Of numbers with fractions.
  static let real: [FieldBounds<SegmentFacts, Double>] = [
    Real("seconds", 0...1e9) { [$0.seconds] }
  ]
}

/// Bounds of a lease's fields.
enum LeaseBounds {
  private typealias Whole = FieldBounds<SegmentLease, Int64>
  private typealias Real = FieldBounds<SegmentLease, Double>

  /// Of whole numbers, and of the lengths of texts.
  static let whole: [FieldBounds<SegmentLease, Int64>] = [
    .text("host", 1...255) { [$0.host] },
    // The system numbers processes from 1 to 2^22; 0 and less would be groups of them.
    Whole("process", 1...1 << 22) { [Int64($0.process)] },
    .count("frames", 0...Most.frames) { [$0.frames] },
  ]

  /// Of times, in seconds since 1970.
  static let real: [FieldBounds<SegmentLease, Double>] = [
    Real("started", 0...1e11) { [$0.started] },
    Real("updated", 0...1e11) { [$0.updated] },
  ]
}
