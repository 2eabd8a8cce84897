// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// A track, with what it declares and contains.
struct TrackFacts: Sendable {
  let track: AssetTrack
  let survey: TrackSurvey

  var id: Int { track.demuxed.id }

  /// The kind of track: `video`, `audio`, or for others the sample entry or codec.
  var kind: String {
    track.mediaType == .other
      ? track.sampleEntry ?? track.demuxed.codec.codecName : track.mediaType.rawValue
  }

  /// Whether the track is in a movie file.
  var isMovieCodec: Bool { track.box != nil }

  /// - Parameter number: returns the source's number of a track that this one refers to.
  func facts(numbering number: (Int) -> Int?) -> [Fact] {
    var facts = [Fact(.codec, track.demuxed.codec.codecName)]
    facts += [
      Fact(.sampleEntry, track.sampleEntry),
      Fact(.language, track.demuxed.language.flatMap { $0 == "und" ? nil : $0 }),
      Fact(.trackName, track.label.name),
      Fact(.timescale, "\(track.demuxed.timescale)"),
      Fact(.edits, editText),
      Fact(.duration, (track.presentedDuration ?? survey.end)?.fraction),
    ].compactMap { $0 }
    // MP4 cannot express the role "original", so its absence means nothing.
    facts += track.label.roles.subtracting([.original]).map { Fact(.role, "\($0)", name: "\($0)") }
    facts += boxFacts(numbering: number)
    switch track.mediaType {
    case .video: facts += videoFacts + metadataFacts
    case .audio:
      facts.append(Fact(.sampleRate, "\(track.demuxed.codec.sampleRate)"))
      facts.append(Fact(.channelCount, "\(track.demuxed.codec.channelCount)"))
    default: break
    }
    if track.mediaType == .other, let count = Fact(.sampleCount, count: sampleCount) {
      facts.append(count)
    }
    return facts
  }

  /// Whether the samples are text.
  var isText: Bool { track.isText }

  // Some containers fill the time between texts with empty samples. The times at which texts appear
  // are the same in all of them.
  /// The number of presented samples. For text, the number of times at which a text appears.
  var sampleCount: Int { isText ? survey.textStarts.count : survey.samples.count }

  /// Returns the lengths of audio or text if the output's is clearly shorter.
  func lengthsIfCut(in output: TrackFacts) -> (source: MediaTime, output: MediaTime)? {
    guard track.mediaType == .audio || isText, let whole = survey.extent else { return nil }
    let (length, other) = (
      whole.end - whole.start, output.survey.extent.map { $0.end - $0.start } ?? .zero
    )
    // Encoders pad to whole packets, and containers round times, so allow two packets and a tenth
    // of a second.
    let sample = isText ? MediaTime.zero : max(survey.longest, output.survey.longest)
    let tolerance = max(sample + sample, MediaTime(value: 1, timescale: 10))
    return other + tolerance < length ? (length, other) : nil
  }

  private var editText: String? {
    guard track.timeline != .wholeMedia else { return nil }
    return track.timeline.edits.map { edit in
      let length = edit.duration.map { " for \($0.fraction)" } ?? ""
      guard let start = edit.mediaStart else { return "nothing\(length)" }
      return "\(edit.isDwell ? "still from" : "from") \(start.fraction)\(length)"
    }.joined(separator: "; ")
  }

  private func boxFacts(numbering number: (Int) -> Int?) -> [Fact] {
    guard let box = track.box else { return [] }
    let flags = [(1, "enabled"), (2, "in the movie"), (4, "in the preview")].filter {
      box.header.flags & $0.0 != 0
    }.map(\.1).joined(separator: ", ")
    var facts = [Fact(.flags, flags.isEmpty ? "disabled" : flags)]
    if let group = box.header.alternateGroup, group != 0 {
      facts.append(Fact(.alternateGroup, "\(group)"))
    }
    for reference in box.box.child("tref")?.children ?? [] {
      var reader = ByteReader(reference.fields)
      while let id = try? reader.integer(UInt32.self), id > 0 {
        let known = number(Int(id))
        let target = known.map { "\($0)" } ?? "another, \(id)"
        var fact = Fact(
          .reference, "track \(target)", name: "\(reference.type) \(target)", subject: target)
        // The file refers to a track that it does not have, so there is nothing to lose.
        fact.mayLack = known == nil
        facts.append(fact)
      }
    }
    return facts + FileFacts.userData(box.box, track: id)
  }
}
