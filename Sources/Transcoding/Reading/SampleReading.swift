// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Reading of a file once, from its beginning or near a part's to the end, for some outputs, which
/// are those of all calls.
final class SampleReading {
  private let asset: MediaAsset
  private var demuxer: Demuxer
  /// Packets that were read already.
  private var early: ArraySlice<Packet> = []
  private let outputOfTrack: [Int: Int]
  private var waiting: [(output: Int, sample: SampleBuffer)] = []
  private var isAtEnd = false
  /// The tracks that are read by their tables, by the index of their output.
  private var tabled: [Int: TabledAudio] = [:]

  /// Error where what was read is not the whole file that was opened; nil before the end, and where
  /// it is the whole file.
  private(set) var changeError: TranscodingError?

  /// - Parameter probing: as for `Demuxer`.
  init(of asset: MediaAsset, for outputs: [AssetReaderTrackOutput], probing: Bool) throws {
    self.asset = asset
    demuxer = try Demuxer(path: asset.path, probing: probing)
    outputOfTrack = Dictionary(
      outputs.enumerated().map { ($1.track.demuxed.index, $0) },
      uniquingKeysWith: { first, _ in first })
    for (index, output) in outputs.enumerated() {
      tabled[index] = TabledAudio(output.track, path: asset.path)
    }
    let clocks =
      asset.movie?.isFragmented == true ? try FragmentClock.clocks(path: asset.path) : [:]
    for output in outputs { output.fragmentClock = clocks[output.track.demuxed.id] }
    discardOthers(than: outputs)
    if asset.isPart { try skip(for: outputs) }
  }

  /// Leaves out the packets that no output takes.
  private func discardOthers(than outputs: [AssetReaderTrackOutput]) {
    let byTables = Set(tabled.keys.map { outputs[$0].track.demuxed.index })
    for track in demuxer.tracks
    where outputOfTrack[track.index] == nil || byTables.contains(track.index) {
      demuxer.discard(trackIndex: track.index)
    }
  }

  /// Shortest distance of a part from the file's beginning for which samples are skipped. Before a
  /// nearer part, reading starts at the beginning.
  private static let shortestSkip = MediaTime(value: 2, timescale: 1)
  /// After so many packets, all tracks of video should have shown themselves.
  private static let witnesses = 2000

  /// Skips to a little before the part of the presentation that is wanted, in files whose index has
  /// its place; for a track that is read alone, also in others, where places are looked for. Where
  /// that turns out to be too late, the file is read from its beginning.
  private func skip(for outputs: [AssetReaderTrackOutput]) throws {
    let isIndexed = asset.movie.map { !$0.isFragmented } ?? asset.formatName.contains("matroska")
    let isAlone = outputs.count == 1 && outputs[0].fragmentClock == nil
    let wanted = outputs.filter { $0.track.span != nil }
    guard isIndexed || isAlone, let guide = wanted.first?.track.demuxed,
      let start = outputs.compactMap(\.readingStart).min(), start > Self.shortestSkip,
      demuxer.seek(toTrack: guide.index, time: start)
    else { return }
    var missing = Set(wanted.map(\.track.demuxed.index))
    var read: [Packet] = []
    while !missing.isEmpty, read.count < Self.witnesses, let packet = try? demuxer.readPacket() {
      if isAlone, read.isEmpty, !packet.isSync { continue }
      read.append(packet)
      guard missing.remove(packet.trackIndex) != nil else { continue }
      let span = outputOfTrack[packet.trackIndex].flatMap { outputs[$0].track.span }
      guard let span, let time = packet.presentationTime, packet.isSync, time <= span.start else {
        break
      }
      if missing.isEmpty {
        early = read[...]
        return
      }
    }
    demuxer = try Demuxer(path: asset.path)
    discardOthers(than: outputs)
  }

  private func nextPacket(for outputs: [AssetReaderTrackOutput]) throws -> Packet? {
    if let packet = early.popFirst() { return packet }
    // Behind the part, nothing is wanted.
    if asset.isPart, outputs.allSatisfy(\.isDone) { return nil }
    return try demuxer.readPacket()
  }

  /// Reads samples of audio that come before a time; without one, some of all that is left.
  ///
  /// - Returns: true if there were any.
  @discardableResult
  private func readTables(
    until time: MediaTime?, for outputs: [AssetReaderTrackOutput]
  ) throws -> Bool {
    var isAny = false
    for output in outputs.indices {
      var count = 0
      while let next = tabled[output]?.nextTime, time.map({ next <= $0 }) ?? (count < 64),
        let packet = try tabled[output]?.next()
      {
        waiting += try outputs[output].samples(from: packet).map { (output, $0) }
        count += 1
        isAny = true
      }
    }
    return isAny
  }

  /// The error for a file that somebody changed: it states the loss of the track that lacks most
  /// or, without tables, the time up to which the file was read.
  func changedWhileRead(_ outputs: [AssetReaderTrackOutput]) -> TranscodingError {
    let missing = outputs.compactMap { $0.extent.missing(of: $0.track) }
    if let most = missing.max(by: { $0.seconds < $1.seconds }) {
      return asset.version.changeError(
        "it lacks \(most.samples.counted("sample")), \(rounded(most.seconds)) s")
    }
    let ends = outputs.compactMap { output in
      output.extent.end.map { ($0 - (output.track.demuxed.startTime ?? .zero)).seconds }
    }
    let count = outputs.reduce(0) { $0 + $1.extent.count }
    return asset.version.changeError(
      ends.max().map { "\(count.counted("sample")), \(rounded($0)) s, of it could be read" })
  }

  private func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

  /// Counts the samples that the file lists and does not have; at least one, where its end is
  /// missing. Of a part, nothing is missing where all of it was read.
  private func countMissing(of outputs: [AssetReaderTrackOutput]) throws {
    if asset.isPart, outputs.allSatisfy(\.isDone) { return }
    for output in outputs where !asset.isPart || output.track.span != nil {
      try output.countMissing()
    }
    let end = asset.endsInsidePacket ? "it ends inside of a packet" : nil
    guard let missing = asset.missingData ?? end, outputs.allSatisfy({ $0.damagedCount == 0 })
    else { return }
    try outputs.first?.damaged(missing)
  }

  /// The next sample of some outputs and the index of its output; nil at the end.
  ///
  /// - Throws: where the file cannot be read on, or is damaged and an output does not conceal it.
  func next(
    of outputs: [AssetReaderTrackOutput]
  ) throws -> (output: Int, sample: SampleBuffer)? {
    while waiting.isEmpty && !isAtEnd {
      if let packet = try nextPacket(for: outputs) {
        try readTables(until: packet.decodeTime ?? packet.presentationTime, for: outputs)
        guard let output = outputOfTrack[packet.trackIndex], tabled[output] == nil else { continue }
        waiting += try outputs[output].samples(from: packet).map { (output, $0) }
      } else if try readTables(until: nil, for: outputs) {
        continue
      } else {
        isAtEnd = true
        for (index, output) in outputs.enumerated() {
          waiting += try output.finish().map { (index, $0) }
        }
        changeError = asset.version.hasChanged ? changedWhileRead(outputs) : nil
        if changeError == nil { try countMissing(of: outputs) }
      }
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}
