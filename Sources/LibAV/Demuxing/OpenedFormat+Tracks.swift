// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import Glibc
internal import MediaCore
internal import Synchronization

extension OpenedFormat {
  // libavformat opens a decoder for each track and keeps all of them, so a movie of 300 kB with 300
  // tracks takes half a gigabyte of memory. Movies with many tracks are therefore probed in groups,
  // and the result is kept for the next time the same file is opened.
  private static let groupSize = 32

  /// Returns the tracks in the file's order.
  ///
  /// - Parameters:
  ///   - path: the file's path.
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
      // The file is opened again for each group, because probing a group makes all other tracks
      // useless.
      found += try reopened().tracks(probing: group)
    }
    if let version {
      Self.known.withLock { $0 = [(version, found)] + $0.prefix(Self.knownCount - 1) }
    }
    return found
  }

  /// Returns the tracks with the container's facts and, if they are probed, facts from decoders.
  ///
  /// - Parameter group: the places of the tracks to probe and return; `nil` for all.
  func tracks(
    probing group: Range<Int>?, isDecoding: Bool = true
  ) throws(LibAVError) -> [DemuxedTrack] {
    // The container's color and order of fields have to be read first, because probing mixes the
    // decoders' findings into them.
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

  /// Makes libavformat treat the tracks outside of a group as data, which needs no decoder. After
  /// that, the packets of this opened file cannot be read any more.
  private func hideTracks(outside group: Range<Int>) {
    for unsafe(index, stream) in unsafe streams.enumerated() where !group.contains(index) {
      unsafe stream.pointee.discard = AVDISCARD_ALL
      unsafe stream.pointee.codecpar?.pointee.codec_type = AVMEDIA_TYPE_DATA
      unsafe stream.pointee.codecpar?.pointee.codec_id = AV_CODEC_ID_NONE
    }
  }

  // Probing in groups is slow, and one run opens its source several times, so the results are kept.
  private static let known = Mutex<[(version: [Int], tracks: [DemuxedTrack])]>([])
  // This is enough to compare a source with its output while two further files are opened.
  private static let knownCount = 4

  /// Returns numbers that change when the file at a path changes; `nil` if there is no file.
  private static func version(of path: String) -> [Int]? {
    var status = stat()
    guard unsafe stat(path.systemBytes, &status) == 0 else { return nil }
    return [
      Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)),
      // Programs can set back the modification time, but not the time of the inode's last change.
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
