// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// `iTunSMPB` states the numbers of priming and padding samples of AAC. MP4 players that ignore
/// edit lists need these numbers to play without gaps.
extension MovieFinisher {
  /// Removes the source's `iTunSMPB` if it has become wrong, and writes a new one if the movie's
  /// only audio track was encoded as AAC.
  func stateGaplessPlayback(in moov: inout Box) {
    let isOfPart = if case .movie(_, isPart: true) = metadata { true } else { false }
    guard isOfPart || tracks.contains(where: { $0.boxes.encodedAudio != nil }) else { return }
    // The source has an item with the counts of its audio's samples. These counts are wrong if the
    // audio is encoded again, or if the output has only a part of the source.
    moov.edit("udta", "meta", "ilst") { list in
      list.children.removeAll { Self.isGaplessItem($0) }
    }
    guard container.statesGaplessPlayback, let item = gaplessItem(moov) else { return }
    var userData = moov.child("udta") ?? Box("udta")
    guard userData.fields.isEmpty else { return }
    if let meta = userData.child("meta") {
      let handler = meta.child("hdlr").map { Array($0.fields.dropFirst(8).prefix(4)) }
      guard handler == Array("mdir".utf8), meta.child("ilst") != nil else { return }
      userData.edit("meta", "ilst") { $0.children.append(item) }
    } else {
      userData.children.append(Box(itemList: [item]))
    }
    moov.set(userData)
  }

  private static func isGaplessItem(_ box: Box) -> Bool {
    box.type == "----" && box.fields.firstRange(of: Array("iTunSMPB".utf8)) != nil
  }

  /// Returns an `iTunSMPB` item, or `nil` if such an item cannot describe the movie's audio.
  private func gaplessItem(_ moov: Box) -> Box? {
    let audio = zip(moov.children("trak"), tracks).filter { trak, _ in
      trak.first("mdia", "hdlr").map { Array($0.fields.dropFirst(8).prefix(4)) }
        == Array("soun".utf8)
    }
    // The item can describe only one track with one edit, and it counts samples of AAC.
    guard audio.count == 1, let (trak, track) = audio.first, track.boxes.encodedAudio == .aac,
      let fields = trak.first("edts", "elst")?.fields, let list = try? EditList(fields: fields),
      list.entries.count == 1, let edit = list.entries.first, edit.mediaTime >= 0,
      let mdhd = trak.first("mdia", "mdhd"), let timescale = try? HeaderFields(mdhd).timescale
    else { return nil }
    let duration = MediaTime(
      value: Int64(clamping: edit.segmentDuration), timescale: movieTimescale)
    let count = duration.converted(to: Int32(clamping: max(timescale, 1))).value
    // Each AAC packet of our encoder has 1024 samples (ISO/IEC 14496-3).
    let padding = Int64(track.samples.count) * 1024 - edit.mediaTime - count
    guard padding >= 0 else { return nil }
    let numbers = [(edit.mediaTime, 8), (padding, 8), (count, 16)].map { value, digits in
      " " + UInt32(truncatingIfNeeded: value).text(digits: digits, radix: 16)
    }
    // iTunes writes twelve hexadecimal numbers: zero, priming, padding, length, and eight zeros.
    let text = " 00000000" + numbers.joined() + String(repeating: " 00000000", count: 8)
    let contents: [(FourCC, [UInt8], String)] = [
      ("mean", [0, 0, 0, 0], "com.apple.iTunes"), ("name", [0, 0, 0, 0], "iTunSMPB"),
      ("data", [0, 0, 0, 1, 0, 0, 0, 0], text),
    ]
    return Box("----", children: contents.map { Box($0, fields: $1 + Array($2.utf8)) })
  }
}
