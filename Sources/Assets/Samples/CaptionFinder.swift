// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import LibAV
package import NALUnits

/// Finds captions of ATSC A/53 (CEA-608, CEA-708) in video samples.
package struct CaptionFinder {
  private let units: PacketMetadata?

  /// - Returns: `nil` if samples of the track's codec are not searched for captions.
  package init?(_ track: DemuxedTrack) {
    units = PacketMetadata(track)
    guard units != nil || track.codec.isMPEG2 else { return nil }
  }

  package func finds(in packet: Packet) -> Bool {
    guard let units else { return packet.hasMPEG2Captions }
    let (late, own) = units.split(packet)
    return [late, own].contains { $0.contains(where: \.hasCaptions) }
  }
}

extension NALUnit {
  /// Whether the unit is SEI with captions.
  package var hasCaptions: Bool {
    type.isSEI && SEIMessage.messages(in: self).contains(where: \.hasCaptions)
  }
}

extension SEIMessage {
  /// Whether the message has captions as registered user data: country 0xB5, provider 0x0031,
  /// `GA94` and the type 3.
  fileprivate var hasCaptions: Bool {
    payloadType == SEIPayloadType.registeredUserData
      && payload.starts(with: [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03])
  }
}

extension Packet {
  /// Whether the packet is a frame of MPEG-2 with captions in its user data.
  package var hasMPEG2Captions: Bool {
    let start: [UInt8] = [0, 0, 1, 0xB2, 0x47, 0x41, 0x39, 0x34, 0x03]
    // User data comes before the slices, which make up nearly all of a frame and need no search.
    let headers = bytes.prefix(4096)
    return headers.indices.contains { headers[$0] == 0 && headers[$0...].starts(with: start) }
  }
}
