internal import LibAV
internal import MediaCore
internal import NALUnits

/// The HDR10+ metadata of a track's pictures (SMPTE ST 2094-40, in SEI messages of registered user
/// data), taken from its packets and found again by the time of the picture.
struct HDR10PlusMessages {
  private let configuration: DecoderConfiguration?
  private var payloads: [MediaTime: [UInt8]] = [:]

  /// - Returns: nil for a track without such metadata.
  init?(_ track: AssetTrack) {
    guard track.video?.hdrMetadata.hasHDR10Plus == true, track.video?.bitstream?.codec == .hevc
    else { return nil }
    configuration = DecoderConfiguration(track.demuxed.codec.extradata, .hevc)
  }

  /// Takes what a packet has.
  mutating func read(_ packet: Packet) {
    guard let time = packet.presentationTime else { return }
    let bytes = packet.bytes
    let units = configuration?.split(bytes) ?? NALUnit.split(annexB: bytes)
    let message = units.lazy.filter { $0.hevcType == .prefixSEI }
      .flatMap { SEIMessage.messages(in: $0, .hevc) }.first(where: \.isHDR10Plus)
    if let message { payloads[time] = message.payload }
  }

  /// What belongs to the picture of a time.
  mutating func take(_ time: MediaTime?) -> [UInt8]? {
    time.flatMap { payloads.removeValue(forKey: $0) }
  }
}
