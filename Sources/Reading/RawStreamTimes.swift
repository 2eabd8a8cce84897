// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// The times of frames in a raw HEVC stream, which has none. The order of the pictures decides, and
/// each frame lasts as long as the parameter sets say.
struct RawStreamTimes {
  /// The presentation times of the packets, in the order of the file.
  private let times: [MediaTime]
  private let frameDuration: MediaTime
  private var count = 0

  /// Reads the whole stream.
  ///
  /// - Returns: `nil` for other files, and for streams with a packet that is not a picture.
  init?(_ track: AssetTrack) throws {
    guard track.box == nil, track.demuxed.kind == .video, let units = PacketUnits(track.demuxed),
      units.codec == .hevc, !units.areSamples
    else { return nil }
    var packets = try DemuxedPackets(path: track.path, of: [track.demuxed.index])
    var pictures = CodedPictureReader(parameterSets: units.configuration)
    var orders: [PictureOrder] = []
    while let packet = try packets.next() {
      guard packet.presentationTimeStamp == nil, packet.decodeTimeStamp == nil else { return nil }
      let (late, own) = units.split(packet)
      _ = pictures.read(Array(late))
      guard let order = pictures.read(Array(own))?.order else { return nil }
      orders.append(order)
    }
    frameDuration = track.usualFrameDuration
    var times = [MediaTime](repeating: .zero, count: orders.count)
    for (place, packet) in orders.indices.sorted(by: { orders[$0] < orders[$1] }).enumerated() {
      times[packet] = track.usualTime(ofFrame: place)
    }
    self.times = times
  }

  /// Returns the next packet with its time.
  mutating func placed(_ packet: Packet) throws(LibAVError) -> Packet {
    guard times.indices.contains(count) else { return packet }
    defer { count += 1 }
    return try packet.placed(at: times[count], lasting: frameDuration)
  }
}
