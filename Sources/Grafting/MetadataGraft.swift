// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorTagging
internal import Comparison
internal import DolbyVision
package import Host
internal import LibAV
internal import MediaCore
internal import NALUnits
package import Planning
package import Reading

/// The HDR metadata of a file, put onto an encode that another program made from the file.
package struct MetadataGraft: Sendable {
  /// The metadata at the times of the encode's frames.
  package let metadata: GraftedMetadata
  package let report: GraftReport
  /// The encode.
  package let encode: MediaAsset
  /// The part of the source's presentation that the encode shows; `nil` for the whole.
  private let range: TimeRange?

  /// Pairs the frames of a file with those of its encode. Nothing is written.
  ///
  /// - Parameters:
  ///   - source: the path of the file with the metadata.
  ///   - encoded: the path of the encode.
  ///   - offset: the source's frame that the encode begins with, counted from 0; `nil` to find it
  ///     automatically.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the source has no HDR metadata, or
  ///   if its metadata would be wrong for the encode's frames.
  package init(of source: String, onto encoded: String, offset: Int?) async throws {
    let (source, encoded) = (
      try await PresentedTrack.load(source), try await PresentedTrack.load(encoded)
    )
    // An error of this check is about the source. All later errors are about the encode and name
    // it.
    try source.refuseWithoutMetadata()
    do {
      try Self.refuseOtherSignals(source, encoded)
      let turn = try EncodeTurn(source, encoded)
      let pairs = try await Self.pairs(source, encoded, turn, offset: offset)
      let match = try await FrameMatch(
        source, encoded, pairs, turn, activeArea: source.activeArea)
      let size = turn.unturned(encoded.facts.size)
      let change = match.change(from: source.facts.size, to: size)
      guard change != .frame else {
        throw TranscodingError(
          .unusableInput,
          "the encode shows only \(match.part.size) of the source's \(source.facts.size), and more "
            + "than black bars was cut off: the metadata of whole frames would be wrong for it")
      }
      let kinds = try source.kinds(for: encoded, after: change)
      let isDolbyVision = kinds.contains { $0 == DolbyVisionRPU.self }
      let substitutes = try isDolbyVision ? source.substitutesForRPUs(pairs, encoded.transfer) : [:]
      metadata = try Self.metadata(source, encoded, pairs, match, turn, kinds, substitutes)
      report = GraftReport(
        source, encoded, pairs, match, kinds: kinds, metadata.staticMetadata,
        repeatedRPUCount: substitutes.count)
      encode = encoded.asset
      range = pairs.range(of: source.frames.count)
    } catch {
      throw TranscodingError.meaning(of: error, input: encoded.path)
    }
  }

  /// Returns the part of the source that its other tracks are taken from; `nil` for the whole.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if audio would not stay in step with
  ///   the frames.
  package func rangeOfTracks() throws(TranscodingError) -> TimeRange? {
    guard report.way == FramePairs.Way.times.rawValue else {
      throw TranscodingError(
        .unusableInput,
        "\(encode.path): the times of its frames differ from those of \(report.source), so the "
          + "source's other tracks would not stay in step with them")
    }
    return range
  }

  /// Refuses an encode whose codec cannot carry HDR metadata, whose transfer function is not the
  /// source's, or whose transfer function is not one of HDR.
  private static func refuseOtherSignals(
    _ source: PresentedTrack, _ encoded: PresentedTrack
  ) throws {
    guard encoded.facts.bitstream != nil else {
      throw TranscodingError(
        .unusableInput,
        "HDR metadata can only be put into HEVC, H.264 and AV1, not "
          + "\(encoded.track.demuxed.codec.codecName)")
    }
    let (own, other) = (source.transfer, encoded.transfer)
    guard own == other, own.isHDR else {
      throw TranscodingError(
        .unusableInput,
        "its transfer function is \(other), and that of \(source.path) is \(own): the metadata is "
          + "true only if both files have the same kind of HDR")
    }
  }

  /// Pairs the frames.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if they cannot be paired.
  private static func pairs(
    _ source: PresentedTrack, _ encoded: PresentedTrack, _ turn: EncodeTurn, offset: Int?
  ) async throws -> FramePairs {
    func pairs(from start: Int) throws -> FramePairs {
      try FramePairs(
        source.frames, encoded.frames, offset: start, hasTimes: !encoded.asset.isRawStream)
    }
    if let offset { return try pairs(from: offset) }
    let start = try await start(of: encoded, in: source, turn)
    guard start > 0 else { return try pairs(from: 0) }
    let found = try pairs(from: start)
    // Comparing frames may find a wrong start if many of them look alike. So trust the start only
    // if the times agree with it.
    guard found.way != .times else { return found }
    throw TranscodingError(
      .unusableInput,
      "the encode seems to begin with frame \(start) of \(source.path), counted from 0: set the "
        + "offset to \(start), or to 0 if that guess is wrong")
  }

  /// Returns the source's frame that the encode seems to begin with.
  private static func start(
    of encoded: PresentedTrack, in source: PresentedTrack, _ turn: EncodeTurn
  ) async throws -> Int {
    let spare = min(source.frames.count - encoded.frames.count, farthestStart)
    guard spare > 0, !encoded.frames.isEmpty else { return 0 }
    let size = source.facts.size
    let grid = FrameCells.grid(size, turn.unturned(encoded.facts.size))
    let others = try await encoded.cells(lookedAt, grid) { turn.unturned($0, as: size) }
    let looked = Array(encoded.frames.prefix(others.count))
    guard !looked.isEmpty else { return 0 }
    // At each offset, pair frames both by times and by order. If the encode has fewer frames a
    // second than the source, only the times work. If its times are wrong, only the order does.
    let candidates = (0...spare).map { offset in
      [
        FramePairs.byTimes(source.frames, looked, offset: offset),
        Array(offset..<offset + looked.count),
      ].compactMap { $0 }
    }
    let last = candidates.joined().compactMap(\.last).max() ?? 0
    let ones = try await source.cells(last + 1, grid)
    func difference(_ partners: [Int]) -> Float {
      guard let last = partners.last, last < ones.count else { return .infinity }
      let sum = zip(partners, others).reduce(Float(0)) { sum, pair in
        sum + ones[pair.0].difference(from: pair.1)
      }
      return sum / Float(partners.count)
    }
    let differences = candidates.map { $0.map(difference).min() ?? .infinity }
    func isTimed(_ offset: Int) -> Bool {
      FramePairs.byTimes(source.frames, encoded.frames, offset: offset) != nil
    }
    // Prefer an offset at which the times fit. They fit at few offsets, because the times of a
    // phone's frames are irregular.
    let likeliest = differences.indices.sorted { differences[$0] < differences[$1] }
    guard let timed = likeliest.first(where: isTimed) else { return likeliest.first ?? 0 }
    // If several offsets look equally good, take the smallest.
    let least = differences[timed] * 1.02 + 0.000_02
    return differences.indices.first { differences[$0] <= least && isTimed($0) } ?? timed
  }

  /// How many frames after the source's first frame are searched for the encode's first frame.
  private static let farthestStart = 1500
  /// How many frames of the encode are compared at each offset.
  private static let lookedAt = 24

  /// - Parameter substitutes: for each source frame whose RPU is damaged or missing, the source
  ///   frame whose RPU replaces it.
  private static func metadata(
    _ source: PresentedTrack, _ encoded: PresentedTrack, _ pairs: FramePairs,
    _ match: FrameMatch, _ turn: EncodeTurn, _ kinds: [any DynamicHDRMetadataKind.Type],
    _ substitutes: [Int: Int]
  ) throws -> GraftedMetadata {
    let (size, other) = (source.facts.size, turn.unturned(encoded.facts.size))
    let scaling = match.scaling(to: other)
    let keepsContent = match.part == PixelRectangle(whole: size)
    var frames = FrameMetadataTable(timescale: encoded.track.demuxed.timescale)
    for (frame, place) in zip(encoded.frames, pairs.sources) {
      var metadata = FrameMetadata()
      for value in source.frames[place].metadata.all
      where kinds.contains(where: { $0 == type(of: value) }) {
        metadata.put(value)
      }
      if let substitute = substitutes[place].map({ source.frames[$0].metadata }) {
        metadata[DolbyVisionRPU.self] = substitute[DolbyVisionRPU.self]
      }
      if source.isDualLayer {
        metadata[DolbyVisionRPU.self] = metadata[DolbyVisionRPU.self]?.forBaseLayerAlone
      }
      if match.isChanged(size, to: other) {
        metadata = try metadata.moved(by: scaling, from: size)
      }
      if !keepsContent {
        metadata[DolbyVisionRPU.self] = metadata[DolbyVisionRPU.self]?.withoutLightLevels
      }
      if let matrix = turn.matrix { metadata = metadata.turned(by: matrix) }
      if !metadata.all.isEmpty { frames[frame.mediaTime] = metadata }
    }
    // Frames that no edit presents get metadata, too, and so do frames that have none because the
    // source is damaged.
    frames.fill(encoded.mediaTimes)
    let transfer = encoded.transfer
    return GraftedMetadata(
      frames: frames, kinds: kinds,
      staticMetadata: source.hdrMetadata.staticMetadata.filter { kind in
        kind.transferFunctions.contains(transfer) && (keepsContent || !kind.describesContent)
      }, record: source.statedRecord)
  }
}

