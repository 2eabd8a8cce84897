// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import Reading

/// Fields of a track's first frames, for codecs that state them in each frame.
struct FieldSurvey {
  private var frameCount = 0
  private var interlacedCount = 0
  private var repeatingCount = 0

  /// Frames that are looked at: some rounds of any pulldown.
  private static let most = 24

  /// Looks at the beginning where it may be mixed.
  init(_ track: AssetTrack) throws {
    let codec = track.demuxed.codec.codecName
    let isInterlaced = track.video?.fieldOrder != .progressive
    guard codec == "mpeg2video" || isInterlaced && ["h264", "vc1"].contains(codec) else { return }
    let decoder = try VideoDecoder(track: track.demuxed)
    var packets = try TrackPackets(track, endsAtDamage: true)
    while frameCount < Self.most, let packet = try packets.next() {
      try? decoder.send(packet)
      receive(from: decoder)
    }
    try? decoder.send(nil)
    receive(from: decoder)
  }

  private mutating func receive(from decoder: VideoDecoder) {
    while frameCount < Self.most, let frame = try? decoder.receive() {
      frameCount += 1
      if frame.fieldOrder != .progressive { interlacedCount += 1 }
      if frame.repeatsField { repeatingCount += 1 }
    }
  }

  /// Notices about the fields.
  var notices: [Notice] {
    if repeatingCount > 1 { return [.telecine(repeatingCount, of: frameCount)] }
    let isMixed = (1..<max(frameCount, 1)).contains(interlacedCount)
    return isMixed ? [.scanMixed(interlacedCount, of: frameCount)] : []
  }
}
