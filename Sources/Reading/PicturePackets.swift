// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import NALUnits

/// Finds the packets of a track that hold a frame that is shown.
struct PicturePackets {
  private let codec: CodecParameters
  private let units: PacketUnits?
  /// The frames that NAL units give; nil for other codecs.
  private var shown: ShownPictures?
  /// The last packets that complete the frame of the packet before, by their number.
  private var seconds: Set<Int> = []

  /// Packets that are not longer say "as before", or that a sequence ends.
  private static let shortest = 8

  /// - Returns: nil for codecs whose packets need not be frames.
  init?(_ track: DemuxedTrack) {
    codec = track.codec
    guard !codec.mayGivePartsOfFrames else { return nil }
    units = PacketUnits(track)
    shown = units.map {
      ShownPictures($0.codec, parameterSets: $0.configuration, areSamples: $0.areSamples)
    }
  }

  /// True if a packet has a frame of its own that can be decoded and is shown.
  ///
  /// - Parameters:
  ///   - number: the packet's, to which those of frames refer.
  ///   - isFirst: true if no frame came before it.
  mutating func holdPicture(_ packet: Packet, number: Int, isFirst: Bool) -> Bool {
    let bytes = packet.bytes
    guard let units else {
      guard bytes.count > Self.shortest else { return false }
      if codec.isVP8 { return bytes[0] & 0x10 != 0 }
      return codec.isVP9 ? Self.isShownVP9(bytes) : true
    }
    let (late, own) = units.split(packet)
    let content = shown?.content(late: late, own: own, isFirst: isFirst)
    if content == .secondField { addSecond(number) }
    return content == .shownPicture
  }

  /// The number of the packet that a frame begins in.
  func first(ofPictureIn number: Int) -> Int { seconds.contains(number) ? number - 1 : number }

  /// The frame tag (VP9 bitstream, 6.2, and annex B): one frame that is not shown, and no others.
  private static func isShownVP9(_ bytes: [UInt8]) -> Bool {
    let isSuperframe = bytes[bytes.count - 1] & 0xE0 == 0xC0
    guard !isSuperframe, bytes[0] >> 6 == 2 else { return true }
    let isProfile3 = bytes[0] & 0x30 == 0x30
    let flags = bytes[0] << (isProfile3 ? 5 : 4)
    let (showsExisting, showsFrame) = (flags & 0x80 != 0, flags & 0x20 != 0)
    return showsExisting || showsFrame
  }

  private mutating func addSecond(_ number: Int) {
    seconds.insert(number)
    if seconds.count > 256 { seconds = seconds.filter { $0 > number - 256 } }
  }
}
