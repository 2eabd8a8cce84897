// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import LibAV
internal import MediaCore
internal import NALUnits

/// The metadata of frames. It is parsed from packets, and kept by packet number until the decoder
/// returns the frame.
struct PendingFrameMetadata {
  private let units: PacketMetadata
  private var metadata: [Int: FrameMetadata] = [:]
  private var mappings: MappingMemory

  /// - Returns: `nil` for tracks whose frames have no metadata.
  init?(_ track: AssetTrack) {
    guard let units = PacketMetadata(track.demuxed),
      units.carriesDolbyVision || track.containsHDRVideo
    else { return nil }
    self.units = units
    mappings = MappingMemory(track)
  }

  /// Parses the metadata of a packet.
  mutating func read(_ packet: Packet, number: Int) {
    let (late, own) = units.split(packet)
    // In a byte stream, units after an end of sequence come with the next frame or as a separate
    // packet. They belong to the frame before.
    if !late.isEmpty { take(late, number: max(number - 1, 1)) }
    take(own, number: number)
  }

  /// Takes a packet that is not decoded. Later packets may refer to its metadata.
  mutating func pass(_ packet: Packet) {
    let (late, own) = units.split(packet)
    for units in [late, own] {
      guard let payload = DolbyVisionRPU.payload(in: units) else { continue }
      mappings.pass(DolbyVisionRPU(payload: payload))
    }
  }

  private mutating func take(_ units: ArraySlice<NALUnit>, number: Int) {
    var taken = metadata[number] ?? FrameMetadata()
    taken.take(units)
    if DolbyVisionRPU.payload(in: units) != nil, let rpu = taken[DolbyVisionRPU.self] {
      taken[DolbyVisionRPU.self] = mappings.completed(rpu)
    }
    // Some packets give no frame, and their metadata is never taken.
    if !taken.payloads.isEmpty { metadata[number] = taken }
  }

  /// Removes and returns the metadata of a packet's frame.
  mutating func take(_ number: Int) -> FrameMetadata {
    metadata.removeValue(forKey: number) ?? FrameMetadata()
  }
}
