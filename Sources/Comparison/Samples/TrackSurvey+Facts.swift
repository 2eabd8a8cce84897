// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Assets
internal import LibAV
internal import MediaCore

/// What a track declares and contains.
extension TrackSurvey {
  var id: Int { track.demuxed.id }

  /// The kind of track: `video`, `audio` or `artwork`; otherwise the sample entry or codec.
  var kind: String {
    track.mediaType == .other
      ? track.sampleEntry ?? track.demuxed.codec.codecName : track.mediaType.rawValue
  }

  /// Returns what the file states about the track, and what its samples contain.
  ///
  /// - Parameter number: takes the number of a track that this track refers to, and returns that
  ///   track's number in the source.
  func facts(numbering number: (Int) -> Int?) -> [Fact] {
    let stated = track.facts.filter { $0.isCompared && !Self.counted.contains($0.key) }
      .map { $0.renumbered(number) }
    return (stated + countedFacts).inOrder
  }

  /// The facts that are counted in all samples. What the tables and the first samples say about
  /// them is not used.
  private static let counted: Set<FactKey> = Set(
    [.frameCount] + FrameMetadata.kinds.map { .dynamicHDRMetadata($0) })

  /// What was counted in all samples.
  private var countedFacts: [Fact] {
    var facts: [Fact?] = []
    // Without tables, the samples say how long the track is presented.
    if track.presentedDuration == nil { facts.append(end.map { Fact(duration: $0) }) }
    switch track.mediaType {
    case .video:
      facts.append(Fact(.frameCount, count: samples.count))
      facts += FrameMetadata.kinds.flatMap { frameFacts($0) }
      facts.append(Fact(.captions, count: captionCount))
    case .other: facts.append(Fact(.presentedSampleCount, count: sampleCount))
    default: break
    }
    return facts.compactMap { $0 }
  }

  /// Returns facts about how many frames have dynamic metadata of a kind, and how many have each
  /// part of it.
  private func frameFacts(_ kind: any DynamicHDRMetadataKind.Type) -> [Fact?] {
    let frames = Fact(
      .dynamicHDRMetadata(kind), count: metadataCounts[kind.key] ?? 0, subject: kind.key)
    guard let key = FactKey.parts(of: kind) else { return [frames] }
    let parts = (partCounts[kind.key] ?? [:]).sorted { $0.key < $1.key }
    return [frames]
      + parts.map { Fact(key, count: $1, name: "\($0)", subject: kind.key) }
  }

  /// Whether the samples are text.
  var isText: Bool { track.isText }

  // Some containers fill the time between texts with empty samples. The moments at which texts
  // appear are the same in all containers.
  /// The number of presented samples. For text, the number of moments at which a text appears.
  var sampleCount: Int { isText ? textStarts.count : samples.count }

  /// Returns both lengths of audio or text if the output is clearly shorter.
  func lengthsIfCut(in output: TrackSurvey) -> (source: MediaTime, output: MediaTime)? {
    guard track.mediaType == .audio || isText, let whole = extent else { return nil }
    let (length, other) = (
      whole.end - whole.start, output.extent.map { $0.end - $0.start } ?? .zero
    )
    // Encoders pad to whole packets, and containers round times, so allow two packets or a tenth of
    // a second, whichever is longer.
    let sample = isText ? MediaTime.zero : max(longest, output.longest)
    let tolerance = max(sample + sample, MediaTime(value: 1, timescale: 10))
    return other + tolerance < length ? (length, other) : nil
  }

  /// Returns both pixel aspect ratios if the output shows the frames squeezed or stretched.
  func ratiosIfSqueezed(
    in output: TrackSurvey
  ) -> (source: PixelAspectRatio, output: PixelAspectRatio)? {
    let (one, other) = (track.demuxed, output.track.demuxed)
    guard track.mediaType == .video, one.size == other.size,
      track.shownMatrix == output.track.shownMatrix
    else { return nil }
    let ratios = (one.sampleAspectRatio ?? .square, other.sampleAspectRatio ?? .square)
    let change =
      Double(ratios.0.horizontalSpacing) * Double(ratios.1.verticalSpacing)
      / (Double(ratios.0.verticalSpacing) * Double(ratios.1.horizontalSpacing))
    // Writers round display sizes to whole pixels, which changes the ratio by less than 1 %.
    return abs(change - 1) > 0.01 ? ratios : nil
  }

  /// Whether the frames of an output without a matrix might be this track's frames, already
  /// rotated.
  func mayBeTurned(in output: TrackSurvey) -> Bool {
    let (size, other) = (track.demuxed.size, output.track.demuxed.size)
    // A quarter turn swaps width and height. Half a turn keeps them, so the size says nothing.
    let isQuarter =
      track.shownMatrix.flatMap { DisplayMatrix($0)?.quarterTurn }.map { $0.a == 0 } ?? false
    return !isQuarter || (size.width > size.height) != (other.width > other.height)
  }
}

extension [Fact] {
  /// The facts in the order of ``FactKey/all``.
  fileprivate var inOrder: [Fact] {
    let places = Dictionary(
      uniqueKeysWithValues: FactKey.all.enumerated().map { ($1, $0) })
    return enumerated().sorted { a, b in
      (places[a.element.key] ?? 0, a.offset) < (places[b.element.key] ?? 0, b.offset)
    }.map(\.element)
  }
}

extension Fact {
  /// Whether a comparison of two files looks at this fact.
  var isCompared: Bool {
    // An empty description of the signal states nothing that could be lost.
    key.comparison != .notCompared
      && (value as? SignalDescription) != SignalDescription()
  }

  /// Returns the fact. If it refers to a track, the result has that track's number in the source.
  fileprivate func renumbered(_ number: (Int) -> Int?) -> Fact {
    guard let track, let type = name?.split(separator: " ").first else { return self }
    if let known = number(track) { return Fact(reference: String(type), to: known) }
    // The source does not have the track, so there is nothing to lose.
    var fact = Fact(
      key, value, text: "track \(track), which is not in the source",
      name: "\(type) unknown \(track)",
      subject: "another, \(track)")
    fact.mayLack = true
    return fact
  }
}
