// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
internal import CodePoints
internal import DolbyVision
public import FoundationEssentials
package import Host
package import ISOBMFF
internal import LibAV
public import MediaCore
internal import NALUnits

/// A media file that was opened and examined, like AVFoundation's `AVAsset`.
public struct MediaAsset: Sendable {
  /// The path of the file.
  public let path: String
  /// FFmpeg's name for the container format, such as `mov,mp4,m4a,3gp,3g2,mj2` or `matroska,webm`.
  public let formatName: String
  /// The tracks in the file's order.
  public private(set) var tracks: [AssetTrack]
  /// The boxes of a movie; `nil` for other files.
  package let movie: Movie?
  /// The container's metadata, such as dates, names and places. The keys are FFmpeg's names:
  /// `creation_time`, `location`, `com.apple.quicktime.make`.
  public let metadata: [String: String]
  /// The chapters, sorted by their start.
  public private(set) var chapters: [Chapter]
  /// The time code of the first frame that is presented; `nil` if there is none, or if it does not
  /// fit the frame rate.
  package private(set) var timeCode: TimeCode?
  /// The time code as a container other than a movie writes it; `nil` if there is none.
  package let statedTimeCode: String?
  /// The duration that the container states for the whole file; `nil` if it states none.
  package let statedDuration: MediaTime?
  /// The number of chapters in a Matroska file that are left out. They are hidden or disabled,
  /// belong to another edition or file, or begin at the same time as a chapter that is shown.
  package let leftOutChapterCount: Int
  /// The kind of file that a Matroska file says it is, such as `webm`; `nil` for other files.
  package let docType: String?
  /// Whether tracks and chapters are only a part of the file's presentation.
  package private(set) var isPart = false
  /// What is missing from a cut-off file, as text for people; `nil` if nothing is known to be
  /// missing.
  public let missingData: String?
  /// Whether the file ends inside a packet and has a format that does not say how much is missing.
  package let endsInsidePacket: Bool
  /// The version of the file that was examined.
  package let version: SourceVersion

  /// Opens a file and reads its tracks, their edits, and what their colors mean. To do so, it
  /// decodes the first frame of each video track.
  ///
  /// - Throws: ``TranscodingError`` of kind `noInput` if the file does not exist or cannot be read,
  ///   and of kind `unusableInput` if it is not a media file or is damaged beyond use.
  public static func load(path: String) async throws -> MediaAsset {
    try await Pipeline.onThread("open") { _ in try MediaAsset(opening: path) }
  }

  /// Opens a file by its URL, as ``load(path:)`` does.
  ///
  /// - Throws: the same errors, and ``TranscodingError`` of kind `invalidSettings` if the URL does
  ///   not name a file.
  public static func load(url: URL) async throws -> MediaAsset {
    try await load(path: url.filePath())
  }

  /// Returns a part of the presentation as a new asset.
  ///
  /// - Parameters:
  ///   - tracks: the tracks, with the timelines of the part.
  ///   - chapters: the chapters, at the times of the part.
  ///   - start: when the part begins.
  package func part(
    tracks: [AssetTrack], chapters: [Chapter], from start: MediaTime = .zero
  ) -> MediaAsset {
    var part = self
    (part.tracks, part.chapters, part.isPart) = (tracks, chapters, true)
    part.timeCode = timeCode?.advanced(by: start)
    return part
  }

