// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorTagging
internal import MediaCore

/// A kind of fact: a row of the table ``all``. Inspection, comparison, a plan's notices about
/// losses, and the verification of outputs all use this table.
package struct FactKey: Sendable {
  /// Where reports show a fact.
  package enum Section: Sendable {
    /// Beside the other facts about the file as a whole.
    case file
    /// Beside the other facts about a track.
    case track
    case video
    /// The color that is believed, field by field.
    case color
    /// What each place says about color.
    case claims
    case hdrMetadata
    case audio

    /// The JSON objects around the fact in the report of a file or a track, outermost first.
    var objects: [(name: String, meaning: String)] {
      let video = (name: "video", meaning: "Its frames, if it is a video track.")
      let color = (
        name: "color",
        meaning: "What each place says about the track's color, and what is believed."
      )
      return switch self {
      case .file, .track: []
      case .video: [video]
      case .color: [video, color, ("resolved", "The color that is believed.")]
      case .claims: [video, color]
      case .hdrMetadata: [video, ("hdrMetadata", "HDR metadata, with the places that state it.")]
      case .audio: [("audio", "Its audio, if it is an audio track.")]
      }
    }
  }

  /// What it means if an output lacks the fact.
  package enum Comparison: Sendable {
    /// The fact is lost.
    case content
    /// The fact says what one place states. Another place may state the same, so nothing is lost.
    case place
    /// The fact is lost if both files are movies, because only movies state facts of this kind.
    case ofMovies
    /// Nothing is lost, because the fact is derived from other facts or describes how the file is
    /// written.
    case notCompared
  }

  /// Where the facts are found.
  package enum Reading: Sendable {
    /// In what the file states as a whole.
    case file(@Sendable (MediaAsset) -> [Fact])
    /// In what the file states about a track.
    case track(@Sendable (AssetTrack) -> [Fact])
    /// In the ``VideoFacts`` of a video track, or of frames that a program hands over.
    case video(@Sendable (VideoFacts) -> Fact?)
    /// In what the file states as a whole, and in what it states about a track.
    case fileAndTrack(@Sendable (MediaAsset) -> [Fact], @Sendable (AssetTrack) -> [Fact])
    /// In all samples, which only a comparison reads.
    case samples
  }

  /// What is checked about a fact in an output.
  package enum Verification: Sendable {
    case none
    /// The fact's value, or its absence if no value is promised.
    case value
    /// These fields of the output's signal.
    case signal([SignalField])
    /// The fact's value, and that all of the promised places state the value.
    case places
  }

  /// The name in reports. It never changes.
  package let code: String
  /// Meaning and unit, in a few words for the documentation.
  package let meaning: String
  package let section: Section
  /// The key in JSON. It may be shorter than ``code``, because it is inside the section's objects.
  package let reportName: String
  /// What a value looks like in JSON.
  package let schema: JSONSchema
  /// Whether a file may have several facts of this kind, each with a name.
  package let hasNames: Bool
  package let comparison: Comparison
  /// The notices that announce the loss of the fact. If a plan has none of them yet, it adds the
  /// first one that it can make (`FactLoss.notice`).
  package let losses: [FactLoss]
  /// What is checked about the fact in a finished output, if anything.
  package let verification: Verification
  package let reading: Reading

  init(
    _ code: String, _ meaning: String, in section: Section = .track, as reportName: String? = nil,
    _ value: any JSONDescribed.Type = String.self, hasNames: Bool = false,
    comparison: Comparison = .content, losses: [FactLoss] = [],
    verified verification: Verification = .none, reading: Reading = .samples
  ) {
    (self.code, self.meaning, self.section) = (code, meaning, section)
    (self.reportName, schema, self.hasNames) = (reportName ?? code, value.schema, hasNames)
    (self.comparison, self.losses, self.reading) = (comparison, losses, reading)
    self.verification = verification
  }
}

extension FactKey: Hashable {
  package static func == (one: Self, other: Self) -> Bool { one.code == other.code }

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension FactKey {
  /// All rows, in the order of the documentation and of reports.
  package static let all: [FactKey] =
    ofFiles + ofTracks + ofVideo + ofColor + [dolbyVision] + ofDynamicMetadata
    + [dolbyVisionEnhancementLayer, dolbyVisionResiduals, otherUserData] + ofStaticMetadata + [
      captions
    ] + ofAudio

  private static let ofFiles = [
    container, creationTime, statement, timeCode, userData, chapters, chapterTitles,
  ]

  private static let ofTracks = [
    track, codec, profile, level, sampleEntry, userDataInSamples, language, trackName, role, flags,
    alternateGroup,
    reference, timescale, edits, duration, sampleCount, presentedSampleCount,
    samples,
  ]

  private static let ofVideo = [
    frameCount, frameRate, hasVariableFrameRate, damagedFrames, frameContent, size,
    pixelAspectRatio, cleanAperture, fieldOrder, containerFieldOrder,
    matrix, bitDepth, chromaSubsampling, filmGrain, operatingPoints, opacity,
    spatialVideo, containsHDRVideo, usesWideGamutColorSpace,
  ]

  private static let ofColor = [
    colorPrimaries, transferFunction, yCbCrMatrix, range, chromaLocation, containerColor,
    bitstreamColor, decoderColor, profileColor, gammaColor, preferredTransferFunction, iccProfile,
  ]

  private static let ofDynamicMetadata = FrameMetadata.kinds.flatMap { kind in
    [dynamicHDRMetadata(kind), parts(of: kind)].compactMap(\.self)
  }

  private static let ofStaticMetadata = StaticHDRMetadata.kinds.map { staticHDRMetadata($0) }

  private static let ofAudio = [sampleRate, channelCount, audibleChannels, audioContent]
}

extension FactKey {
  /// Whether the fact is about a file as a whole.
  package var isOfFiles: Bool {
    switch reading {
    case .file, .fileAndTrack: true
    case .track, .video, .samples: false
    }
  }

  /// Whether the fact is about a track.
  package var isOfTracks: Bool { if case .file = reading { false } else { true } }
}

extension MediaAsset {
  /// The facts about the file as a whole. Facts about its tracks are not among them.
  package var facts: [Fact] {
    FactKey.all.flatMap { key -> [Fact] in
      switch key.reading {
      case .file(let read), .fileAndTrack(let read, _): read(self)
      case .track, .video, .samples: []
      }
    }
  }
}

extension AssetTrack {
  /// What the file states about the track, without reading all of its samples.
  package var facts: [Fact] { facts { _ in true } }

  /// Returns what the file states about the track, but only facts of the wanted kinds.
  package func facts(where isWanted: (FactKey) -> Bool) -> [Fact] {
    FactKey.all.filter(isWanted).flatMap { key -> [Fact] in
      switch key.reading {
      case .track(let read), .fileAndTrack(_, let read): read(self)
      case .video(let read): mediaType == .video ? video.flatMap(read).map { [$0] } ?? [] : []
      case .file, .samples: []
      }
    }
  }
}

extension VideoFacts {
  /// The facts about the frames themselves. Facts about their track are not among them.
  package var facts: [Fact] {
    FactKey.all.compactMap { key in
      if case .video(let read) = key.reading { read(self) } else { nil }
    }
  }
}
