// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Survey of all samples of a video track, read once from the first to the last.
struct SampleSurvey: Sendable {
  /// The samples that could be read.
  private(set) var count = 0
  /// Reason for which reading ended before the end of the file; nil where it did not.
  private(set) var interruption: String?
  /// True if decoding can start at the first sample.
  private(set) var beginsWithSync = false
  /// Samples that are not decoded after the one before.
  private(set) var outOfOrder = Tally()
  /// Samples that hold nothing, or were found damaged by the demuxer.
  private(set) var damaged = Tally()
  /// Parameter sets and messages in the samples.
  private(set) var units: UnitSurvey
  /// The Dolby Vision RPUs.
  private(set) var rpus: RPUSurvey

  private var times: [MediaTime] = []
  private var lastDecodeTime: MediaTime?

  init(_ track: AssetTrack, checkpoint: Pipeline.Checkpoint) throws {
    units = UnitSurvey(track)
    rpus = RPUSurvey(size: track.video?.size ?? track.demuxed.size)
    var packets = try DemuxedPackets(path: track.path, of: [track.demuxed.index])
    while let packet = next(of: &packets) {
      try checkpoint()
      add(packet)
    }
    for accessUnit in units.finish() { rpus.add(accessUnit) }
  }

  private mutating func next(of packets: inout DemuxedPackets) -> Packet? {
    do {
      return try packets.next()
    } catch {
      interruption = "\(error)"
      return nil
    }
  }

  private mutating func add(_ packet: Packet) {
    if count == 0 { beginsWithSync = packet.isSync }
    if packet.isEmpty || packet.isCorrupt { damaged.add(count) }
    if let time = packet.decodeTimeStamp {
      if let lastDecodeTime, time <= lastDecodeTime { outOfOrder.add(count) }
      lastDecodeTime = time
    }
    if let time = packet.presentationTimeStamp { times.append(time) }
    for accessUnit in units.add(packet.bytes, sample: count) { rpus.add(accessUnit) }
    count += 1
  }

  /// The frames a second that levels count; nil for less than two frames.
  var nominalFrameRate: Double? {
    ConfigurationRecord.nominalFrameRate(ofTimes: times.map(\.seconds))
  }
}

/// Number of samples that something is true of, and the first occurrence.
struct Tally: Sendable {
  private(set) var count = 0
  private var first: (sample: Int, what: String)?

  /// Counts a sample.
  ///
  /// - Parameter sample: its index in the order of decoding.
  mutating func add(_ sample: Int, _ what: @autoclosure () -> String = "") {
    count += 1
    first = first ?? (sample, what())
  }

  /// The count and the first of them; nil where there is none.
  func text(of total: Int) -> String? {
    guard let first else { return nil }
    let place = "\(count) of \(total.counted("sample")), the first number \(first.sample + 1)"
    return first.what.isEmpty ? place : "\(place): \(first.what)"
  }
}
