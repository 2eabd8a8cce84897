// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import Reading

extension AssetTrack {
  /// How many frames are examined: enough for several cycles of any pulldown, the pattern in which
  /// fields are repeated to turn film into video.
  private static let mostSurveyed = 24

  /// Returns a notice if only some of the first frames are interlaced, or if several of them repeat
  /// a field.
  func fieldNotices() throws -> [Notice] {
    let codec = demuxed.codec.codecName
    let isInterlaced = video?.fieldOrder != .progressive
    // These codecs state for each frame whether it is interlaced, so a track may mix interlaced and
    // progressive frames.
    let mayBeMixed = codec == "mpeg2video" || isInterlaced && ["h264", "vc1"].contains(codec)
    guard mayBeMixed else { return [] }
    var (frames, interlaced, repeating) = (0, 0, 0)
    let decoder = try VideoDecoder(track: demuxed)
    func receive() {
      while frames < Self.mostSurveyed, let frame = try? decoder.receive() {
        frames += 1
        if frame.fieldOrder != .progressive { interlaced += 1 }
        if frame.repeatsField { repeating += 1 }
      }
    }
    var packets = try TrackPackets(self, endsAtDamage: true)
    while frames < Self.mostSurveyed, let packet = try packets.next() {
      try? decoder.send(packet)
      receive()
    }
    try? decoder.send(nil)
    receive()
    // One repeated field alone is not a pattern. Pulldown shows several in 24 frames.
    if repeating > 1 { return [.telecine(repeating, of: frames)] }
    let isMixed = (1..<max(frames, 1)).contains(interlaced)
    return isMixed ? [.scanMixed(interlaced, of: frames)] : []
  }
}
