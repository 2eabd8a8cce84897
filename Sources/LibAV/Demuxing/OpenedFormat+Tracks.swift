// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import Glibc
internal import MediaCore
internal import Synchronization

/// Finds the tracks of a file that was opened, and facts about them that the container does not
/// state, which libavformat finds by decoding.
///
/// libavformat opens a decoder for each track and keeps all of them: a movie of 300 kB with 300
/// tracks takes half a gigabyte. Movies with many tracks are therefore looked at in groups, and
/// what was found is kept for whoever opens the same file again.
extension OpenedFormat {
  /// The most tracks of a movie that are looked at together.
  private static let groupSize = 32

  /// The tracks, in the file's order.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - reopened: opens the same file once more.
  /// - Throws: ``LibAVError``.
  func tracks(
    path: String, reopened: () throws(LibAVError) -> OpenedFormat
  ) throws(LibAVError) -> [DemuxedTrack] {
    let count = unsafe streams.count
    guard isMovie, count > Self.groupSize else { return try tracks(probing: nil) }
    let version = Self.version(of: path)
    let known = Self.known.withLock { files in files.first { $0.version == version }?.tracks }
    if let known { return known }
    var found: [DemuxedTrack] = []
    for start in stride(from: 0, to: count, by: Self.groupSize) {
      let group = start..<min(start + Self.groupSize, count)
      found += try reopened().tracks(probing: group)
    }
    if let version {
      Self.known.withLock { $0 = [(version, found)] + $0.prefix(Self.knownCount - 1) }
    }
    return found
  }

  /// The tracks with the container's facts, and with those of decoders for some.
  ///
  /// - Parameter group: the places of the tracks that are looked at and told; nil for all.
  func tracks(
    probing group: Range<Int>?, isDecoding: Bool = true
  ) throws(LibAVError) -> [DemuxedTrack] {
    // What the container says of color is taken before the decoders' findings are mixed in.
    let stated = unsafe streams.map { stream in
      unsafe stream.pointee.codecpar.map {
        unsafe (signal: SignalDescription($0), fields: FieldOrder($0.pointee.field_order))
      }
    }
    if isDecoding {
      if let group { hideTracks(outside: group) }
      let code = unsafe avformat_find_stream_info(context, nil)
      let file = unsafe context.pointee.pb
      try unsafe check(
        Self.meaning(of: code, reading: file), "avformat_find_stream_info")
    }
    var tracks: [DemuxedTrack] = []
    for unsafe(index, stream) in unsafe streams.enumerated()
    where group?.contains(index) ?? true {
      let known = index < stated.count ? stated[index] : nil
      tracks.append(
        try unsafe DemuxedTrack(
          stream, containerSignal: known?.signal ?? SignalDescription(),
          containerFieldOrder: known?.fields))
    }
    return tracks
  }

  /// Has libavformat take the other tracks for data that no decoder is needed for. The file is of
  /// no use afterwards.
  private func hideTracks(outside group: Range<Int>) {
    for unsafe(index, stream) in unsafe streams.enumerated() where !group.contains(index) {
      unsafe stream.pointee.discard = AVDISCARD_ALL
      unsafe stream.pointee.codecpar?.pointee.codec_type = AVMEDIA_TYPE_DATA
      unsafe stream.pointee.codecpar?.pointee.codec_id = AV_CODEC_ID_NONE
    }
  }

  /// The tracks of the last files that were looked at in groups.
  private static let known = Mutex<[(version: [Int], tracks: [DemuxedTrack])]>([])
  /// A source and an output that is compared with it, and what either is made by way of.
  private static let knownCount = 4

  /// Numbers of a file with its bytes: another one is under the same path after a change.
  private static func version(of path: String) -> [Int]? {
    var status = stat()
    guard unsafe stat(SystemPath.bytes(path), &status) == 0 else { return nil }
    return [
      Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)),
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
