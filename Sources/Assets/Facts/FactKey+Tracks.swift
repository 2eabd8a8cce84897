// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import LibAV
package import MediaCore
internal import NALUnits

/// Facts about any track.
extension FactKey {
  // These notices announce the loss of a track and give its number.
  private static let trackLosses = [
    "trackNotCarried", "trackWithoutSamples", "carriedVideoDamaged", "audioNotStorable",
    "audioNotCarried",
  ].map { FactLoss($0, "track") }

  package static let track: FactKey = .init("track", "a track as a whole", losses: trackLosses)

  package static let codec: FactKey = .init(
    "codec", "FFmpeg's name for the codec",
    reading: .track { [Fact(codec, $0.demuxed.codec.codecName)] })

  package static let profile: FactKey = .init(
    "profile", "the codec's profile", comparison: .notCompared,
    reading: .track { track in
      // FFmpeg's name is used only for codecs whose parameter sets are not read here.
      let name = track.video?.bitstream?.profileName ?? track.demuxed.codec.profileName
      return facts(profile, name)
    })

  package static let level: FactKey = .init(
    "level", "the codec's level", comparison: .notCompared,
    reading: .track { facts(level, $0.video?.bitstream?.levelName) })

  package static let sampleEntry: FactKey = .init(
    "sampleEntry", "the four characters of the sample entry", comparison: .ofMovies,
    verified: .value,
    reading: .track { facts(sampleEntry, $0.sampleEntry) })

  package static let userDataInSamples: FactKey = .init(
    "userDataInSamples", "what the samples of a user-data track (`it35`) contain",
    reading: .track { facts(userDataInSamples, $0.box?.userData?.description) })

  package static let language: FactKey = .init(
    "language", "the track's language",
    reading: .track { track in
      // ISO 639-2 writes an undetermined language as `und`.
      facts(language, track.demuxed.language.flatMap { $0 == "und" ? nil : $0 })
    })

  static let trackName: FactKey = .init(
    "trackName", "the track's name", reading: .track { facts(trackName, $0.label.name) })

  static let role: FactKey = .init(
    "role", "a role: dub, commentary, forced, hearingImpaired, visualImpaired", Bool.self,
    hasNames: true,
    reading: .track { track in
      // MP4 cannot express the role "original", so its absence means nothing.
      track.label.roles.subtracting([.original]).map {
        Fact(role, true, text: "\($0)", name: "\($0)")
      }
    })

  static let flags: FactKey = .init(
    "flags", "the flags that `tkhd` sets: enabled, in the movie, in the preview", [String].self,
    comparison: .ofMovies,
    reading: .track { track in
      guard let box = track.box else { return [] }
      let names = [(1, "enabled"), (2, "in the movie"), (4, "in the preview")].filter {
        box.header.flags & $0.0 != 0
      }.map(\.1)
      return [Fact(flags, names, text: names.isEmpty ? "disabled" : names.joined(separator: ", "))]
    })

  static let alternateGroup: FactKey = .init(
    "alternateGroup", "the group of tracks from which a player chooses one", Int.self,
    comparison: .ofMovies,
    reading: .track { track in
      guard let group = track.box?.header.alternateGroup, group != 0 else { return [] }
      return [Fact(alternateGroup, Int(group))]
    })

  package static let reference: FactKey = .init(
    "reference", "a track that the track refers to (`tref`)", Int.self, hasNames: true,
    comparison: .ofMovies,
    losses: trackLosses,
    reading: .track { track in
      (track.box?.box.child("tref")?.children ?? []).flatMap { reference in
        var reader = ByteReader(reference.fields)
        var facts: [Fact] = []
        while let id = try? reader.integer(UInt32.self), id > 0 {
          facts.append(Fact(reference: "\(reference.type)", to: Int(id)))
        }
        return facts
      }
    })

  static let timescale: FactKey = .init(
    "timescale", "ticks a second", Int.self, comparison: .place,
    reading: .track { [Fact(timescale, Int($0.demuxed.timescale))] })

  package static let edits: FactKey = .init(
    "edits", "the edit list, with times in seconds",
    [EditTimeline.Edit].self, comparison: .place, losses: [FactLoss("editRateNotKept")],
    reading: .track { track in
      guard track.timeline != .wholeMedia else { return [] }
      let edits = track.timeline.edits
      let text = edits.map { edit in
        let length = edit.duration.map { " for \($0.fraction)" } ?? ""
        guard let start = edit.mediaStart else { return "nothing\(length)" }
        return "\(edit.isDwell ? "still from" : "from") \(start.fraction)\(length)"
      }
      return [Fact(Self.edits, edits, text: text.joined(separator: "; "))]
    })

  package static let duration: FactKey = .init(
    "duration",
    "how long the track is presented, in seconds; a shorter time is a loss for audio, text and "
      + "video",
    Double.self,
    losses: [FactLoss("editRateNotKept")],
    reading: .track { track in
      track.presentedDuration.map { [Fact(duration: $0)] } ?? []
    })

  package static let sampleCount: FactKey = .init(
    "sampleCount", "the number of samples in the file", Int.self, comparison: .notCompared,
    reading: .track { track in
      let times = track.box.flatMap { SampleTimes($0) }
      let count = times?.compositionTimes.count ?? track.demuxed.sampleCount
      return count > 0 ? [Fact(sampleCount, count)] : []
    })

  package static let presentedSampleCount: FactKey = .init(
    "presentedSampleCount",
    "the number of presented samples, for tracks that are neither video nor audio; for text, the "
      + "number of moments at which a text appears", Int.self)

  package static let samples: FactKey = .init(
    "samples", "the number of samples and their bytes, for tracks other than video", Int.self)

  private static func facts(_ key: FactKey, _ text: String?) -> [Fact] {
    text.map { [Fact(key, $0)] } ?? []
  }
}

/// Facts about audio.
extension FactKey {
  package static let sampleRate: FactKey = .init(
    "sampleRate", "samples a second", in: .audio, Int.self,
    reading: .track { track in
      guard track.mediaType == .audio else { return [] }
      return [Fact(sampleRate, track.demuxed.codec.sampleRate)]
    })

  package static let channelCount: FactKey = .init(
    "channelCount", "the number of channels", in: .audio, Int.self,
    reading: .track { track in
      guard track.mediaType == .audio else { return [] }
      return [Fact(channelCount, track.demuxed.codec.channelCount)]
    })

  package static let audibleChannels: FactKey = .init(
    "audibleChannels", "the channels that are not silent", in: .audio, Int.self)

  package static let audioContent: FactKey = .init(
    "audioContent",
    "what is heard; it is lost if something else is heard in the output, or if the output's audio "
      + "drifts from the source's times",
    in: .audio)
}

extension Fact {
  /// Makes a fact about a track that another track refers to.
  package init(reference type: String, to track: Int) {
    self.init(
      .reference, track, text: "track \(track)", name: "\(type) \(track)",
      subject: "\(track)")
    self.track = track
  }

  /// Makes a fact about how long a track is presented.
  package init(duration: MediaTime) {
    self.init(.duration, duration.seconds, text: duration.fraction)
  }
}
