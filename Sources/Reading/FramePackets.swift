// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import NALUnits

/// Finds the packets of a track that contain a shown frame.
struct FramePackets {
  private let codec: CodecParameters
  private let bitstream: (any CodedBitstream)?
  private let configuration: [UInt8]
  private let units: PacketUnits?
  /// Classifies packets of NAL units.
  private var shown: OutputPictures?
  private var fields: SecondFields?
  /// Numbers of recent packets with the second field of a frame whose first field is in the
  /// previous packet.
  private var seconds: Set<Int> = []

  /// Packets of at most this many bytes contain no frame. They say that the previous frame stays,
  /// or that a sequence ends.
  private static let shortest = 8

  /// - Returns: `nil` for codecs whose packets may be parts of frames.
  init?(_ track: DemuxedTrack) {
    codec = track.codec
    (bitstream, configuration) = (codec.bitstream, codec.extradata)
    guard !codec.mayGivePartsOfFrames else { return nil }
    units = PacketUnits(track)
    shown = units.map { OutputPictures($0.codec, areSamples: $0.areSamples) }
    fields = units.map { SecondFields(parameterSets: $0.configuration) }
  }

  /// Whether a packet contains a new frame that can be decoded and is shown.
  ///
  /// - Parameters:
  ///   - number: the packet's number.
  ///   - isFirst: whether no frame came before it.
  mutating func holdsFrame(_ packet: Packet, number: Int, isFirst: Bool) -> Bool {
    let bytes = packet.bytes
    guard let units else {
      if let shows = bitstream?.showsFrame(bytes, configuration: configuration) { return shows }
      guard bytes.count > Self.shortest else { return false }
      // This bit of the frame tag is `show_frame` (RFC 6386, 9.1).
      if codec.isVP8 { return bytes[0] & 0x10 != 0 }
      return codec.isVP9 ? Self.isShownVP9(bytes) : true
    }
    let (late, own) = units.split(packet)
    if fields?.isSecond(own) == true {
      addSecond(number)
      return false
    }
    return shown?.isShown(late: late, own: own, isFirst: isFirst) == true
  }

  /// Returns the number of the packet in which a frame begins.
  func first(ofPictureIn number: Int) -> Int { seconds.contains(number) ? number - 1 : number }

  /// Whether a packet of VP9 shows a frame. Only a packet with a single hidden frame shows none
  /// (VP9 bitstream, 6.2 and annex B).
  private static func isShownVP9(_ bytes: [UInt8]) -> Bool {
    // A superframe ends with its marker and always shows a frame.
    let isSuperframe = bytes[bytes.count - 1] & 0xE0 == 0xC0
    guard !isSuperframe, bytes[0] >> 6 == 2 else { return true }
    // Profile 3 has one more bit, `reserved_zero`, before `show_existing_frame`.
    let isProfile3 = bytes[0] & 0x30 == 0x30
    let flags = bytes[0] << (isProfile3 ? 5 : 4)
    let (showsExisting, showsFrame) = (flags & 0x80 != 0, flags & 0x20 != 0)
    return showsExisting || showsFrame
  }

  private mutating func addSecond(_ number: Int) {
    seconds.insert(number)
    // Frames come out at most a few packets later, so old numbers can be removed.
    if seconds.count > 256 { seconds = seconds.filter { $0 > number - 256 } }
  }
}
