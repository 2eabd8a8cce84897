// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import ISOBMFF
internal import MediaCore

/// Makes a time code track (QuickTime File Format, Timecode Media).
extension NewTrack {
  /// Makes a track with one sample. The video track refers to the new track by a `tmcd` reference.
  ///
  /// - Parameters:
  ///   - timeCode: the time code of the first frame.
  ///   - duration: the duration of the track.
  init(_ timeCode: TimeCode, lasting duration: MediaTime) {
    // One sample is enough, because players count on from it.
    let counting = timeCode.counting
    let length = duration.converted(to: counting.timescale).value
    self.init(
      handler: "tmcd", name: "Time Code",
      mediaHeader: .generalMediaHeader([Box("tmcd", children: [Self.timeCodeInformation])]),
      sampleEntry: counting.sampleEntry, timescale: UInt32(counting.timescale),
      samples: [
        Sample(
          bytes: timeCode.sample,
          duration: UInt32(clamping: max(length, Int64(counting.frameDuration))))
      ])
  }

  /// The font and colors for showing the code (`tcmi`): 12 points, white on black.
  private static let timeCodeInformation: Box = {
    let font = Array("Lucida Grande".utf8)
    var writer = ByteWriter()
    writer.append(UInt32(0))
    // The words are font, face, size, a reserved word, then red, green and blue of the text, then
    // red, green and blue of its background.
    for word in [0, 0, 12, 0, 0xFFFF, 0xFFFF, 0xFFFF, 0, 0, 0] as [UInt16] { writer.append(word) }
    writer.append(UInt8(font.count))
    return Box("tcmi", fields: writer.bytes + font)
  }()
}
