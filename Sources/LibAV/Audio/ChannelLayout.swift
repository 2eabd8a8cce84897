// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// The channels of audio, in the order in which they are stored. Each channel is given as the place
/// of its speaker.
package struct ChannelLayout: Hashable, Sendable, CustomStringConvertible {
  /// The place of a speaker, by the number of its bit in WAVEFORMATEXTENSIBLE's channel mask, which
  /// FFmpeg extends.
  package enum Speaker: Int, Sendable, CaseIterable {
    case frontLeft, frontRight, frontCenter, lowFrequency, backLeft, backRight, frontLeftOfCenter
    case frontRightOfCenter, backCenter, sideLeft, sideRight, topCenter, topFrontLeft
    case topFrontCenter, topFrontRight, topBackLeft, topBackCenter, topBackRight
    case wideLeft = 31
    case wideRight = 32
    case lowFrequency2 = 35
  }

  /// A bit for each channel's place; 0 if the places are unknown.
  package let mask: UInt64
  package let channelCount: Int

  package init(mask: UInt64) {
    self.mask = mask
    channelCount = mask.nonzeroBitCount
  }

  /// Makes the usual layout for a number of channels. If no layout is usual for that number, the
  /// places of the channels are unknown.
  package init(channelCount: Int) {
    var layout = unsafe AVChannelLayout()
    unsafe av_channel_layout_default(&layout, Int32(clamping: channelCount))
    defer { unsafe av_channel_layout_uninit(&layout) }
    mask = unsafe layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0
    self.channelCount = channelCount
  }

  /// Makes a layout from FFmpeg's layout. If FFmpeg knows only how many channels there are, makes
  /// the usual layout for that number.
  init(_ layout: AVChannelLayout) {
    let count = unsafe Int(layout.nb_channels)
    self =
      unsafe layout.order == AV_CHANNEL_ORDER_NATIVE
      ? ChannelLayout(mask: layout.u.mask) : ChannelLayout(channelCount: count)
  }

  package static let mono = ChannelLayout(mask: 0x4)
  package static let stereo = ChannelLayout(mask: 0x3)
  package static let surround21 = ChannelLayout(mask: 0xB)
  package static let surround30 = ChannelLayout(mask: 0x7)
  package static let surround40 = ChannelLayout(mask: 0x107)
  package static let quad = ChannelLayout(mask: 0x33)
  package static let surround50 = ChannelLayout(mask: 0x37)
  package static let surround51 = ChannelLayout(mask: 0x3F)
  package static let surround61 = ChannelLayout(mask: 0x70F)
  package static let surround61Back = ChannelLayout(mask: 0x13F)
  package static let surround71 = ChannelLayout(mask: 0x63F)
  package static let surround71Wide = ChannelLayout(mask: 0xFF)

  /// The places in the order of the channels; empty if they are unknown.
  package var speakers: [Speaker] {
    let speakers = Speaker.allCases.filter { mask >> UInt64($0.rawValue) & 1 == 1 }
    // A mask may have bits that no known speaker has. Then no channel's place is certain.
    return speakers.count == channelCount ? speakers : []
  }

  /// Searches a list for a layout with the same channels. Returns `nil` if there is none.
  package func named(among layouts: [ChannelLayout]) -> ChannelLayout? {
    if layouts.contains(self) { return self }
    // Some codecs call the surround pair "side" and others "back", for the same two channels. The
    // two pairs of bits are five apart in the mask.
    let (back, side): (UInt64, UInt64) = (0x30, 0x600)
    guard mask & back == 0 || mask & side == 0 else { return nil }
    let other = mask & ~(back | side) | (mask & side) >> 5 | (mask & back) << 5
    return layouts.first { $0.mask == other }
  }

  /// Writes the layout to one of FFmpeg's structures.
  func write(to layout: inout AVChannelLayout) {
    unsafe av_channel_layout_uninit(&layout)
    if mask != 0, unsafe av_channel_layout_from_mask(&layout, mask) == 0 { return }
    unsafe layout.order = AV_CHANNEL_ORDER_UNSPEC
    unsafe layout.nb_channels = Int32(clamping: channelCount)
  }

  /// FFmpeg's name for the layout: `stereo`, `5.1(side)`, `22 channels`.
  package var description: String {
    var layout = unsafe AVChannelLayout()
    unsafe write(to: &layout)
    defer { unsafe av_channel_layout_uninit(&layout) }
    var text = [CChar](repeating: 0, count: 64)
    guard unsafe av_channel_layout_describe(&layout, &text, text.count) > 0 else {
      return "\(channelCount) channels"
    }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
