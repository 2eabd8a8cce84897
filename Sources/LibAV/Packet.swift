// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

/// One packet of compressed data, from a demuxer or for a muxer.
@safe
package struct Packet: Sendable {
  /// The packets that the requested part leaves out between the previous packet and this one. Later
  /// packets may still refer to their metadata.
  package var leftOut: [Packet] = []
  let timeBase: AVRational
  // The configuration may change within a track. Readers may skip the first packet after a change,
  // so each later packet has the new configuration, too.
  /// The configuration that the packet is decoded with; `nil` if it is still that of the track.
  package internal(set) var configuration: [UInt8]?
  private let packet: SharedObject<AVPacket>
  var pointer: UnsafeMutablePointer<AVPacket> { unsafe packet.pointer }

  private init(timeBase: AVRational, configuration: [UInt8]? = nil) throws(LibAVError) {
    unsafe packet = SharedObject(try .packet())
    (self.timeBase, self.configuration) = (timeBase, configuration)
  }

  /// Returns a copy that shares the data. The properties of the copy can be changed.
  ///
  /// - Parameter timeBase: the time base of the copy; `nil` to keep it. The numbers of ticks do not
  ///   change.
  func duplicated(in timeBase: AVRational? = nil) throws(LibAVError) -> Packet {
    let copy = try Packet(timeBase: timeBase ?? self.timeBase, configuration: configuration)
    try unsafe check(av_packet_ref(copy.pointer, pointer), "av_packet_ref")
    return copy
  }

  /// Takes over a packet's data, with the time base of its track.
  init(moving packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) throws(LibAVError) {
    try self.init(timeBase: timeBase)
    unsafe av_packet_move_ref(pointer, packet)
  }

  /// Makes a packet from bytes that were read elsewhere.
  ///
  /// - Parameter ticks: the packet's presentation time, decode time and duration.
  package init(
    bytes: [UInt8], trackIndex: Int, timescale: Int32,
    ticks: (presentation: Int64, decode: Int64, duration: Int64)
  ) throws(LibAVError) {
    try self.init(timeBase: AVRational(num: 1, den: timescale))
    try unsafe check(av_new_packet(pointer, Int32(clamping: bytes.count)), "av_new_packet")
    unsafe pointer.pointee.stream_index = Int32(clamping: trackIndex)
    unsafe pointer.pointee.pts = ticks.presentation
    unsafe pointer.pointee.dts = ticks.decode
    unsafe pointer.pointee.duration = ticks.duration
    unsafe pointer.pointee.flags = AV_PKT_FLAG_KEY
    fill(bytes)
  }

  /// The index of the track that the packet belongs to.
  package var trackIndex: Int { unsafe Int(pointer.pointee.stream_index) }
  /// When the packet's frame or audio is presented, in the track's media timeline; `nil` if
  /// unknown.
  package var presentationTimeStamp: MediaTime? { unsafe time(pointer.pointee.pts) }
  /// When the packet is decoded, in the track's media timeline; `nil` if unknown.
  package var decodeTimeStamp: MediaTime? { unsafe time(pointer.pointee.dts) }
  /// How long the packet lasts; zero if unknown.
  package var duration: MediaTime {
    unsafe max(time(pointer.pointee.duration) ?? .zero, .zero)
  }
  /// Whether decoding can start here.
  package var isSync: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether the demuxer found the packet damaged.
  package var isCorrupt: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// Whether the file says that no other sample depends on this one.
  package var isDisposable: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISPOSABLE != 0 }

  /// Where the packet's data begins in the file; `nil` if the demuxer does not say.
  package var filePosition: UInt64? { unsafe UInt64(exactly: pointer.pointee.pos) }

  package var isEmpty: Bool { unsafe pointer.pointee.size <= 0 }

  /// The size of the data in bytes.
  package var byteCount: Int { unsafe Int(max(pointer.pointee.size, 0)) }

  /// A copy of the packet's bytes.
  package var bytes: [UInt8] {
    unsafe Array(
      UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  /// Calls a function with the packet's bytes, which are not copied.
  func withBytes<Value>(_ body: (Span<UInt8>) -> Value) -> Value {
    unsafe body(UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount).span)
  }

  /// Returns the same data at a later or earlier time.
  package func moved(by delay: MediaTime) throws(LibAVError) -> Packet {
    let copy = try duplicated()
    if let time = presentationTimeStamp { unsafe copy.pointer.pointee.pts = ticks(time + delay) }
    if let time = decodeTimeStamp { unsafe copy.pointer.pointee.dts = ticks(time + delay) }
    return copy
  }

  /// Returns the same data at another time, in finer ticks if the packet's own ticks cannot express
  /// the delay.
  package func moved(exactlyBy delay: MediaTime) throws(LibAVError) -> Packet {
    let timescale = MediaTime.commonTimescale(timeBase.den, delay.timescale)
    let copy = try duplicated(in: AVRational(num: 1, den: timescale))
    unsafe av_packet_rescale_ts(copy.pointer, timeBase, copy.timeBase)
    return try copy.moved(by: delay)
  }

  /// Returns the same audio, marked so that players skip some samples at its end.
  package func padded(by count: Int) throws(LibAVError) -> Packet {
    let copy = try duplicated()
    try unsafe SkippedSamples(trailing: count).write(to: copy.pointer)
    return copy
  }

  /// Returns the same data with a block addition for Matroska (RFC 9559, 5.1.3.5.2).
  package func adding(toBlock addition: [UInt8]) throws(LibAVError) -> Packet {
    let copy = try duplicated()
    // libavformat expects the addition's number in front, and writes only the number 1.
    let bytes = [0, 0, 0, 0, 0, 0, 0, 1] + addition
    let data = unsafe av_packet_new_side_data(
      copy.pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, bytes.count)
    let memory = try unsafe allocated(data, "av_packet_new_side_data")
    for (index, byte) in bytes.enumerated() { unsafe memory[index] = byte }
    return copy
  }

  /// Returns the same data at the same time, with another duration.
  package func lasting(_ duration: MediaTime) throws(LibAVError) -> Packet {
    let copy = try duplicated()
    unsafe copy.pointer.pointee.duration = ticks(duration)
    return copy
  }

  /// Returns the same data, marked as a sample at which decoding can or cannot start.
  package func marked(isSync: Bool) throws(LibAVError) -> Packet {
    let copy = try duplicated()
    // The copy has all flags. Only the flag for sync samples changes here, because the
    // flags for damage and for disposable samples still apply.
    unsafe copy.pointer.pointee.flags &= ~AV_PKT_FLAG_KEY
    if isSync { unsafe copy.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    return copy
  }

  /// Returns the same data at a given time, for a given duration.
  package func placed(at start: MediaTime, lasting duration: MediaTime) throws(LibAVError) -> Packet
  {
    let copy = try duplicated()
    unsafe copy.pointer.pointee.pts = ticks(start)
    unsafe copy.pointer.pointee.dts = ticks(start)
    unsafe copy.pointer.pointee.duration = ticks(duration)
    return copy
  }

  /// Returns the same data in other ticks, with one time for both presentation and decoding.
  package func placed(
    at ticks: Int64, lasting duration: Int64, timescale: Int32
  ) throws(LibAVError) -> Packet {
    let copy = try duplicated(in: AVRational(num: 1, den: timescale))
    unsafe copy.pointer.pointee.pts = ticks
    unsafe copy.pointer.pointee.dts = ticks
    unsafe copy.pointer.pointee.duration = duration
    return copy
  }

  /// Returns a packet that has the same times but other data.
  package func replacing(_ bytes: [UInt8]) throws(LibAVError) -> Packet {
    let copy = try Packet(timeBase: timeBase, configuration: configuration)
    try unsafe check(av_new_packet(copy.pointer, Int32(clamping: bytes.count)), "av_new_packet")
    try unsafe check(av_packet_copy_props(copy.pointer, pointer), "av_packet_copy_props")
    unsafe copy.pointer.pointee.stream_index = pointer.pointee.stream_index
    copy.fill(bytes)
    return copy
  }

  /// Returns a packet that has the same times but lacks some of the data.
  ///
  /// - Parameter ranges: the bytes to leave out, in ascending order.
  func removing(_ ranges: [Range<Int>]) throws(LibAVError) -> Packet {
    let all = bytes
    var rest: [UInt8] = []
    var start = 0
    for range in ranges {
      rest += all[start..<range.lowerBound]
      start = range.upperBound
    }
    return try replacing(rest + all[start...])
  }

  /// Copies bytes into a packet that was made for this number of bytes.
  private func fill(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(pointer.pointee.data).copyMemory(
        from: start, byteCount: bytes.count)
    }
  }

  /// Returns a time in the packet's own ticks.
  func ticks(_ time: MediaTime) -> Int64 {
    time.converted(to: timeBase.den).value / Int64(max(timeBase.num, 1))
  }

  private func time(_ value: Int64) -> MediaTime? {
    MediaTime(value, timeBase: timeBase)
  }
}

extension MediaTime {
  /// Makes an exact time from FFmpeg's number; `nil` for "no timestamp" and for times out of
  /// bounds.
  init?(_ value: Int64, timeBase: AVRational) {
    guard let ticks = StreamNumbers.time(value, in: timeBase) else { return nil }
    self.init(value: ticks, timescale: timeBase.den)
  }
}
