// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
package import LibAV
package import MediaCore
internal import NALUnits

/// Reads the metadata in a track's packets. An RPU may refer to data in RPUs of earlier packets.
/// The reader adds that data, so it has to see all packets, in the order of the file.
package struct FrameMetadataReader {
  // In a byte stream, units after an end of sequence come with the next frame or as a separate
  // packet.
  /// The metadata in a packet: `late` belongs to the frame of the previous packet, and `own` to the
  /// frame of this packet.
  package typealias Found = (late: FrameMetadata, own: FrameMetadata)

  private let units: PacketMetadata
  private var mappings: MappingMemory

  /// Whether packets can contain Dolby Vision RPUs.
  var carriesDolbyVision: Bool { units.carriesDolbyVision }

  /// - Parameter checkpoint: called repeatedly while the RPUs before a requested part are read.
  /// - Returns: `nil` for tracks whose frames have no metadata.
  package init?(_ track: AssetTrack, checkpoint: @escaping Pipeline.Checkpoint) {
    guard let units = PacketMetadata(track.demuxed) else { return nil }
    self.units = units
    mappings = MappingMemory(track, checkpoint: checkpoint)
  }

  /// Returns the metadata of a packet.
  package mutating func read(_ packet: Packet) throws -> Found {
    mappings.pass(leftOutBefore: packet, units)
    let (late, own) = units.split(packet)
    return (try completed(late), try completed(own))
  }

  /// Takes a packet whose frame is not needed. Later packets may refer to its metadata.
  package mutating func pass(_ packet: Packet) { mappings.pass(packet, units) }

  private mutating func completed(_ units: ArraySlice<NALUnit>) throws -> FrameMetadata {
    var metadata = FrameMetadata()
    metadata.take(units)
    if let rpu = metadata[DolbyVisionRPU.self] {
      metadata[DolbyVisionRPU.self] = try mappings.completed(rpu)
    }
    return metadata
  }
}

/// The metadata of packets, kept by packet number until the decoder returns their frames.
struct PendingFrameMetadata {
  private var metadata: [Int: FrameMetadata] = [:]

  /// Adds the metadata of a packet.
  mutating func add(_ found: FrameMetadataReader.Found, number: Int) {
    add(found.late, number: max(number - 1, 1))
    add(found.own, number: number)
  }

  private mutating func add(_ found: FrameMetadata, number: Int) {
    // Do not store empty metadata. It would stay forever if its packet gives no frame.
    guard !found.payloads.isEmpty else { return }
    var known = metadata[number] ?? FrameMetadata()
    for value in found.all { known.put(value) }
    metadata[number] = known
  }

  /// Removes and returns the metadata of a packet's frame.
  mutating func take(_ number: Int) -> FrameMetadata {
    metadata.removeValue(forKey: number) ?? FrameMetadata()
  }
}