extension FrameMatch {
  /// Returns how the encode's frames differ from the source's.
  fileprivate func change(from size: VideoDimensions, to other: VideoDimensions) -> FrameChange {
    guard part == PixelRectangle(whole: size) else { return isWithoutBars ? .bars : .frame }
    return size == other ? .none : .size
  }

  fileprivate func isChanged(_ size: VideoDimensions, to other: VideoDimensions) -> Bool {
    part != PixelRectangle(whole: size) || size != other
  }

  fileprivate func scaling(to size: VideoDimensions) -> FrameScaler.Geometry {
    FrameScaler.Geometry(source: part, target: PixelRectangle(whole: size), size: size)
  }
}

extension PresentedTrack {
  fileprivate var transfer: TransferCharacteristics {
    facts.tags.signal.color.transferCharacteristics
  }

  /// The smallest rectangle that contains the active areas (inside the black bars) of all of the
  /// source's RPUs that state bars; `nil` if no RPU states bars.
  fileprivate var activeArea: PixelRectangle? {
    let areas = frames.compactMap { frame -> PixelRectangle? in
      guard let level = frame.metadata[DolbyVisionRPU.self]?.unit?.displayManagement?.level5,
        !level.isWholePicture
      else { return nil }
      let width =
        facts.size.width - Int(level.activeAreaLeftOffset) - Int(level.activeAreaRightOffset)
      let height =
        facts.size.height - Int(level.activeAreaTopOffset) - Int(level.activeAreaBottomOffset)
      return width > 0 && height > 0
        ? PixelRectangle(
          x: Int(level.activeAreaLeftOffset), y: Int(level.activeAreaTopOffset), width: width,
          height: height) : nil
    }
    return areas.dropFirst().reduce(areas.first) { area, other in area?.union(other) ?? other }
  }

