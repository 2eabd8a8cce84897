// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Reads some tracks of a file in one pass, from its beginning or from a little before a requested
/// part.
package final class AssetReading {
  package let asset: MediaAsset
  /// The tracks that are read. The `track` index of a sample is an index into this array.
  package let tracks: [TrackReading]

  private var packets: DemuxedPackets
  /// The demuxer's indices of the tracks whose packets it returns.
  private let demuxed: Set<Int>
  /// Packets that were read while seeking and have not been returned yet.
  private var early: ArraySlice<Packet> = []
  /// For each demuxer index, the index in `tracks`.
  private let places: [Int: Int]
  private var waiting: [(track: Int, sample: SampleBuffer)] = []
  private var isAtEnd = false
  /// The audio tracks that are read through their tables, by their index in `tracks`.
  private var tabled: [Int: TabledAudio] = [:]

  /// The error if the file has changed since it was opened. It is set once reading ends.
  package private(set) var changeError: TranscodingError?

  /// Opens the file, and seeks if the asset is only a part of the file.
  package init(_ asset: MediaAsset, for tracks: [TrackReading]) throws {
    (self.asset, self.tracks) = (asset, tracks)
    places = Dictionary(
      tracks.enumerated().map { ($1.track.demuxed.index, $0) },
      uniquingKeysWith: { first, _ in first })
    for (place, reading) in tracks.enumerated() {
      tabled[place] = TabledAudio(reading.track, path: asset.path)
      if tabled[place] == nil { try reading.track.refuseOtherEntries() }
    }
    let clocks =
      asset.movie?.isFragmented == true ? try FragmentClock.clocks(path: asset.path) : [:]
    for reading in tracks { reading.fragmentClock = clocks[reading.track.demuxed.id] }
    let byTables = tabled.keys.map { tracks[$0].track.demuxed.index }
    // libavformat would join samples of the tracks that are read through tables, so it must not
    // read these tracks.
    demuxed = Set(places.keys).subtracting(byTables)
    packets = try DemuxedPackets(
      path: asset.path, of: demuxed, probing: tracks.contains { $0.track.needsProbing })
    if asset.isPart { try skip() }
  }

  /// A part that begins before this time is read from the file's beginning.
  private static let shortestSkip = MediaTime(value: 2, timescale: 1)
  /// After this many packets, every requested track should have appeared.
  private static let witnesses = 2000

  /// Seeks to a little before the requested part. If the file has no index, seeks only if a single
  /// track is read.
  private func skip() throws {
    // Matroska files, and movies with tables, have an index that covers all tracks. In other files,
    // the demuxer has to search for a place, which is safe only for a single track.
    let isIndexed = asset.movie.map { !$0.isFragmented } ?? asset.formatName.contains("matroska")
    let isAlone = tracks.count == 1 && tracks[0].fragmentClock == nil
    guard !tracks.contains(where: { $0.track.mayChangeConfiguration }) else { return }
    let wanted = tracks.filter { $0.track.span != nil }
    // The demuxer seeks in one track, the guide, to the earliest start of all tracks.
    guard isIndexed || isAlone, let guide = wanted.first?.track.demuxed,
      let start = tracks.compactMap(\.readingStart).min(), start > Self.shortestSkip,
      packets.demuxer.seek(toTrack: guide.index, time: start)
    else { return }
    // Seeking is a guess until each requested track has given a sync sample at or before its start.
    // Packets read on the way are kept.
    var missing = Set(wanted.map(\.track.demuxed.index))
    var read: [Packet] = []
    while !missing.isEmpty, read.count < Self.witnesses, let packet = try? packets.next() {
      if isAlone, read.isEmpty, !packet.isSync { continue }
      read.append(packet)
      guard missing.remove(packet.trackIndex) != nil else { continue }
      let span = places[packet.trackIndex].flatMap { tracks[$0].track.span }
      guard let span, let time = packet.presentationTimeStamp, packet.isSync, time <= span.start
      else {
        // The place that the demuxer found is too late for this track, or is not a sync sample.
        // Give up the seek and read from the beginning.
        break
      }
      if missing.isEmpty {
        early = read[...]
        return
      }
    }
    packets = try DemuxedPackets(path: asset.path, of: demuxed)
  }

  private func nextPacket() throws -> Packet? {
    if let packet = early.popFirst() { return packet }
    // The part is complete, so do not read the rest of the file.
    if asset.isPart, tracks.allSatisfy(\.isDone) { return nil }
    return try packets.next()
  }

  /// Reads samples of audio through tables: those up to a time, or the next few if the time is
  /// `nil`.
  ///
  /// - Returns: whether any sample was read.
  @discardableResult
  private func readTables(until time: MediaTime?) throws -> Bool {
    var isAny = false
    for place in tracks.indices {
      var count = 0
      // If no time is given, stop after 64 samples, because reading all samples at once would keep
      // the whole track in memory.
      while let next = tabled[place]?.nextTime, time.map({ next <= $0 }) ?? (count < 64),
        let packet = try tabled[place]?.next()
      {
        waiting += try tracks[place].samples(from: packet).map { (place, $0) }
        count += 1
        isAny = true
      }
    }
    return isAny
  }

  /// The error for a file that changed while it was read. It says how much is missing from the
  /// track that lacks the most data. If there are no tables, it says how far the file could be
  /// read.
  package var changedWhileRead: TranscodingError {
    let missing = tracks.compactMap(\.missing)
    if let most = missing.max(by: { $0.seconds < $1.seconds }) {
      return asset.version.changeError(
        "it lacks \(most.samples.counted("sample")) (\(rounded(most.seconds)) s)")
    }
    let ends = tracks.compactMap { reading in
      reading.readEnd.map { ($0 - (reading.track.demuxed.startTime ?? .zero)).seconds }
    }
    let count = tracks.reduce(0) { $0 + $1.readCount }
    return asset.version.changeError(
      ends.max().map { "only \(count.counted("sample")) (\(rounded($0)) s) could be read" })
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

  /// Counts the samples that the file lists but does not contain. If the file's end is missing and
  /// no damage was reported, counts at least one.
  private func countMissing() throws {
    // If a part was read completely, the end of the file does not matter.
    if asset.isPart, tracks.allSatisfy(\.isDone) { return }
    for reading in tracks where !asset.isPart || reading.track.span != nil {
      try reading.countMissing()
    }
    // If damage was reported, it explains the missing end. Do not count it twice.
    let end = asset.endsInsidePacket ? "it ends in the middle of a packet" : nil
    guard let missing = asset.missingData ?? end,
      tracks.allSatisfy({ $0.tally.damagedCount == 0 })
    else { return }
    try tracks.first?.tally.addDamage(missing)
  }

  /// Returns the next sample in file order and the index of its track, or `nil` at the end.
  ///
  /// - Throws: an error if the file cannot be read any further, or if there is damage that is not
  ///   concealed.
  package func next() throws -> (track: Int, sample: SampleBuffer)? {
    while waiting.isEmpty && !isAtEnd {
      if let packet = try nextPacket() {
        // Audio from tables is interleaved here by time. If a muxer got all of the audio last, it
        // would have to hold back all frames until then.
        try readTables(until: packet.decodeTimeStamp ?? packet.presentationTimeStamp)
        guard let place = places[packet.trackIndex] else { continue }
        waiting += try tracks[place].samples(from: packet).map { (place, $0) }
      } else if try readTables(until: nil) {
        continue
      } else {
        isAtEnd = true
        for (place, reading) in tracks.enumerated() {
          waiting += try reading.finish().map { (place, $0) }
        }
        // A file that became shorter while it was read looks damaged. Say what really happened.
        changeError = asset.version.hasChanged ? changedWhileRead : nil
        if changeError == nil { try countMissing() }
      }
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}
