// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

/// Tells a decoder when packets need a different configuration than those before.
struct SentConfiguration {
  /// The decoder's configuration.
  private var current: [UInt8]
  // FFmpeg's MPEG-4 Part 2 decoder reads a configuration only when it is opened, or from inside a
  // packet (ISO/IEC 14496-2, 6.2.1).
  /// Whether packets have to contain the configuration.
  private let isInBand: Bool

  init(_ codec: CodecParameters) {
    current = codec.extradata
    isInBand = unsafe codec.pointer.pointee.codec_id == AV_CODEC_ID_MPEG4
  }

  /// Returns the packet, with its configuration added if the decoder has a different one.
  mutating func stated(with packet: Packet) throws(LibAVError) -> Packet {
    guard let new = packet.configuration, new != current, !packet.isEmpty else { return packet }
    let stated = try isInBand ? packet.replacing(new + packet.bytes) : packet.stating(new)
    current = new
    return stated
  }
}

extension DemuxedTrack {
  /// Returns the track with the configuration of a packet, for a reader that begins with this
  /// packet. The configuration may differ from that of the file's first packet.
  ///
  /// - Throws: ``LibAVError``.
  package func beginning(with packet: Packet) throws(LibAVError) -> DemuxedTrack {
    guard let configuration = packet.configuration, configuration != codec.extradata else {
      return self
    }
    var track = try configured(configuration)
    // Sample rate and channels are in the configuration, which only decoders read. If decoding
    // fails, the bytes of the configuration are still enough for a copy.
    guard kind == .audio, let decoder = try? AudioDecoder(track: track),
      (try? decoder.send(packet)) != nil, (try? decoder.receive()) != nil
    else { return track }
    track.codec = try decoder.described(track.codec)
    return track
  }
}

extension Packet {
  /// Returns the same data with a configuration that decoders use from this packet on.
  fileprivate func stating(_ configuration: [UInt8]) throws(LibAVError) -> Packet {
    let copy = try duplicated()
    let data = unsafe av_packet_new_side_data(
      copy.pointer, AV_PKT_DATA_NEW_EXTRADATA, configuration.count)
    let memory = try unsafe allocated(data, "av_packet_new_side_data")
    for (index, byte) in configuration.enumerated() { unsafe memory[index] = byte }
    return copy
  }
}
