// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// What a video track declares about its frames.
extension TrackFacts {
  var videoFacts: [Fact] {
    var facts = [
      Fact(.size, "\(track.video?.size ?? track.demuxed.size)"),
      Fact(.pixelAspectRatio, "\(track.demuxed.sampleAspectRatio ?? .square)"),
    ]
    if let matrixText { facts.append(Fact(.matrix, matrixText)) }
    facts += [
      Fact(.frameCount, count: survey.samples.count),
      Fact(.cleanAperture, track.cleanAperture?.description),
      Fact(.spatialVideo, spatialText),
    ].compactMap { $0 }
    guard let video = track.video else { return facts }
    facts += [
      Fact(.fieldOrder, video.fieldOrder.rawValue), Fact(.bitDepth, "\(video.format.bitDepth)"),
      Fact(.chromaSubsampling, video.format.chromaSubsampling.rawValue),
    ]
    if video.hasAlpha { facts.append(Fact(.opacity, "there")) }
    return facts + colorFacts(video)
  }

  /// The kind of spatial video, and its boxes that only some containers can hold.
  private var spatialText: String? {
    guard let kind = track.spatialKind else { return nil }
    let boxes = track.spatialBoxesOfMovies
    return boxes.isEmpty ? kind : "\(kind) (\(boxes.joined(separator: ", ")))"
  }

  private var matrix: [Int32]? { track.matrix ?? track.demuxed.displayMatrix }

  /// The rotation or matrix, or `nil` if frames are shown as they are.
  private var matrixText: String? {
    guard let matrix, let turn = DisplayMatrix(matrix) else { return nil }
    guard let rotation = turn.rotation else {
      return matrix.map { "\($0)" }.joined(separator: " ")
    }
    return rotation == 0 ? nil : "\(rotation)°"
  }

  /// Returns the pixel aspect ratios if the output shows the frames squeezed or stretched.
  func ratiosIfSqueezed(in output: TrackFacts) -> (source: String, output: String)? {
    let (one, other) = (track.demuxed, output.track.demuxed)
    guard track.mediaType == .video, one.size == other.size, matrix == output.matrix else {
      return nil
    }
    let ratios = (one.sampleAspectRatio ?? .square, other.sampleAspectRatio ?? .square)
    let change =
      Double(ratios.0.horizontalSpacing) * Double(ratios.1.verticalSpacing)
      / (Double(ratios.0.verticalSpacing) * Double(ratios.1.horizontalSpacing))
    // Writers round display sizes to whole pixels, which changes the ratio by less than 1 %.
    return abs(change - 1) > 0.01 ? ("\(ratios.0)", "\(ratios.1)") : nil
  }

  /// Whether the frames of an output without a matrix may be this track's frames, already rotated.
  func mayBeTurned(in output: TrackFacts) -> Bool {
    let (size, other) = (track.demuxed.size, output.track.demuxed.size)
    // A quarter turn swaps width and height. Half a turn keeps them, so the size says nothing.
    let isQuarter = matrix.flatMap { DisplayMatrix($0)?.quarterTurn }.map { $0.a == 0 } ?? false
    return !isQuarter || (size.width > size.height) != (other.width > other.height)
  }

  private static let fields: [(key: ComparisonKey, field: SignalField)] = [
    (.colorPrimaries, .colorPrimaries), (.transferFunction, .transferFunction),
    (.yCbCrMatrix, .yCbCrMatrix), (.range, .range), (.chromaLocation, .chromaLocation),
  ]

  private func colorFacts(_ video: VideoFacts) -> [Fact] {
    let believed = Self.fields.compactMap { key, field -> Fact? in
      var fact = Fact(key, field.statement(in: video.tags.signal))
      if key == .chromaLocation { fact?.mayLack = video.meaningfulChromaLocation == nil }
      // An absent range is read as limited (H.273, 8.3).
      if key == .range { fact?.mayLack = video.tags.signal.videoFullRangeFlag == false }
      return fact
    }
    func claim(_ key: ComparisonKey, _ source: ClaimSource) -> Fact? {
      guard let claim = video.claims.first(where: { $0.source == source }),
        claim.signal != SignalDescription()
      else { return nil }
      return Fact(key, ColorReport.SignalReport(claim.signal).text)
    }
    return believed
      + [
        claim(.containerColor, .container), claim(.bitstreamColor, .bitstream),
        claim(.profileColor, .profile), profileFact(video),
      ].compactMap { $0 }
  }

  /// A fact about an ICC profile that says more than primaries and a transfer function.
  private func profileFact(_ video: VideoFacts) -> Fact? {
    let claim = video.claims.first { $0.source == .profile }
    guard claim?.notes.isEmpty != true, let profile = track.box?.sampleEntries.first?.profiles.first
    else { return nil }
    return Fact(
      .profile, "\(profile.count) bytes, digest \(String(profile.digest, radix: 16))")
  }

  /// HDR metadata, and everything else that a track has besides the frames.
  var metadataFacts: [Fact] {
    let metadata = track.video?.hdrMetadata ?? HDRMetadata()
    func fact<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> Fact? {
      Fact(
        .staticHDRMetadata(kind), metadata[kind]?.value.text,
        subject: HDRMetadata.Kind(kind).key)
    }
    var facts = StaticHDRMetadata.kinds.map { fact($0) }
    facts.append(
      Fact(
        .dolbyVision, metadata.dolbyVision?.value.description, subject: DolbyVisionRPU.key))
    facts += FrameMetadata.kinds.flatMap { frameFacts($0) }
    facts.append(Fact(.captions, count: survey.captionCount))
    return facts.compactMap { $0 }
  }

  /// Returns how many frames have dynamic metadata of a kind, and its parts.
  private func frameFacts(_ kind: any DynamicHDRMetadataKind.Type) -> [Fact?] {
    let frames = Fact(
      .dynamicHDRMetadata(kind), count: survey.metadataCounts[kind.key] ?? 0, subject: kind.key)
    guard let key = ComparisonKey.parts(of: kind) else { return [frames] }
    let parts = (survey.partCounts[kind.key] ?? [:]).sorted { $0.key < $1.key }
    return [frames]
      + parts.map { Fact(key, count: $1, name: "\($0)", subject: kind.key) }
  }
}
