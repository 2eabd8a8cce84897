// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Planning
internal import Reading

/// Opens the written file and compares it with what was promised.
struct OutputVerifier {
  let path: String
  let tracks: [WrittenTrack]
  let carried: CarriedTracks
  /// The path of the source, if there is one.
  let sourcePath: String?
  let promise: OutputPromise?
  /// Whether to decode every frame, not just the first.
  let decodesAll: Bool

  /// Returns notices about everything that is not as promised.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` if the file cannot be read.
  func faults(checkpoint: Pipeline.Checkpoint) throws -> [Notice] {
    let asset: MediaAsset
    do {
      asset = try MediaAsset(opening: path)
    } catch let error as TranscodingError where error.kind == .inputOutput {
      throw error
    } catch {
      return [.outputUnreadable(error)]
    }
    let (count, promised) = (asset.movie?.tracks.count ?? 0, tracks.count + carried.tracks.count)
    guard count == promised, asset.tracks.count >= tracks.count else {
      return [.otherTrackCount(count, promised: promised)]
    }
    return try promiseFaults(asset) + sampleFaults(asset, checkpoint)
      + carriedFaults(asset, checkpoint) + copyFaults(asset, checkpoint)
      + (decodesAll ? decodingFaults(asset, checkpoint) : [])
  }

  private func promiseFaults(_ asset: MediaAsset) -> [Notice] {
    guard let promise else { return recordFaults(asset) }
    guard let (track, written) = videoTrack(of: asset), let facts = track.video else {
      return [.firstFrameUndecodable]
    }
    let boxes = written.boxes
    var faults: [Notice] = []
    faults.expect("the sample entry", track.sampleEntry, "\(promise.sampleEntry)")
    faults.expect("the size", facts.size, promise.size)
    for claim in facts.claims where [.container, .bitstream].contains(claim.source) {
      for field in SignalField.allCases where states(claim.source, field) {
        faults.expect(
          "the \(claim.source.rawValue)'s \(field.rawValue)", field, claim.signal,
          wireSignal(claim.source), unstated: "unstated")
      }
    }
    // Only QuickTime has `gama`, so MP4 promises nothing about it.
    if asset.movie?.isQuickTime == true {
      let gamma = facts.claims.first { $0.source == .gamma }?.signal
      faults.expect("the 'gama' atom", .transferFunction, gamma, promise.gamma)
    }
    let preferred = facts.claims.first { $0.source == .preferredTransfer }
    faults.expect(
      "\(StatementPlace.preferredTransfer)", preferred?.signal.color.transferCharacteristics,
      boxes.hdrMetadata.preferredTransfer)
    return faults + boxes.shape.faults(in: track.box?.sampleEntries.first)
      + boxes.hdrMetadata.faults(in: facts.hdrMetadata)
  }

  /// Returns the output's video track, as read and as written.
  private func videoTrack(of asset: MediaAsset) -> (read: AssetTrack, written: WrittenTrack)? {
    tracks.videoTrackIndex.flatMap { place in
      asset.tracks.first { $0.demuxed.index == place }.map { ($0, tracks[place]) }
    }
  }

  /// Returns a notice if a copy lacks the promised Dolby Vision record.
  private func recordFaults(_ asset: MediaAsset) -> [Notice] {
    guard let (track, written) = videoTrack(of: asset), let found = track.video?.hdrMetadata,
      let wanted = written.boxes.hdrMetadata.dolbyVision,
      found.dolbyVision?.value != wanted
    else { return [] }
    return [.recordNotStated(wanted)]
  }

  /// Returns notices about copied tracks that decode differently from the source.
  private func copyFaults(
    _ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    let pairs = zip(asset.tracks, tracks).compactMap { track, written in
      // A movie that only collects samples for Matroska cannot be decoded. The file made from it is
      // checked instead.
      written.entryOrigin.isNone
        ? nil : written.boxes.origin.map { (copy: track, origin: $0) }
    }
    return try Self.faults(ofCopies: pairs, checkpoint: checkpoint)
  }

  /// Returns the signal that a place has to declare.
  private func wireSignal(_ source: ClaimSource) -> SignalDescription {
    var signal =
      (source == .bitstream ? promise?.vuiSignal : promise?.signal) ?? SignalDescription()
    signal.color = signal.color.numbered
    return signal
  }

  /// Whether a place can declare a property.
  private func states(_ source: ClaimSource, _ field: SignalField) -> Bool {
    // Boxes have no chroma location. Only MP4's `nclx` has a range, and only beside colors.
    source == .bitstream || (field != .range && field != .chromaLocation)
  }

