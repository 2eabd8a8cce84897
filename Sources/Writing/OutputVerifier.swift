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

  /// Returns a notice for each fact about the output's video that is not as promised.
  private func promiseFaults(_ asset: MediaAsset) -> [Notice] {
    guard let (track, written) = videoTrack(of: asset), track.video != nil else {
      return promise == nil ? [] : [.firstFrameUndecodable]
    }
    let found = track.facts(where: { $0.verification.isWanted })
    let metadata = written.boxes.hdrMetadata.facts
    guard let promise else {
      // Without a promise, the samples are copies. They state the same facts as in the source, so
      // only replaced facts have to be checked.
      return written.boxes.hdrMetadata.replacedFacts.flatMap { key in
        key.faults(of: found[key], promised: metadata[key])
      }
    }
    let container: FileType = asset.movie?.isQuickTime == true ? .mov : .mp4
    let promised = promise.facts(written.boxes.shape, in: container) + metadata
    return FactKey.all.flatMap { $0.faults(of: found[$0], promised: promised[$0]) }
  }

  /// Returns the output's video track, as it was read and as it was written.
  private func videoTrack(of asset: MediaAsset) -> (read: AssetTrack, written: WrittenTrack)? {
    tracks.videoTrackIndex.flatMap { place in
      asset.tracks.first { $0.demuxed.index == place }.map { ($0, tracks[place]) }
    }
  }

  /// Returns notices about copied tracks that cannot be decoded although their source can, or whose
  /// frames differ from the source's in size or pixel format.
  private func copyFaults(
    _ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    let pairs = zip(asset.tracks, tracks).compactMap { track, written in
      // A movie that only holds samples for a Matroska file cannot be decoded. The file made from
      // it is checked instead.
      written.entryOrigin.isNone
        ? nil : written.boxes.origin.map { (copy: track, origin: $0) }
    }
    return try Self.faults(ofCopies: pairs, checkpoint: checkpoint)
  }

  /// Returns the video track if dynamic metadata was promised for its samples.
  private func checkedTrack(of asset: MediaAsset) -> AssetTrack? {
    guard let (track, written) = videoTrack(of: asset) else { return nil }
    let plan = written.boxes.hdrMetadata
    let isPromised =
      promise.map {
        $0.bitstream?.carries(DolbyVisionRPU.self) == true || !plan.measuredKinds.isEmpty
      }
      ?? !plan.replaced.isEmpty
    return isPromised ? track : nil
  }

  private func sampleFaults(
    _ asset: MediaAsset, _ checkpoint: Pipeline.Checkpoint
  ) throws -> [Notice] {
    var packets = try DemuxedPackets(path: path, of: Set(tracks.indices))
    var found = [WrittenSamples](repeating: WrittenSamples(), count: tracks.count)
    let checked = checkedTrack(of: asset)
    let units = checked.flatMap { PacketMetadata($0.demuxed) }
    var metadataFault: Notice?
    while let packet = try packets.next() {
      try checkpoint()
      found[packet.trackIndex].add(packet)
      if let units, packet.trackIndex == checked?.demuxed.index, metadataFault == nil {
        let own = units.split(packet).own
        metadataFault = tracks[packet.trackIndex].boxes.hdrMetadata.fault { kind in
          own.compactMap { kind.payload(in: [$0]) }
        }
      }
    }
    // libavformat joins short frames of E-AC-3 when it reads them. So read these frames through the
    // sample tables, which list them as they were written.
    for (index, track) in asset.tracks.prefix(tracks.count).enumerated() {
      guard var audio = TabledAudio(track, path: path) else { continue }
      found[index] = WrittenSamples()
      while let packet = try audio.next() { found[index].add(packet) }
    }
    return [metadataFault].compactMap { $0 }
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
    // Frames that no edit presents are in the file as well, and it must be possible to decode them.
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

extension FactKey.Verification {
  var isWanted: Bool { if case .none = self { false } else { true } }
}

extension FactKey {
  /// Returns notices if the output does not state what was promised.
  func faults(of found: Fact?, promised: Fact?) -> [Notice] {
    func fault(_ name: String, _ found: String?, _ promised: String?) -> [Notice] {
      found == promised
        ? [] : [.otherStatement(name, found ?? "unstated", promised: promised ?? "unstated")]
    }
    switch verification {
    case .none: return []
    case .value: return fault(code, found?.text, promised?.text)
    case .signal(let fields):
      // Nothing is promised about a bitstream that we cannot parse.
      guard let wanted = promised?.value as? SignalDescription else { return [] }
      let stated = found?.value as? SignalDescription ?? SignalDescription()
      return fields.flatMap { field in
        fault(
          "\(code)'s \(field.rawValue)", field.statement(in: stated),
          field.statement(in: wanted))
      }
    case .places:
      // Some players read only the box, and others only the SEI message, so check that the fact is
      // in every promised place.
      let isEverywhere = Set(found?.places ?? []).isSuperset(of: promised?.places ?? [])
      guard found?.text != promised?.text || !isEverywhere else { return [] }
      return fault(code, found?.textWithPlaces, promised?.textWithPlaces)
    }
  }
}

extension Fact {
  fileprivate var textWithPlaces: String {
    "\(text) (\(places.map(\.description).joined(separator: ", ")))"
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
  /// Whether readers may return a different number of samples than was written.
  fileprivate func isGroupedByReaders(_ written: WrittenTrack) -> Bool {
    // Readers return many PCM samples at a time, and libavformat's muxer joins short frames of
    // E-AC-3.
    demuxed.codec.isPCM || demuxed.codec.isEnhancedAC3 && written.entryOrigin.isMuxer
  }

  /// The track with all of its media presented.
  fileprivate var presentingAll: AssetTrack {
    AssetTrack(path: path, demuxed: demuxed, timeline: .wholeMedia, box: box, video: video)
  }
}
