// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Assets
internal import Bitstreams
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Compares what two files declare and contain, then their frames.
struct FileComparison: Sendable {
  let source: MediaAsset
  let output: MediaAsset
  private(set) var findings: [Finding] = []
  private(set) var tracks: [TrackComparison] = []

  private let pairs: [TrackPair]
  private let named: NamedLosses

  /// A source track and the output track that was made from it. `output` is `nil` if the track is
  /// lost, and `source` is `nil` if the track is new.
  private typealias TrackPair = (source: TrackSurvey?, output: TrackSurvey?)

  private var areMovies: Bool { source.movie != nil && output.movie != nil }

  init(
    _ source: MediaAsset, _ output: MediaAsset, _ named: NamedLosses,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    (self.source, self.output, self.named) = (source, output, named)
    pairs = Self.pairs(
      try Self.tracks(source, checkpoint), try Self.tracks(output, checkpoint))
    findings = Finding.compare(
      source.facts.filter(\.isCompared), output.facts.filter(\.isCompared), areMovies: areMovies,
      named)
    // Compare only the titles, not the times. In Matroska, the whole presentation may begin later,
    // and chapters with it.
    let keepsChapters =
      !source.chapters.isEmpty && source.shownChapterTitles == output.shownChapterTitles
    for pair in pairs {
      let place =
        keepsChapters && isChapters(pair) ? "chapters" : isKeptTimeCode(pair) ? "a tag" : nil
      tracks.append(try compare(pair, place: place, checkpoint))
    }
  }

