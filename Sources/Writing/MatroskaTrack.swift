// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Planning

/// A track of a Matroska file.
struct MatroskaTrack {
  let source: AssetTrack
  /// The track that says what the packets are. If the movie's sample entry names no codec, because
  /// the movie only holds the packets, this is the source's track. Otherwise it is the track from
  /// which the packets are read.
  let described: AssetTrack
  /// Whether the packets are read from the source, not from the finished movie.
  let isOfSource: Bool
  /// What to add to a media time to get a time in the file.
  var delay: MediaTime
  /// Converts texts that the file cannot store unchanged; `nil` if packets do not change.
  let converter: SubtitleConverter?

  /// How many packets to write, counted from the first, or `nil` for all.
  private let packetCount: Int?
  /// The part of the delay by which all tracks move, so that no time is negative.
  private var shift = MediaTime.zero

  /// - Parameters:
  ///   - container: the kind of file, Matroska or WebM.
  ///   - origin: the source's track, if the movie only holds its packets.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if Matroska cannot express the track's
  ///   edits.
  init(
    _ track: AssetTrack, in container: FileType, isOfSource: Bool, origin: AssetTrack? = nil
  ) throws {
    source = track
    described = origin ?? track
    self.isOfSource = isOfSource
    delay = track.demuxed.kind == .other ? .zero : try track.delayForMatroska(isCopied: false)
    converter =
      track.isTextToConvert(for: container)
      ? try SubtitleConverter(track.demuxed, for: container) : nil
    // Matroska has no edit lists, so video packets after the last presented one are left out.
    packetCount = track.demuxed.kind == .video ? track.presentedPackets?.count : nil
  }

  private var codec: CodecParameters { described.demuxed.codec }

  /// Finds the HDR10+ metadata that is repeated in block additions, where players look for it that
  /// read no SEI messages; `nil` if packets can have none. AV1 keeps it in its own units only.
  var unitsWithHDR10Plus: PacketMetadata? {
    codec.nalCodec == nil ? nil : PacketMetadata(described.demuxed)
  }

  /// Whether the packets are subtitles, as text or bitmaps. Each packet can be shown without the
  /// others.
  var isText: Bool { source.demuxed.kind == .other }

  /// The time of the first packet that is written.
  var firstTime: MediaTime {
    if isText { return .zero }
    let first = source.firstTime + delay
    // Matroska cannot hide audio. Before the start, keep only as much audio as the decoder needs to
    // settle.
    return source.demuxed.kind == .audio
      ? max(first, .zero - codec.warmUp) : first
  }

  /// Returns the track with all times moved later by `shift`.
  func delayed(by shift: MediaTime) -> MatroskaTrack {
    var track = self
    track.delay = delay + shift
    track.shift = shift
    return track
  }

  /// Returns the packet as the file stores it, or `nil` if it is a text that shows nothing.
  func converted(_ packet: Packet) throws(LibAVError) -> Packet? {
    guard let converter else { return packet }
    return try converter.convert(packet).map { (text) throws(LibAVError) in
      try packet.replacing(text)
    }
  }

  /// Returns the packet at its time in the file, or `nil` if it is not presented.
  ///
  /// - Parameters:
  ///   - number: how many of the track's packets came before it.
  ///   - longest: the longest duration of this packet and those before it.
  func placed(
    _ packet: Packet, number: Int, longest: MediaTime
  ) throws(LibAVError) -> Packet? {
    if source.demuxed.kind == .video {
      return packetCount.map { number < $0 } ?? true ? try packet.moved(exactlyBy: delay) : nil
    }
    guard let time = packet.presentationTimeStamp else { return try packet.moved(exactlyBy: delay) }
    guard isText else { return try audio(packet, at: time, longest: longest) }
    let tick = MediaTime(value: 1, timescale: source.demuxed.timescale)
    // A text without a duration is shown until the next text. Here, count its duration as one tick,
    // so that it can overlap an edit.
    let shown = source.timeline.presentedInterval(of: time, lasting: max(packet.duration, tick))
    guard let shown else { return nil }
    return try packet.placed(
      at: shown.start + shift,
      lasting: packet.duration > .zero ? shown.end - shown.start : .zero)
  }

  /// Returns an audio packet at its time in the file, or `nil` if no part of it is presented.
  private func audio(
    _ packet: Packet, at time: MediaTime, longest: MediaTime
  ) throws(LibAVError) -> Packet? {
    let start = time + delay - shift
    guard start >= .zero - codec.warmUp || start + packet.duration > .zero else { return nil }
    // A PCM packet can be cut at any sample. Other codecs can only declare padding.
    if codec.isPCM { return try presentedPart(of: packet, at: time) }
    let moved = try packet.moved(exactlyBy: delay)
    guard let end = source.timeline.mediaEnd else { return moved }
    guard time < end else { return nil }
    guard let length = codec.paddedDuration(of: packet, longest: longest) else { return moved }
    let rate = Int32(clamping: max(codec.sampleRate, 1))
    let padding = (time + length - end).converted(to: rate).value
    // `DiscardPadding` (RFC 9559) is the only way in which Matroska can drop the end of a packet.
    return padding > 0 ? try moved.padded(by: Int(padding)) : moved
  }

  /// Returns the presented samples of a PCM packet, or `nil` if there are none.
  private func presentedPart(of packet: Packet, at time: MediaTime) throws(LibAVError) -> Packet? {
    let rate = Int32(clamping: max(codec.sampleRate, 1))
    let count = packet.duration.converted(to: rate).value
    // If the packet's bytes cannot be divided evenly among its samples, the duration is wrong, and
    // a cut would split a sample.
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
