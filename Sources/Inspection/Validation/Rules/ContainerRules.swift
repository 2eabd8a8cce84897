// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

extension ConformanceRule {
  /// Rules about the sample entry, tracks and edit list.
  static let container = [
    ConformanceRule("sampleEntry", "sample entry", "TN3145; ISO/IEC 14496-15, 5.4.2 and 8.4.1") {
      $0.sampleEntryOutcome
    },
    ConformanceRule("videoTracks", "one video track", "TN3145; Dolby Vision within ISOBMFF") {
      $0.videoTracksOutcome
    },
    ConformanceRule("editList", "edit list", "ISO/IEC 14496-12, 8.6.6") { $0.editListOutcome },
    ConformanceRule("docType", "WebM", "WebM Container Guidelines") { $0.docTypeOutcome },
  ]
}

extension ValidatedTrack {
  fileprivate var sampleEntryOutcome: RuleOutcome {
    guard let found = entryFormat else { return .notApplicable(noMovie) }
    if entry?.isEncrypted ?? false {
      // The type of an encrypted track's sample entry stands for the encryption, not for the codec,
      // and the samples cannot be read.
      return .warning("\(found): the samples are encrypted and not checked")
    }
    switch format {
    case .dolbyVision84:
      return sampleEntry == .hvc1 ? .pass(found) : .fail("\(found); expected hvc1")
    // Only a Dolby Vision player can show the base layer of profile 5, so the sample entry has to
    // be one of Dolby Vision's own (Dolby Vision within ISOBMFF).
    case .dolbyVision(profile: 5, _)
    where sampleEntry != .dvh1 && sampleEntry != .dvhe:
      return .fail("\(found); expected dvh1 or dvhe")
    // Profile 10.0, too, needs a sample entry of Dolby Vision's own. In other kinds of profile 10,
    // any AV1 player can show the base layer, so the sample entry has to be the usual one.
    case .dolbyVision(profile: 10, let compatibility)
    where (compatibility == 0) != (entry?.format == .dav1):
      let expected: FourCC = compatibility == 0 ? .dav1 : .av01
      return .fail("\(found); expected \(expected)")
    default:
      return sampleEntry == .hev1 || sampleEntry == .avc3
        // `hev1` and `avc3` allow parameter sets in samples, where Apple's players do not look.
        ? .warning("\(found), which Apple's players refuse") : .pass(found)
    }
  }

  fileprivate var videoTracksOutcome: RuleOutcome {
    let chapters = asset.movie?.chapterTracks ?? []
    let tracks = asset.tracks.filter {
      // QuickTime stores chapter images as a video track.
      $0.demuxed.kind == .video && !chapters.contains(UInt32(clamping: $0.demuxed.id))
    }
    let layers = tracks.filter { $0.box?.box.first("tref", "vdep") != nil }.map(\.demuxed.id)
    let isLayered = track.enhancementLayer != nil
    let checked = isLayered ? "Dolby Vision's base layer" : "the first"
    let evidence = tracks.count == 1 ? "1" : "\(tracks.count); only \(checked) is checked"
    if format == .dolbyVision84, let layer = layers.first {
      return .fail("track \(layer) is a layer that depends on another track ('vdep')")
    }
    // Several video tracks are allowed, but only one of them is checked here.
    return tracks.count == 1 ? .pass(evidence) : .warning(evidence)
  }

  fileprivate var editListOutcome: RuleOutcome {
    guard let box = track.box, let entries = box.editList?.entries else {
      return .notApplicable("none: all of the media is presented")
    }
    guard entries.contains(where: { $0.mediaTime >= 0 }) else {
      return .fail("the edit list presents nothing")
    }
    let evidence = entries.count == 1 ? "1 edit" : "\(entries.count) edits"
    guard let times = SampleTimes(box), let last = times.compositionTimes.last else {
      return .pass(evidence)
    }
    let end = last + times.lastDuration
    if let late = entries.first(where: { $0.mediaTime >= end }) {
      return .fail("an edit begins at \(late.mediaTime), but the media ends at \(end)")
    }
    let excess = entries.map { overrun($0, box, end: end) }.max() ?? 0
    // Durations are rounded to the movie's ticks, and some writers round them up to whole frames.
    if excess > max(times.lastDuration, 1) {
      return .warning("an edit ends \(excess) ticks after the media, which ends at \(end)")
    }
    return .pass(evidence)
  }

  fileprivate var docTypeOutcome: RuleOutcome {
    guard let docType = asset.docType else { return .notApplicable("not Matroska") }
    let webM = FileType.webm
    guard docType == webM.rawValue else { return .notApplicable("the file is \(docType)") }
    var faults = asset.tracks.filter { !webM.holds(codec: $0.demuxed.codec.codecName) }.map {
      "track \($0.demuxed.id) is \($0.demuxed.codec.codecName), which WebM does not have"
    }
    if facts.hdrMetadata.dolbyVision != nil {
      faults.append("it has a record of Dolby Vision, which WebM does not have")
    }
    return .faults(faults, otherwise: "only codecs of WebM")
  }

  /// Returns how far an edit reaches beyond the end of the media, in the media's ticks.
  private func overrun(_ entry: EditList.Entry, _ box: Movie.Track, end: Int64) -> Int64 {
    guard entry.mediaTime >= 0, let timescale = asset.movie?.header.timescale, timescale > 0,
      let own = Int32(exactly: box.mediaTimescale), own > 0, let ticks = Int32(exactly: timescale)
    else { return 0 }
    let duration = MediaTime(value: Int64(clamping: entry.segmentDuration), timescale: ticks)
    let length = duration.converted(to: own).value
    return entry.mediaTime.addingReportingOverflow(length).partialValue &- end
  }
}
