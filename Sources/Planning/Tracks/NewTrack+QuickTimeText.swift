// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import FoundationEssentials
internal import Host
internal import ISOBMFF
internal import MediaCore

/// Turns QuickTime's text (`text`), which MP4 players do not know, into timed text (`tx3g`).
extension NewTrack {
  /// The largest size of all samples of a track together, in bytes. The text of a whole day is far
  /// smaller.
  private static let largestText: UInt64 = 64 << 20

  /// Makes a track of timed text from QuickTime's text.
  ///
  /// - Throws: ``ISOBMFFError`` if the samples cannot be read.
  init(timedTextOf track: Movie.Track, path: String) throws {
    let ranges = try SampleTable(track).ranges
    guard let times = SampleTimes(track)?.timesInDecodingOrder, times.count == ranges.count,
      ranges.reduce(0, { $0 + UInt64($1.count) }) <= Self.largestText
    else { throw ISOBMFFError.missingBox("stts", in: "stbl") }
    let file = try FileByteSource(path: path)
    let ends = times.dropFirst() + [min(Int64(clamping: track.mediaDuration), MediaTime.mostTicks)]
    var samples: [Sample] = []
    for (range, (start, end)) in zip(ranges, zip(times, ends)) {
      let bytes = try file.read(at: range.lowerBound, count: range.count)
      samples.append(
        Sample(
          bytes: Self.timedText(Self.text(ofQuickTime: bytes)),
          duration: UInt32(clamping: end - start)))
    }
    self.init(
      timedText: samples, description: Self.plainDescription,
      timescale: Int32(clamping: max(track.mediaTimescale, 1)))
  }

  /// Returns the text of a sample, which consists of a 16-bit length, the text, and atoms
  /// (QuickTime File Format, Text Sample Data).
  static func text(ofQuickTime sample: [UInt8]) -> String {
    guard sample.count >= 2 else { return "" }
    let count = min(Int(sample[0]) << 8 | Int(sample[1]), sample.count - 2)
    let bytes = Array(sample[2..<2 + count])
    // A byte order mark means UTF-16. Otherwise, the format prescribes Mac OS Roman unless `encd`
    // names another encoding. But most writers write UTF-8, and text that is valid UTF-8 is hardly
    // ever anything else.
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return String(bytes: bytes, encoding: .utf16) ?? ""
    }
    return String(validating: bytes, as: UTF8.self)
      ?? String(bytes.map { $0 < 0x80 ? Character(Unicode.Scalar($0)) : macRoman[Int($0) - 0x80] })
  }

  /// Characters 0x80 to 0xFF of Mac OS Roman (Unicode's MAPPINGS/VENDORS/APPLE/ROMAN.TXT).
  private static let macRoman = Array(
    "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ"
      + "–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ")
}
