// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Turns the frames of a raw HEVC stream into samples with times. The stream itself contains no
/// times, so they are computed from the order of the pictures and from the frame duration in the
/// parameter sets.
struct RawStreamTimes {
  /// For each packet, its presentation time and the units of its frame. The time is `nil` if the
  /// packet has no picture. The units are `nil` if they are exactly the packet's units. They differ
  /// if some units of a frame come only with a later packet.
  private var samples: [(time: MediaTime?, units: [NALUnit]?)] = []
  private let frameDuration: MediaTime
  private var count = 0

  /// Reads the whole stream.
  ///
  /// - Returns: `nil` for other files.
  init?(_ track: AssetTrack) throws {
    guard track.box == nil, track.demuxed.kind == .video, let units = PacketUnits(track.demuxed),
      units.codec == .hevc, !units.areSamples
    else { return nil }
    var packets = try DemuxedPackets(path: track.path, of: [track.demuxed.index])
    var pictures = CodedPictureReader(parameterSets: units.configuration)
    var orders: [(order: PictureOrder, sample: Int)] = []
    /// The units of the last packet with a picture.
    var last: [NALUnit] = []
    while let packet = try packets.next() {
      guard packet.presentationTimeStamp == nil, packet.decodeTimeStamp == nil else { return nil }
      let (late, own) = units.split(packet)
      _ = pictures.read(Array(late))
      let order = pictures.read(Array(own))?.order
      if order == nil, !own.isEmpty { return nil }
      // libavformat cuts the stream at the end of a sequence. What follows, such as an RPU, belongs
      // to the frame before.
      if !late.isEmpty, let frame = orders.last {
        last = NALUnit.inserting(Array(late), into: last)
        samples[frame.sample].units = last
      }
      samples.append((nil, late.isEmpty ? nil : Array(own)))
      guard let order else { continue }
      orders.append((order, samples.count - 1))
      last = Array(own)
    }
    frameDuration = track.usualFrameDuration
    for (place, frame) in orders.sorted(by: { $0.order < $1.order }).enumerated() {
      samples[frame.sample].time = track.usualTime(ofFrame: place)
    }
  }

  /// Returns the next packet as a sample with its time; `nil` if it contains no frame.
  mutating func sample(_ packet: Packet) throws(LibAVError) -> Packet? {
    guard samples.indices.contains(count) else { return packet }
    defer { count += 1 }
    guard let time = samples[count].time else { return nil }
    let whole = try samples[count].units.map { (units) throws(LibAVError) in
      try packet.replacing(units.flatMap(\.annexB))
    }
    return try (whole ?? packet).placed(at: time, lasting: frameDuration)
  }
}
