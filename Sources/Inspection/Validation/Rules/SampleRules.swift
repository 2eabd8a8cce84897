// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF
internal import NALUnits

extension ConformanceRule {
  /// Rules about whether all samples are present and in order.
  static let samples = [
    ConformanceRule("sampleData", "sample data", "ISO/IEC 14496-12, 8.7") {
      $0.sampleDataOutcome
    },
    ConformanceRule("sampleTables", "sample tables", "ISO/IEC 14496-12, 8.6 and 8.7") {
      $0.sampleTablesOutcome
    },
    ConformanceRule(
      "metadataUnits", "metadata units", "AV1, 5.8 and 6.7; HDR10+ AV1 Metadata Handling, 2"
    ) {
      $0.metadataUnitsOutcome
    },
  ]
}

extension ValidatedTrack {
  fileprivate var sampleDataOutcome: RuleOutcome {
    var faults: [String] = []
    if let missing = asset.missingData { faults.append(missing) }
    if let reason = samples.interruption { faults.append("reading stopped: \(reason)") }
    if samples.count == 0 { faults.append("there are no samples") }
    if let text = samples.damaged.text(of: samples.count) {
      faults.append("empty or damaged: \(text)")
    }
    if let text = samples.units.cutOff.text(of: samples.count) {
      faults.append("units are cut off in \(text)")
    }
    // A file that begins in the middle of a group of pictures shows nothing, or garbage, at first.
    if !samples.beginsWithSync && samples.count > 0 {
      faults.append("decoding cannot start at the first sample")
    }
    // Demuxers of byte streams do not always cut at access units, so count access units instead of
    // packets.
    let isStream = track.box == nil && samples.rpus.accessUnits > 0
    return .faults(
      faults, otherwise: "\(isStream ? samples.rpus.accessUnits : samples.count), complete")
  }

  /// Checks the units of bitstreams that do not consist of NAL units, such as AV1's. Other rules
  /// check NAL units.
  fileprivate var metadataUnitsOutcome: RuleOutcome {
    guard let bitstream, bitstream.codec == nil else { return .notApplicable("only in AV1") }
    return samples.units.metadataFaults.text(of: samples.count).map { .fail($0) }
      ?? .pass("complete, and before their frames")
  }

  fileprivate var sampleTablesOutcome: RuleOutcome {
    guard let box = track.box else { return .notApplicable(noMovie) }
    // Fragments list their samples in `trun` boxes, not in the tables of `moov`.
    if asset.movie?.isFragmented == true {
      return .notApplicable("the movie is in fragments")
    }
    var faults: [String] = []
    if box.mediaTimescale == 0 { faults.append("the media's timescale is 0") }
    if asset.movie?.header.timescale == 0 { faults.append("the movie's timescale is 0") }
    do {
      let listed = try SampleTable(box).count
      let timed = try SampleTimes(box, checkpoint: {})?.compositionTimes.count ?? 0
      if timed != listed {
        faults.append("times for \(timed.counted("sample")), but offsets for \(listed)")
      }
      // The demuxer may drop samples whose place is outside the file, but the table counts them.
      if samples.count != listed {
        faults.append("\(samples.count) of \(listed.counted("sample")) can be read")
      }
    } catch {
      faults.append("\(error)")
    }
    if let text = samples.outOfOrder.text(of: samples.count) {
      faults.append("the decode time does not increase in \(text)")
    }
    return .faults(
      faults, otherwise: "sizes, offsets and times of \(samples.count.counted("sample"))")
  }
}
