// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// The metadata that frames of an HEVC track have for themselves, taken from their packets and
/// found again by the packet's number. FFmpeg's decoder finds an RPU only where it is the last
/// unit.
struct PictureMetadata {
  /// Metadata of one frame.
  struct Content {
    /// The Dolby Vision RPU, `19 … 80` with emulation prevention; the last where there are several.
    var rpu: [UInt8]?
    /// HDR10+ (SMPTE ST 2094-40, in an SEI message of registered user data).
    var hdr10Plus: [UInt8]?

    fileprivate mutating func take(_ units: ArraySlice<NALUnit>) {
      rpu = units.last(where: \.isDolbyVisionRPU)?.dolbyVisionRPU ?? rpu
      let message = units.lazy.filter { $0.type == .hevc(.prefixSEI) }
        .flatMap(SEIMessage.messages).first(where: \.isHDR10Plus)
      hdr10Plus = message?.payload ?? hdr10Plus
    }
  }

  private let units: PacketUnits
  private var contents: [Int: Content] = [:]

  /// - Returns: nil for codecs other than HEVC.
  init?(_ track: DemuxedTrack) {
    guard let units = PacketUnits(track), units.codec == .hevc else { return nil }
    self.units = units
  }

  /// Takes the metadata of a packet.
  mutating func read(_ packet: Packet, number: Int) {
    let (late, own) = units.split(packet)
    contents[max(number - 1, 1), default: Content()].take(late)
    contents[number, default: Content()].take(own)
  }

  /// Removes the metadata of the frame of a packet, by the packet's number, and returns it.
  mutating func take(_ number: Int) -> Content {
    contents.removeValue(forKey: number) ?? Content()
  }
}

extension DecodedFrame {
  /// Adds the metadata of the frame's packet.
  mutating func take(_ content: PictureMetadata.Content) {
    hdr10Plus = content.hdr10Plus
    guard content.rpu != nil || content.hdr10Plus != nil else { return }
    var attachments = pixelBuffer.attachments
    attachments.dolbyVisionRPU = content.rpu ?? attachments.dolbyVisionRPU
    attachments.hdr10Plus = content.hdr10Plus
    pixelBuffer = pixelBuffer.withAttachments(attachments)
  }
}
