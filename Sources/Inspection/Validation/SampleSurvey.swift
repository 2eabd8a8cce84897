// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import Host
internal import LibAV
internal import MediaCore
internal import NALUnits

/// What is known about all samples of a video track, after reading it once.
struct SampleSurvey: Sendable {
  /// How many samples could be read.
  private(set) var count = 0
  /// Why reading stopped before the end of the file.
  private(set) var interruption: String?
  /// Whether decoding can start at the first sample.
  private(set) var beginsWithSync = false
  /// Samples whose decode time is not later than the previous sample's time.
  private(set) var outOfOrder = Tally()
  /// Samples that are empty, or that the demuxer reported as damaged.
  private(set) var damaged = Tally()
  /// The parameter sets and the metadata in the samples.
  private(set) var units: UnitSurvey
  /// The Dolby Vision RPUs of the samples.
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
    // The last access unit of a byte stream has no successor that would complete it.
    for accessUnit in units.finish() { rpus.add(accessUnit) }
  }

  private mutating func next(of packets: inout DemuxedPackets) -> Packet? {
    do {
      return try packets.next()
    } catch {
      // Report the fault as a finding. The samples read so far still get a verdict.
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

  /// The nominal frame rate that Dolby Vision's levels are based on, or `nil` if there are fewer
  /// than two frames.
  var nominalFrameRate: Double? {
    ConfigurationRecord.nominalFrameRate(ofTimes: times.map(\.seconds))
  }
}

/// The number of samples with a certain property, and the first of them.
struct Tally: Sendable {
  private(set) var count = 0
  private var first: (sample: Int, what: String)?

  /// Counts a sample.
  ///
  /// - Parameter sample: the sample's index in decoding order.
  mutating func add(_ sample: Int, _ what: @autoclosure () -> String = "") {
    count += 1
    first = first ?? (sample, what())
  }

  /// Returns the count and the first occurrence as text, or `nil` if there is none.
  func text(of total: Int) -> String? {
    guard let first else { return nil }
    let place = "\(count) of \(total.counted("sample")) (the first is number \(first.sample + 1))"
    return first.what.isEmpty ? place : "\(place): \(first.what)"
  }
}
