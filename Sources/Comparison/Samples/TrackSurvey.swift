// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Assets
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Reading

/// A track, with what can be known about its samples without decoding them.
struct TrackSurvey: Sendable {
  /// A presented sample: its time, if the file has one, and a digest of its bytes. The digest is
  /// `nil` for video, and for samples that are missing from the file.
  typealias Sample = (time: MediaTime?, digest: UInt64?)

  let track: AssetTrack
  /// The presented samples, in order.
  private(set) var samples: [Sample] = []
  /// When the last presented sample ends, or `nil` if the file has no times.
  private(set) var end: MediaTime?
  /// The time from the start of the first presented sample to the end of the last. For text, only
  /// samples that show something count. `nil` if the file has no times.
  private(set) var extent: (start: MediaTime, end: MediaTime)?
  /// The duration of the longest sample.
  private(set) var longest = MediaTime.zero
  /// When texts appear, in milliseconds. Empty for other tracks.
  private(set) var textStarts: Set<Int64> = []
  /// How many frames have each kind of dynamic metadata, by the key of the kind.
  private(set) var metadataCounts: [String: Int] = [:]
  /// How many frames have each part of dynamic metadata, by the key of the metadata's kind and the
  /// number of the part.
  private(set) var partCounts: [String: [UInt8: Int]] = [:]
  /// How many frames have captions.
  private(set) var captionCount = 0

  private let units: PacketMetadata?

  private init(_ track: AssetTrack) {
    self.track = track
    units = track.mediaType == .video ? PacketMetadata(track.demuxed) : nil
  }

  /// Reads all samples of a file.
  ///
  /// - Returns: a survey for each track, in the order of the file.
  static func all(
    of asset: MediaAsset, checkpoint: Pipeline.Checkpoint
  ) throws -> [TrackSurvey] {
    var surveys = asset.tracks.map { TrackSurvey($0) }
    var read: [Int] = []
    for index in surveys.indices {
      if try !surveys[index].readTables(checkpoint) { read.append(index) }
    }
    let outputs = try read.map {
      try TrackReading(track: asset.tracks[$0], decodes: false)
    }
    let reader = try AssetReading(asset, for: outputs)
    while let (index, sample) = try reader.next() {
      try checkpoint()
      if case .packet(let sample) = sample { surveys[read[index]].add(sample.packet) }
    }
    for index in surveys.indices { surveys[index].sort() }
    return surveys
  }

  /// Reads samples through the tables of a movie's track, if the track is not video, audio or
  /// artwork.
  ///
  /// - Returns: `false` if the track is video, audio or artwork, or if tables are missing or
  ///   contradict each other.
  private mutating func readTables(_ checkpoint: Pipeline.Checkpoint) throws -> Bool {
    // libavformat does not return some samples, such as those of chapter tracks.
    guard track.mediaType == .other, let box = track.box, let times = SampleTimes(box),
      let table = try? SampleTable(box), table.count == times.timesInDecodingOrder.count
    else { return false }
    let source = try FileByteSource(path: track.path)
    let scale = Int32(clamping: max(box.mediaTimescale, 1))
    for (index, range) in table.ranges.enumerated() {
      try checkpoint()
      let time = times.timesInDecodingOrder[index]
      let end = index + 1 < table.count ? times.timesInDecodingOrder[index + 1] : nil
      let isThere = range.upperBound <= source.size
      add(
        isThere ? try source.read(at: range.lowerBound, count: range.count) : nil,
        at: MediaTime(value: time, timescale: scale),
        lasting: MediaTime(value: end.map { $0 &- time } ?? times.lastDuration, timescale: scale))
    }
    return true
  }

  private mutating func add(_ packet: Packet) {
    // In a byte stream, a frame's last units may come with the next frame or as a separate packet.
    let (late, own) = units?.split(packet) ?? ([], [])
    add(late)
    if !late.isEmpty, own.isEmpty { return }
    if track.demuxed.codec.isMPEG2, packet.hasMPEG2Captions { captionCount += 1 }
    let time = packet.presentationTimeStamp ?? packet.decodeTimeStamp
    let isVideo = track.mediaType == .video
    guard add(isVideo ? nil : packet.bytes, at: time, lasting: packet.duration) else { return }
    add(own)
  }

  /// Adds a sample if it is presented.
  ///
  /// - Parameter bytes: the content, or `nil` for video and for missing samples.
  @discardableResult
  private mutating func add(
    _ bytes: [UInt8]?, at time: MediaTime?, lasting duration: MediaTime
  ) -> Bool {
    // A sample without a duration would intersect no edit, so let it last at least a tick.
    let length = max(duration, MediaTime(value: 1, timescale: track.demuxed.timescale))
    if let time, !track.timeline.presents(from: time, to: time + length) { return false }
    let start = time.flatMap { track.timeline.presentationTime(of: $0, lasting: length) }
    if let start { end = max(end ?? .zero, start + duration) }
    samples.append((start, bytes.map(\.digest)))
    longest = max(longest, duration)
    if !track.isText || bytes.map(track.showsText) ?? false { extend(to: time, length) }
    return true
  }

  private mutating func extend(to time: MediaTime?, _ length: MediaTime) {
    guard let time, let shown = track.timeline.presentedInterval(of: time, lasting: length)
    else { return }
    extent = (min(extent?.start ?? shown.start, shown.start), max(extent?.end ?? .zero, shown.end))
    // Matroska counts milliseconds, so compare in that unit.
    if track.isText { textStarts.insert(shown.start.converted(to: 1000).value) }
  }

  /// Counts what a frame's NAL units carry besides the frame.
  private mutating func add(_ units: ArraySlice<NALUnit>) {
    if units.contains(where: \.hasCaptions) { captionCount += 1 }
    var metadata = FrameMetadata()
    metadata.take(units)
    for value in metadata.all {
      let key = type(of: value).key
      metadataCounts[key, default: 0] += 1
      for part in value.parts { partCounts[key, default: [:]][part, default: 0] += 1 }
    }
  }

  /// Sorts samples from decoding order into presentation order.
  private mutating func sort() {
    // If some samples have no time, only the order of the file is known.
    guard samples.allSatisfy({ $0.time != nil }) else { return }
    samples.sort { ($0.time ?? .zero) < ($1.time ?? .zero) }
  }
}
