// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import LibAV

/// Joins hidden frames of VP9 with the next shown one into superframes (VP9 Bitstream & Decoding
/// Process Specification, annex B).
package struct VP9Superframes: Sendable {
  /// A superframe contains at most this many frames, because the field for their number has three
  /// bits.
  private static let mostFrames = 8

  // A sample of MP4 and a block of Matroska show exactly one frame each, so a hidden frame has to
  // be stored together with a shown one. WebM files of early encoders have separate packets for
  // hidden frames. libavformat would join them only in its muxer, after samples were counted.

  private let isVP9: Bool
  private var hidden: [ArraySlice<UInt8>] = []

  /// How many hidden frames were left out because they did not fit into a superframe.
  package private(set) var lostCount = 0

  package init(_ track: DemuxedTrack) { isVP9 = track.codec.isVP9 }

  /// Returns the packet, joined with hidden frames before it, or `nil` if it has to wait for more
  /// packets.
  package mutating func joined(_ packet: Packet) throws(LibAVError) -> Packet? {
    guard isVP9 else { return packet }
    let bytes = packet.bytes
    let frames = Self.frames(of: bytes)
    if hidden.isEmpty, frames.count > 1 || Self.isShown(bytes) { return packet }
    // A packet that already is a superframe may leave too little room. Then waiting frames are
    // dropped, because the packet needs its own frames.
    let surplus = max(hidden.count + frames.count - Self.mostFrames, 0)
    lostCount += surplus
    hidden = hidden.dropFirst(surplus) + frames
    // Eight hidden frames fill a superframe, so no more can be held back.
    guard frames.count > 1 || Self.isShown(bytes) || hidden.count >= Self.mostFrames else {
      return nil
    }
    defer { hidden = [] }
    return try packet.replacing(Self.superframe(of: hidden))
  }

  /// Whether a frame is shown when it is decoded (6.2).
  private static func isShown(_ frame: [UInt8]) -> Bool {
    guard let first = frame.first, first >> 6 == 0b10 else { return true }
    // Profile 3 has a reserved bit after the profile.
    let flags = first >> 4 & 0b11 == 0b11 ? first : first >> 1
    return flags & 0b100 != 0 || flags & 0b1 != 0
  }

  /// Returns the frames of a packet, split by the index at its end if it has one.
  private static func frames(of packet: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let marker = packet.last, marker >> 5 == 0b110 else { return [packet[...]] }
    let (count, width) = (Int(marker & 0b111) + 1, Int(marker >> 3 & 0b11) + 1)
    let start = packet.count - count * width - 2
    // The marker is at both ends of the index (annex B.2). If it is only at the end, the last byte
    // merely looks like a marker.
    guard start >= 0, packet[start] == marker else { return [packet[...]] }
    var rest = packet[..<start]
    var frames: [ArraySlice<UInt8>] = []
    for index in 0..<count {
      let place = start + 1 + index * width
      let size = packet[place..<place + width].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size <= rest.count else { return [packet[...]] }
      frames.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return frames
  }

  private static func superframe(of frames: [ArraySlice<UInt8>]) -> [UInt8] {
    // Four bytes are enough for the size of any frame. To use fewer bytes, we would have to look at
    // all sizes.
    let width = 4
    let marker = UInt8(0b110 << 5 | (width - 1) << 3 | (frames.count - 1))
    let sizes = frames.flatMap { frame in
      (0..<width).map { UInt8(truncatingIfNeeded: frame.count >> ($0 * 8)) }
    }
    return frames.flatMap { $0 } + [marker] + sizes + [marker]
  }
}