  private func sampleFaults(
    _ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    var packets = try DemuxedPackets(path: path, of: Set(tracks.indices))
    var found = [WrittenSamples](repeating: WrittenSamples(), count: tracks.count)
    let bitstream = promise?.bitstream
    let videoTrack =
      bitstream?.carriesHDRMetadata == true ? self.videoTrack(of: asset)?.read.demuxed.index : nil
    var rpuFault: Notice?
    while let packet = try packets.next() {
      try checkpoint()
      found[packet.trackIndex].add(packet)
      if let bitstream, packet.trackIndex == videoTrack, rpuFault == nil {
        let metadata = tracks[packet.trackIndex].boxes.hdrMetadata
        rpuFault = metadata.fault(inSample: packet.bytes, bitstream)
      }
    }
    // libavformat joins short frames of E-AC-3. Read those from the sample tables, as they were
    // written.
    for (index, track) in asset.tracks.prefix(tracks.count).enumerated() {
      guard var audio = TabledAudio(track, path: path) else { continue }
      found[index] = WrittenSamples()
      while let packet = try audio.next() { found[index].add(packet) }
    }
    return [rpuFault].compactMap { $0 }
      + zip(found, tracks).enumerated().compactMap { index, pair in
        let (found, wanted) = (pair.0, pair.1.samples)
        if asset.tracks[index].isGroupedByReaders(tracks[index]) {
          return found.length == wanted.length
            ? nil : .otherTrackLength(index + 1)
        }
        if found.count != wanted.count {
          return .otherSampleCount(index + 1, found.count, promised: wanted.count)
        }
        return found.digest == wanted.digest ? nil : .otherSampleTimes(index + 1)
      }
  }

  /// Returns notices about carried tracks whose samples differ from the source's.
  private func carriedFaults(
    _ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    guard let movie = asset.movie, let sourcePath, !carried.tracks.isEmpty else { return [] }
    let (output, source) = (
      try FileByteSource(path: path), try FileByteSource(path: sourcePath)
    )
    return try zip(movie.tracks.dropFirst(tracks.count), carried.tracks).compactMap {
      try $1.isIn($0, of: output, source: source, checkpoint: checkpoint)
        ? nil : .otherCarriedSamples($0.header.trackID ?? 0, kind: $1.kind)
    }
  }

  private func decodingFaults(
    _ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    guard promise != nil, let (track, written) = videoTrack(of: asset) else { return [] }
    let wanted = written.samples.count
    // Frames that no edit presents are in the file as well and have to be decodable.
    let output = try TrackReading(
      track: track.presentingAll, decodes: true, concealsDamage: true)
    let reader = try AssetReading(asset, for: [output])
    var count = 0
    while try reader.next() != nil {
      try checkpoint()
      count += 1
    }
    var faults: [Notice] = []
    if count != wanted { faults.append(.framesUndecodable(count, of: wanted)) }
    let damagedCount = output.tally.damagedCount
    if damagedCount > 0 { faults.append(.framesDamaged(damagedCount)) }
    return faults
  }
}

extension [Notice] {
  /// Adds a notice if the output declares something else than was promised.
  fileprivate mutating func expect<Value: Equatable>(
    _ what: String, _ found: Value?, _ wanted: Value?, unstated: String = "none",
    _ text: (Value) -> String = { "\($0)" }
  ) {
    guard found != wanted else { return }
    append(
      .otherStatement(
        what, found.map(text) ?? unstated, promised: wanted.map(text) ?? unstated))
  }

  fileprivate mutating func expect(
    _ what: String, _ field: SignalField, _ found: SignalDescription?,
    _ wanted: SignalDescription?, unstated: String = "none"
  ) {
    expect(
      what, found.flatMap(field.value(in:)), wanted.flatMap(field.value(in:)), unstated: unstated
    ) { field.statement(in: $0) ?? unstated }
  }
}

extension WrittenSamples {
  /// The duration from the first decode time to the end of the last sample.
  fileprivate var length: MediaTime? {
    guard let first = firstDecodeTime, let end else { return nil }
    return end - first
  }
}

extension AssetTrack {
  /// Whether sample counts differ between writing and reading.
  fileprivate func isGroupedByReaders(_ written: WrittenTrack) -> Bool {
    // Readers return many PCM samples at a time, and the muxer joins short frames of E-AC-3.
    demuxed.codec.isPCM || demuxed.codec.isEnhancedAC3 && written.entryOrigin.isMuxer
  }

  /// The track with all of its media presented.
  fileprivate var presentingAll: AssetTrack {
    AssetTrack(path: path, demuxed: demuxed, timeline: .wholeMedia, box: box, video: video)
  }
}
