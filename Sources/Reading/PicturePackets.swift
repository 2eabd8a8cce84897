// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import NALUnits

/// Finds the packets of a track that hold a frame that is shown.
struct PicturePackets {
  private let codec: CodecParameters
  private let units: PacketUnits?
  private var fields: LoneFields?
  /// The last packets that complete the frame of the packet before, by their number.
  private var seconds: Set<Int> = []
  private var leavesOutLeadingPictures = true

  /// Packets that are not longer say "as before", or that a sequence ends.
  private static let shortest = 8

  /// - Returns: nil for codecs whose packets need not be frames.
  init?(_ track: DemuxedTrack) {
    codec = track.codec
    guard !codec.mayGivePartsOfFrames else { return nil }
    units = PacketUnits(track)
    fields = units.flatMap { $0.codec == .h264 ? LoneFields(parameterSets: $0.configuration) : nil }
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
    return units.codec == .hevc
      ? isShownHEVC(late, own, units, isFirst) : isShownAVC(own, units, number)
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

  /// A sample of a movie or Matroska file is a frame by definition; a piece of a byte stream is
  /// one where it holds slices.
  private mutating func isShownAVC(
    _ own: ArraySlice<NALUnit>, _ units: PacketUnits, _ number: Int
  ) -> Bool {
    if fields?.isSecond(own) ?? false {
      seconds.insert(number)
      if seconds.count > 256 { seconds = seconds.filter { $0 > number - 256 } }
      return false
    }
    return units.areSamples || own.contains(where: \.type.isSlice)
  }

  /// Pictures that lead an IRAP picture where decoding begins refer to pictures that are not there
  /// (H.265, 8.1.3).
  private mutating func isShownHEVC(
    _ late: ArraySlice<NALUnit>, _ own: ArraySlice<NALUnit>, _ units: PacketUnits, _ isFirst: Bool
  ) -> Bool {
    if late.contains(where: \.endsSequence) { leavesOutLeadingPictures = true }
    guard case .hevc(let type)? = own.lazy.map(\.type).first(where: \.isVCL) else {
      return units.areSamples
    }
    if type.isSkippedLeading { return !leavesOutLeadingPictures }
    if type.isBrokenLink { leavesOutLeadingPictures = true }
    if type.isIDR { leavesOutLeadingPictures = false }
    if type == .cleanRandomAccess {
      leavesOutLeadingPictures = leavesOutLeadingPictures && isFirst
    }
    if own.contains(where: \.endsSequence) { leavesOutLeadingPictures = true }
    return true
  }
}