  /// Returns the kinds of dynamic metadata that an encode gets.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if Dolby Vision cannot be carried.
  fileprivate func kinds(
    for encoded: PresentedTrack, after change: FrameChange
  ) throws -> [any DynamicHDRMetadataKind.Type] {
    let metadata = hdrMetadata
    return try FrameMetadata.kinds.filter { kind in
      kind.isPresent(in: metadata) || kind.belongsToLayers && isDualLayer
    }.filter { kind in
      guard kind == DolbyVisionRPU.self else {
        return kind.isTrue(after: change) && kind.goes(with: encoded.transfer, in: metadata)
      }
      try refuseOtherDolbyVision(for: encoded)
      return true
    }
  }

  /// Whether the source has an enhancement layer, which an encode cannot have.
  fileprivate var isDualLayer: Bool { track.dualLayerDolbyVision != nil }

  /// The source's Dolby Vision configuration record; `nil` if there is none, or if it would be
  /// wrong for an encode.
  fileprivate var statedRecord: ConfigurationRecord? {
    let metadata = hdrMetadata
    return isDualLayer || metadata.profileConflict != nil ? nil : metadata.dolbyVision?.value
  }

  /// Refuses a source with nothing that could be put onto an encode.
  fileprivate func refuseWithoutMetadata() throws {
    // No encode has the signal of frames that only Dolby Vision players can show (profile 5), or of
    // frames of an enhancement layer alone, whatever the tags say.
    if !isDualLayer, let obstacle = DolbyVisionSource(hdrMetadata)?.obstacle {
      throw TranscodingError(
        .unusableInput,
        "\(path): its HDR metadata cannot be put onto an encode, because the video is \(obstacle)")
    }
    if DolbyVisionRPU.isPresent(in: hdrMetadata) {
      _ = try representativeRPU()
    }
    guard hdrMetadata.kinds.isEmpty else { return }
    let beside = asset.tracks.compactMap { track -> String? in
      track.box?.userData.flatMap { data -> String? in
        data.isHDRMetadata ? "\(data), which is in track \(track.demuxed.id)" : nil
      }
    }
    throw TranscodingError(
      .unusableInput,
      "\(path) has no HDR metadata"
        + (beside.first.map {
          " in its video. Only metadata in video can be put onto an encode, not the file's \($0)"
        } ?? ""))
  }

  private func refuseOtherDolbyVision(for encoded: PresentedTrack) throws {
    let metadata = hdrMetadata
    let profile = try representativeRPU().rpu.unit?.profile
    // RPUs of profile 7 are converted to profile 8.1.
    guard let layer = DataMapping.BaseLayerSignal(encoded.transfer),
      profile == 8 && metadata.isDolbyVision(compatibleWith: layer)
        || isDualLayer && layer == .ofDualLayers
    else {
      throw TranscodingError(
        .unusableInput,
        "\(metadata.name(of: .init(DolbyVisionRPU.self))) of \(path) cannot be put onto an "
          + "encode: only profiles 7 and 8 can, and only if the encode is PQ, HLG or SDR like the "
          + "base layer")
    }
    guard encoded.track.demuxed.codec.bitstream?.dolbyVisionProfile != nil else {
      throw TranscodingError(.unusableInput, "Dolby Vision needs HEVC or AV1")
    }
    let format = encoded.facts.format
    guard format.bitDepth == 10, format.chromaSubsampling == .cs420 else {
      throw TranscodingError(
        .unusableInput, "Dolby Vision profile 8 needs 10-bit 4:2:0, not \(format)")
    }
  }
}
