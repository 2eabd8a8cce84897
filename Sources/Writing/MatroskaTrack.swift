// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Planning

/// A track of a Matroska file, with the times at which its packets are presented.
struct MatroskaTrack {
  /// The track that the packets come from.
  let source: AssetTrack
  /// The track that says what the packets are: the same one, or that of the source where a movie
  /// has only gathered them.
  let described: AssetTrack
  /// True if it is a track of the source; false for one of the movie that is made into the file.
  let isOfSource: Bool
  /// From times of the media to times of the file.
  var delay: MediaTime
  /// The converter that makes SubRip of timed text; nil for packets that stay as they are.
  let converter: SubtitleConverter?

  /// The number of packets, from the first, behind which none is presented; nil for all.
  private let packetCount: Int?
  /// The difference that other tracks make to the delay.
  private var shift = MediaTime.zero

  /// - Throws: ``TranscodingError`` of kind `unusableInput` where Matroska cannot say when media is
  ///   presented.
  ///
  /// - Parameter origin: the track of the source of which a movie has gathered the packets; nil
  ///   where the track itself says what they are.
  init(_ track: AssetTrack, isOfSource: Bool, origin: AssetTrack? = nil) throws {
    source = track
    described = origin ?? track
    self.isOfSource = isOfSource
    delay = track.demuxed.kind == .other ? .zero : try track.delayForMatroska(isCopied: false)
    converter =
      track.demuxed.codec.isTextSubtitle && !isOfSource
      ? try SubtitleConverter(track.demuxed, to: .subRip) : nil
    packetCount = track.demuxed.kind == .video ? track.presentedPackets?.count : nil
  }

  private var codec: CodecParameters { described.demuxed.codec }

  /// True if the track's packets are texts or pictures of their own times.
  var isText: Bool { source.demuxed.kind == .other }

  /// Time of the first packet that is taken over. Of audio before the presentation there is only
  /// what warms a decoder up: Matroska cannot hide it.
  var firstTime: MediaTime {
    if isText { return .zero }
    let first = source.firstTime + delay
    return source.demuxed.kind == .audio
      ? max(first, .zero - codec.warmUp) : first
  }

  /// The same track, later.
  func delayed(by shift: MediaTime) -> MatroskaTrack {
    var track = self
    track.delay = delay + shift
    track.shift = shift
    return track
  }

  /// The packet as the file has it; nil for a text that shows nothing.
  func converted(_ packet: Packet) throws(LibAVError) -> Packet? {
    guard let converter else { return packet }
    return try converter.convert(packet).map { (text) throws(LibAVError) in
      try packet.replacing(text)
    }
  }

  /// The packet at its time in the file; nil where it is not presented, or nothing can be read.
  ///
  /// - Parameters:
  ///   - number: the packets of the track before it.
  ///   - longest: the longest duration of one of them.
  func placed(
    _ packet: Packet, number: Int, longest: MediaTime
  ) throws(LibAVError) -> Packet? {
    if source.demuxed.kind == .video {
      return packetCount.map { number < $0 } ?? true ? try packet.moved(exactlyBy: delay) : nil
    }
    guard let time = packet.presentationTimeStamp else { return try packet.moved(exactlyBy: delay) }
    guard isText else { return try audio(packet, at: time, longest: longest) }
    let tick = MediaTime(value: 1, timescale: source.demuxed.timescale)
    let shown = source.timeline.presentedInterval(of: time, lasting: max(packet.duration, tick))
    guard let shown else { return nil }
    return try packet.placed(
      at: shown.start + shift,
      lasting: packet.duration > .zero ? shown.end - shown.start : .zero)
  }

  /// A packet of audio at its time in the file, with the padding that the edits hide; nil where
  /// nothing of it is presented.
  private func audio(
    _ packet: Packet, at time: MediaTime, longest: MediaTime
  ) throws(LibAVError) -> Packet? {
    let start = time + delay - shift
    guard start >= .zero - codec.warmUp || start + packet.duration > .zero else { return nil }
    if codec.isPCM { return try presentedPart(of: packet, at: time) }
    let moved = try packet.moved(exactlyBy: delay)
    guard let end = source.timeline.mediaEnd else { return moved }
    guard time < end else { return nil }
    guard let length = codec.paddedDuration(of: packet, longest: longest) else { return moved }
    let rate = Int32(clamping: max(codec.sampleRate, 1))
    let padding = (time + length - end).converted(to: rate).value
    return padding > 0 ? try moved.padded(by: Int(padding)) : moved
  }

  /// The samples of PCM that are presented, at their time in the file; nil where none is.
  private func presentedPart(of packet: Packet, at time: MediaTime) throws(LibAVError) -> Packet? {
    let rate = Int32(clamping: max(codec.sampleRate, 1))
    let count = packet.duration.converted(to: rate).value
    guard count > 0, packet.byteCount % Int(count) == 0 else {
      return try packet.moved(exactlyBy: delay)
    }
    let before = (.zero - (time + delay - shift)).converted(to: rate).value
    let behind = source.timeline.mediaEnd.map { (time - $0).converted(to: rate).value + count } ?? 0
    let (first, end) = (max(before, 0), count - max(behind, 0))
    guard first < end else { return nil }
    if first == 0, end == count { return try packet.moved(exactlyBy: delay) }
    let size = packet.byteCount / Int(count)
    let part = packet.bytes[Int(first) * size..<Int(end) * size]
    return try packet.replacing(Array(part)).placed(
      at: time + delay + MediaTime(value: first, timescale: rate),
      lasting: MediaTime(value: end - first, timescale: rate))
  }
}