  private static func tracks(
    _ asset: MediaAsset, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [TrackSurvey] {
    do {
      return try TrackSurvey.all(of: asset, checkpoint: checkpoint)
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  private func isChapters(_ pair: TrackPair) -> Bool {
    let numbers = source.movie?.chapterTracks ?? []
    return pair.output == nil
      && pair.source.map { numbers.contains(UInt32(clamping: $0.id)) } ?? false
  }

  /// Whether a time code track became a tag in the output.
  private func isKeptTimeCode(_ pair: TrackPair) -> Bool {
    guard pair.output == nil, pair.source?.track.sampleEntry == "tmcd",
      let label = source.timeCode?.label
    else { return false }
    return label == output.timeCode?.label
  }

  /// - Parameter place: where the content of a lost track is in the output; `nil` if the track is
  ///   not lost, or if its content is lost, too.
  private func compare(
    _ pair: TrackPair, place: String?, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> TrackComparison {
    var result = TrackComparison(
      source: pair.source?.id, output: pair.output?.id,
      kind: (pair.source ?? pair.output)?.kind ?? "", findings: [])
    switch (pair.source, pair.output) {
    case (let source?, let output?):
      result.findings = Finding.compare(
        source.facts(numbering: existing), output.facts(numbering: sourceNumber),
        areMovies: areMovies, named
      ).map { $0.isElsewhere(source, output) ? $0.asChange : $0 }
      if let ratios = source.ratiosIfSqueezed(in: output) {
        result.findings.replace(
          with: Finding(
            lost: Fact(pixelAspectRatio: ratios.source),
            output: .init(Fact(pixelAspectRatio: ratios.output)), named))
      }
      if let cut = source.lengthsIfCut(in: output) {
        result.findings.replace(with: durationLoss(cut.source, cut.output))
      }
      try compareSamples(source, output, &result, checkpoint)
    case (let source?, nil):
      let fact = Fact(.track, source.kind, subject: "\(source.id)")
      result.findings = [
        place.map { Finding(fact, .changed, output: .init($0)) } ?? Finding(fact, nil, named)
      ]
    case (nil, let output?): result.findings = [Finding(new: Fact(.track, output.kind))]
    case (nil, nil): break
    }
    return result
  }

  private func durationLoss(_ source: MediaTime, _ output: MediaTime) -> Finding {
    Finding(lost: Fact(duration: source), output: .init(Fact(duration: output)), named)
  }

  /// Returns the number if the source has a track with this number, otherwise `nil`.
  private func existing(_ number: Int) -> Int? {
    let isThere =
      source.tracks.contains { $0.demuxed.id == number }
      || source.movie?.tracks.contains { Int($0.header.trackID ?? 0) == number } ?? false
    return isThere ? number : nil
  }

  /// Returns the source's number for a track of the output.
  private func sourceNumber(_ number: Int) -> Int? {
    pairs.first { $0.output?.id == number }?.source?.id
  }

  private func compareSamples(
    _ one: TrackSurvey, _ other: TrackSurvey, _ result: inout TrackComparison,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    // Video that was encoded again always has different bytes, so frames are compared instead.
    guard one.track.mediaType != .video else { return }
    let (samples, others) = (one.samples, other.samples)
    guard !samples.isEmpty || !others.isEmpty else { return }
    let shift = TrackSurvey.shift(from: samples, to: others)
    if let shift {
      result.times = TimeComparison(
        Array(samples.dropFirst(max(shift, 0))), Array(others.dropFirst(max(-shift, 0))))
    }
    if one.track.mediaType == .audio {
      result.audio =
        shift != nil
        ? .identical
        : try AudioComparison.compare(
          (source, one.track), (output, other.track), checkpoint: checkpoint)
      if let channels = result.audio?.channels, let finding = Finding(channels, named) {
        result.findings.append(finding)
      }
      if let finding = result.audio.flatMap({ Finding($0, named) }) {
        result.findings.append(finding)
      }
    }
    let fact = Fact(.samples, samples.count, text: samples.count.counted("sample"))
    let isSame = shift != nil || result.audio?.isIdentical == true
    result.findings.append(
      Finding(
        fact, isSame ? .kept : .changed, output: isSame ? .init(fact) : .init("different bytes")))
  }

  /// Compares the frames of the first video tracks.
  mutating func compareFrames(interval: Int) async throws {
    let number = source.videoTrack?.demuxed.id
    guard
      let index = pairs.firstIndex(where: { $0.source?.id == number && $0.output != nil }),
      let one = pairs[index].source?.track, let other = pairs[index].output?.track,
      one.mediaType == .video
    else { return }
    // If both files have the same number of frames, no frame is missing at the beginning. The first
    // frames may then form a pair even if their times differ.
    let isWhole = tracks[index].findings.contains {
      $0.code == FactKey.frameCount.code && $0.state == .kept
    }
    let pairing = try await FramePairing(
      source: (source, one), output: (output, other), interval: interval,
      alignsStarts: isWhole && (source.movie == nil || output.movie == nil)
    ).compared()
    let frames = pairing.comparison
    tracks[index].frames = frames
    // Unchanged samples show different colors if their range tag changes, so a changed range counts
    // as a loss.
    if frames.isIdentical {
      tracks[index].findings = tracks[index].findings.map { $0.ofUnchangedSamples(named) }
    }
    // Count frames that can be decoded, not frames that the container lists.
    if let fact = Fact(.frameCount, count: frames.sourceCount) {
      let count = Fact(
        .frameCount, count: frames.outputCount, text: frames.outputText)
      tracks[index].findings.replace(with: Finding(fact, count, named))
    }
    if let damage = Finding(damage: frames, named) { tracks[index].findings.append(damage) }
    if let other = Finding(pictures: frames, named) { tracks[index].findings.append(other) }
    let frame = max(one.usualFrameDuration, other.usualFrameDuration)
    // Containers round times, so allow two frames or a tenth of a second, whichever is longer.
    let tolerance = max(frame + frame, MediaTime(value: 1, timescale: 10))
    if let last = pairing.lastSource,
      (pairing.lastOutput ?? .zero) - pairing.shift + tolerance < last
    {
      tracks[index].findings.replace(
        with: durationLoss(last + frame, pairing.lastOutput.map { $0 + frame } ?? .zero))
    }
  }
}

extension FileComparison {
  /// Pairs the tracks of both files.
  private static func pairs(_ source: [TrackSurvey], _ output: [TrackSurvey]) -> [TrackPair] {
    // Nothing in a file says which track became which. The pairs that agree in the most properties
    // are chosen first; between equal pairs, the order decides.
    let candidates = source.indices.flatMap { one in
      output.indices.compactMap { other in
        source[one].agreements(with: output[other]).map { (one: one, other: other, count: $0) }
      }
    }
    var found: [Int: Int] = [:]
    var rest = Set(output.indices)
    let likest = candidates.sorted { a, b in
      (b.count, a.one, a.other) < (a.count, b.one, b.other)
    }
    for pair in likest where found[pair.one] == nil && rest.contains(pair.other) {
      found[pair.one] = pair.other
      rest.remove(pair.other)
    }
    return source.enumerated().map { index, track in
      (track, found[index].map { output[$0] })
    } + rest.sorted().map { (nil, output[$0]) }
  }
}

extension TrackSurvey {
  /// Returns how many properties another track shares, or `nil` if it is of another kind.
  fileprivate func agreements(with other: TrackSurvey) -> Int? {
    let (codec, others) = (track.demuxed.codec, other.track.demuxed.codec)
    let isOfKind =
      track.mediaType != .other || kind == other.kind || codec.codecName == others.codecName
      || isText && other.isText
    guard track.mediaType == other.track.mediaType, isOfKind else { return nil }
    let areBeside = isBesideAnother == other.isBesideAnother
    let agreements = [
      codec.codecName == others.codecName, codec.channelCount == others.channelCount,
      track.demuxed.language == other.track.demuxed.language, sampleCount == other.sampleCount,
      // Auxiliary tracks, such as opacity and thumbnails, must not pair with the main video. So
      // being auxiliary counts twice, and the codec only once.
      areBeside, areBeside,
    ]
    return agreements.count { $0 }
  }

  /// Whether the track contains opacity or thumbnails of another track (ISO/IEC 23008-12, 7.5.3).
  private var isBesideAnother: Bool {
    let references = track.box?.box.child("tref")?.children ?? []
    return references.contains { ["auxl", "thmb"].contains($0.type) }
  }

  /// Returns how many samples the source has at its beginning that the output lacks; negative if
  /// the source lacks some. Returns `nil` if the bytes of the samples after these differ, or if the
  /// numbers of samples differ by more than 3.
  static func shift(from source: [Sample], to output: [Sample]) -> Int? {
    // A copy of audio may have a few more or fewer packets at its beginning or end. Those packets
    // only warm up the decoder.
    let limit = 3
    guard abs(source.count - output.count) <= limit, !source.isEmpty, !output.isEmpty else {
      return nil
    }
    return [0, 1, -1, 2, -2, 3, -3].first { shift in
      let (one, other) = (source.dropFirst(max(shift, 0)), output.dropFirst(max(-shift, 0)))
      return abs(one.count - other.count) <= limit && !one.isEmpty && !other.isEmpty
        && zip(one, other).allSatisfy { $0.digest == $1.digest }
    }
  }
}