  /// Opens a file on the calling thread.
  ///
  /// - Parameter probing: has the same meaning as for `Demuxer`.
  package init(opening path: String, probing: Bool = true) throws {
    try TranscodingError.refuseUnusable(input: path)
    version = SourceVersion(path: path)
    do {
      let source = try FileByteSource(path: path)
      let movie = try Self.movie(source)
      let demuxer = try Self.demuxer(path, movie, probing: probing)
      try TranscodingError.refuseStillImage(demuxer, at: path)
      self.path = path
      formatName = demuxer.formatName
      metadata = demuxer.metadata
      self.movie = movie
      missingData = try movie?.missingData.map { "\($0)" } ?? Self.missingSegment(source)
      endsInsidePacket = try movie == nil && source.endsInsidePacket()
      let matroska = try movie == nil ? MatroskaHeader(source) : nil
      let tracks = try AssetTrack.all(
        of: demuxer, movie: movie, matroska: matroska, path: path
      ).pairingLayers()
      self.tracks = tracks
      let stated = movie == nil ? Self.statedTimeCode(demuxer.metadata, tracks) : nil
      statedTimeCode = stated
      statedDuration = demuxer.duration
      timeCode = Self.timeCode(of: movie, in: source, stated: stated, tracks: tracks)
      chapters = Self.chapters(matroska?.chapters?.shown ?? demuxer.chapters, movie, tracks)
      docType = matroska?.docType
      leftOutChapterCount = matroska?.chapters?.leftOutCount ?? 0
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
  }

  /// Returns chapters at the times of the presentation.
  private static func chapters(
    _ chapters: [Chapter], _ movie: Movie?, _ tracks: [AssetTrack]
  ) -> [Chapter] {
    // The track with a movie's chapters may have edits. libavformat is told to ignore all edits, so
    // its chapter times are those of the track's media.
    guard let timeline = chapterTrack(movie, tracks)?.timeline else { return chapters }
    return chapters.compactMap { chapter in
      let length = max((chapter.end ?? chapter.start) - chapter.start, .zero)
      let start = timeline.presentationTime(of: chapter.start, lasting: length)
      return start.map { Chapter(start: $0, end: $0 + length, title: chapter.title) }
    }
  }

  private static func chapterTrack(_ movie: Movie?, _ tracks: [AssetTrack]) -> AssetTrack? {
    let numbers = movie?.chapterTracks ?? []
    return tracks.first { $0.box.map { numbers.contains($0.header.trackID ?? 0) } ?? false }
  }

  /// The track with the titles of a movie's chapters; `nil` if there is none.
  package var chapterTrack: AssetTrack? { Self.chapterTrack(movie, tracks) }

  /// - Throws: the demuxer's error, or a ``TranscodingError`` that names the box that is cut off.
  private static func demuxer(_ path: String, _ movie: Movie?, probing: Bool) throws -> Demuxer {
    do throws(LibAVError) {
      return try Demuxer(path: path, probing: probing)
    } catch {
      // libavformat only says that data is invalid. The box's name helps to repair the file.
      guard error.kind == .invalidData, let box = movie?.cutOffBox else { throw error }
      throw TranscodingError(.unusableInput, "\(path) is damaged: \(box)")
    }
  }

  /// Reads the boxes of a movie; returns `nil` for other files.
  package static func movie(_ source: FileByteSource) throws -> Movie? {
    do {
      return try Movie(source)
    } catch ISOBMFFError.notISOBaseMedia {
      return nil
    }
  }

  private static func missingSegment(_ source: FileByteSource) throws -> String? {
    guard let end = try source.statedEnd(), end > source.size else { return nil }
    return "it should end at byte \(end), but ends at byte \(source.size)"
  }

  /// The first enabled video track, or the first video track if none is enabled. An enhancement
  /// layer of Dolby Vision counts only if there is no other video track. `nil` if there is no
  /// video.
  public var videoTrack: AssetTrack? { videoTrack { _ in true } }

  /// Returns the video track among some of the tracks, by the rule of ``videoTrack``.
  package func videoTrack(where isWanted: (AssetTrack) -> Bool) -> AssetTrack? {
    let all = tracks.filter { $0.demuxed.kind == .video && isWanted($0) }
    let bases = all.filter { !$0.isEnhancementLayer }
    let candidates = bases.isEmpty ? all : bases
    return candidates.first(where: \.isEnabled) ?? candidates.first
  }

  /// The kinds of media (`vide`, `soun`) of a movie's enabled tracks; empty for other files.
  package var enabledKinds: Set<FourCC> {
    Set((movie?.tracks ?? []).filter { $0.header.flags & 1 == 1 }.map(\.handler))
  }

  /// Returns whether the file already has the format of this kind of output. A 3GPP file never
  /// does, because no output is written as 3GPP.
  package func isOfKind(_ container: FileType) -> Bool {
    guard let movie else { return !container.isMovie && formatName.contains(container.muxerName) }
    if movie.isQuickTime { return container.movie == .quickTime }
    let is3GPP = movie.majorBrand.map { "\($0)".hasPrefix("3g") } ?? false
    return container.movie == .isoBaseMedia && !is3GPP
  }

  /// FFmpeg's names of formats that contain only frames.
  private static let rawFormats: Set<String> = ["h264", "hevc", "m4v", "obu"]

  /// Whether the file is a bare stream of frames, which has no times.
  package var isRawStream: Bool { Self.rawFormats.contains(formatName) }

  /// The duration of the longest track; `nil` if unknown.
  public var duration: MediaTime? { tracks.compactMap(\.presentedDuration).max() }
}

extension Movie {
  /// The smallest size in bytes that a box in a sample entry can have, by the box's type (ISO/IEC
  /// 14496-12, 12.1; ISO/IEC 14496-15, 5.3.3 and 8.3.3; Dolby Vision Streams within ISOBMFF).
  private static let sizes: [FourCC: Int] = Dictionary(
    NALCodec.allCases.map { ($0.configurationBox, $0.record.minimumSize) }
      + SampleEntry.dolbyVisionBoxes.map { ($0, ConfigurationRecord.size) }
  ) { $1 }

  /// Returns the smallest size of a box in a sample entry; `nil` if it is not known for its type.
  private static func size(of box: Box) -> Int? {
    let kind = StaticHDRMetadata.kinds.first { $0.box == box.type }
    return kind?.payloadSize(box.fields) ?? sizes[box.type]
  }

  /// Which box of a sample entry is shorter than its type allows, as text for people; `nil` if
  /// there is none.
  fileprivate var cutOffBox: String? {
    for track in tracks {
      for box in track.sampleEntries.flatMap(\.boxes) {
        guard let size = Self.size(of: box), box.fields.count < size else { continue }
        return "the box '\(box.type)' of track \(track.header.trackID ?? 0) has "
          + "\(box.fields.count.counted("byte")) instead of \(size)"
      }
    }
    return nil
  }
}
