// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Reads a file once, from its beginning or from near a part's to the end, for some of its tracks.
package final class AssetReading {
  /// The file.
  package let asset: MediaAsset
  /// The tracks that are read.
  package let tracks: [TrackReading]

  private var packets: DemuxedPackets
  /// The indices of the tracks whose packets the demuxer gives.
  private let demuxed: Set<Int>
  /// Packets that were read already.
  private var early: ArraySlice<Packet> = []
  /// The place among those read of a track of the file, by its index there.
  private let places: [Int: Int]
  private var waiting: [(track: Int, sample: SampleBuffer)] = []
  private var isAtEnd = false
  /// The tracks that are read by their tables, by their place.
  private var tabled: [Int: TabledAudio] = [:]

  /// Error where what was read is not the whole file that was opened; nil before the end, and where
  /// it is the whole file.
  package private(set) var changeError: TranscodingError?

  /// Opens the file.
  ///
  /// - Parameter probing: as for `Demuxer`.
  package init(_ asset: MediaAsset, for tracks: [TrackReading], probing: Bool = true) throws {
    (self.asset, self.tracks) = (asset, tracks)
    places = Dictionary(
      tracks.enumerated().map { ($1.track.demuxed.index, $0) },
      uniquingKeysWith: { first, _ in first })
    for (place, reading) in tracks.enumerated() {
      tabled[place] = TabledAudio(reading.track, path: asset.path)
    }
    let clocks =
      asset.movie?.isFragmented == true ? try FragmentClock.clocks(path: asset.path) : [:]
    for reading in tracks { reading.fragmentClock = clocks[reading.track.demuxed.id] }
    let byTables = tabled.keys.map { tracks[$0].track.demuxed.index }
    demuxed = Set(places.keys).subtracting(byTables)
    packets = try DemuxedPackets(path: asset.path, of: demuxed, probing: probing)
    if asset.isPart { try skip() }
  }

  /// Shortest distance of a part from the file's beginning for which samples are skipped. Before a
  /// nearer part, reading starts at the beginning.
  private static let shortestSkip = MediaTime(value: 2, timescale: 1)
  /// After so many packets, all tracks of video should have shown themselves.
  private static let witnesses = 2000

  /// Skips to a little before the part of the presentation that is wanted, in files whose index has
  /// its place; for a track that is read alone, also in others, where places are looked for. Where
  /// that turns out to be too late, the file is read from its beginning.
  private func skip() throws {
    let isIndexed = asset.movie.map { !$0.isFragmented } ?? asset.formatName.contains("matroska")
    let isAlone = tracks.count == 1 && tracks[0].fragmentClock == nil
    let wanted = tracks.filter { $0.track.span != nil }
    guard isIndexed || isAlone, let guide = wanted.first?.track.demuxed,
      let start = tracks.compactMap(\.readingStart).min(), start > Self.shortestSkip,
      packets.demuxer.seek(toTrack: guide.index, time: start)
    else { return }
    var missing = Set(wanted.map(\.track.demuxed.index))
    var read: [Packet] = []
    while !missing.isEmpty, read.count < Self.witnesses, let packet = try? packets.next() {
      if isAlone, read.isEmpty, !packet.isSync { continue }
      read.append(packet)
      guard missing.remove(packet.trackIndex) != nil else { continue }
      let span = places[packet.trackIndex].flatMap { tracks[$0].track.span }
      guard let span, let time = packet.presentationTimeStamp, packet.isSync, time <= span.start
      else {
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
    // Behind the part, nothing is wanted.
    if asset.isPart, tracks.allSatisfy(\.isDone) { return nil }
    return try packets.next()
  }

  /// Reads samples of audio that come before a time; without one, some of all that is left.
  ///
  /// - Returns: true if there were any.
  @discardableResult
  private func readTables(until time: MediaTime?) throws -> Bool {
    var isAny = false
    for place in tracks.indices {
      var count = 0
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

  /// The error for a file that somebody changed: it states the loss of the track that lacks most
  /// or, without tables, the time up to which the file was read.
  package var changedWhileRead: TranscodingError {
    let missing = tracks.compactMap(\.missing)
    if let most = missing.max(by: { $0.seconds < $1.seconds }) {
      return asset.version.changeError(
        "it lacks \(most.samples.counted("sample")), \(rounded(most.seconds)) s")
    }
    let ends = tracks.compactMap { reading in
      reading.readEnd.map { ($0 - (reading.track.demuxed.startTime ?? .zero)).seconds }
    }
    let count = tracks.reduce(0) { $0 + $1.readCount }
    return asset.version.changeError(
      ends.max().map { "\(count.counted("sample")), \(rounded($0)) s, of it could be read" })
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

  /// Counts the samples that the file lists and does not have; at least one, where its end is
  /// missing. Of a part, nothing is missing where all of it was read.
  private func countMissing() throws {
    if asset.isPart, tracks.allSatisfy(\.isDone) { return }
    for reading in tracks where !asset.isPart || reading.track.span != nil {
      try reading.countMissing()
    }
    let end = asset.endsInsidePacket ? "it ends inside of a packet" : nil
    guard let missing = asset.missingData ?? end,
      tracks.allSatisfy({ $0.tally.damagedCount == 0 })
    else { return }
    try tracks.first?.tally.addDamage(missing)
  }

  /// The next sample in the order of the file, and the place of its track among those read; nil at
  /// the end.
  ///
  /// - Throws: where the file cannot be read on, or is damaged and that is not concealed.
  package func next() throws -> (track: Int, sample: SampleBuffer)? {
    while waiting.isEmpty && !isAtEnd {
      if let packet = try nextPacket() {
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
        changeError = asset.version.hasChanged ? changedWhileRead : nil
        if changeError == nil { try countMissing() }
      }
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}
