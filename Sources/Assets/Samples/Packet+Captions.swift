// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import LibAV
package import NALUnits

// These are captions of ATSC A/53 (CEA-608, CEA-708).

extension PacketMetadata {
  /// Returns whether a packet has captions.
  package func findsCaptions(in packet: Packet) -> Bool {
    let (late, own) = split(packet)
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
