// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import Host
package import ISOBMFF
internal import MediaCore

/// Reads and writes the time code of movies, which is in a track `tmcd`. The samples of that track
/// are frame numbers (QuickTime File Format, Timecode Media).
extension TimeCode {
  /// Reads the time code in a sample of a time code track.
  ///
  /// - Parameter place: where the sample is in the file.
  /// - Returns: `nil` if the sample or its entry has another form.
  package init?(_ track: Movie.Track, at place: Range<UInt64>, in file: FileByteSource) throws {
    guard place.count == 4,
      let fields = track.box
        .first("mdia", "minf", "stbl", "stsd")?.children.first.map({ $0.fields }),
      let counting = try Counting(sampleEntry: fields)
    else { return nil }
    var sample = ByteReader(try file.read(at: place.lowerBound, count: 4))
    self.init(number: Int64(try sample.integer(UInt32.self)), counting)
  }

  /// Reads the time code at the beginning of a movie's presentation.
  init?(_ movie: Movie, in file: FileByteSource) {
    let codes = movie.tracks.filter { track in
      track.sampleEntries.first?.format == "tmcd"
    }
    // A movie may have several time code tracks. Use the one that the first video track refers to,
    // if there is one that can be read. Otherwise, use the first that can be read.
    let referred = movie.tracks.first { $0.handler == "vide" }?.timeCodeTracks ?? []
    let all = codes.filter { referred.contains($0.header.trackID ?? 0) } + codes
    for track in all {
      guard let chunk = try? SampleTable(track).ranges.first,
        let code = try? TimeCode(track, at: chunk, in: file)
      else { continue }
      // The sample has the number of the media's first frame, but the edit may begin later.
      let skipped = EditTimeline(track, of: movie).mediaStart ?? .zero
      self = code.advanced(by: max(skipped, .zero))
      return
    }
    return nil
  }

  /// The bytes of a sample with this time code.
  package var sample: [UInt8] {
    var writer = ByteWriter()
    writer.append(UInt32(truncatingIfNeeded: number))
    return writer.bytes
  }
}

extension TimeCode.Counting {
  // Flags in the sample entry (QuickTime File Format, Timecode Sample Description).
  private static let dropFrameFlag: UInt32 = 1
  private static let wrapsFlag: UInt32 = 2
  /// The flag of samples that are plain counters, to which the timescale does not apply.
  private static let counterFlag: UInt32 = 8

  /// - Parameter fields: the sample entry, beginning at its reserved bytes.
  fileprivate init?(sampleEntry fields: [UInt8]) throws {
    // After the data reference come reserved bytes, flags, timescale, frame duration, and the
    // number of frames a second.
    guard fields.count >= 25 else { return nil }
    var reader = ByteReader(fields, at: 12)
    let flags = try reader.integer(UInt32.self)
    let (scale, duration) = (try reader.integer(UInt32.self), try reader.integer(UInt32.self))
    let rate = Int(try reader.integer(UInt8.self))
    guard let scale = Int32(exactly: scale), let duration = Int32(exactly: duration),
      flags & Self.counterFlag == 0
    else { return nil }
    self.init(
      timescale: scale, frameDuration: duration, framesPerSecond: rate,
      isDropFrame: flags & Self.dropFrameFlag != 0)
    wraps = flags & Self.wrapsFlag != 0
  }

  /// The sample entry of a time code track.
  package var sampleEntry: Box {
    var writer = ByteWriter()
    for word in [0, 1, 0] as [UInt32] { writer.append(word) }
    writer.append((isDropFrame ? Self.dropFrameFlag : 0) | (wraps ? Self.wrapsFlag : 0))
    writer.append(UInt32(timescale))
    writer.append(UInt32(frameDuration))
    writer.append(UInt8(clamping: framesPerSecond))
    writer.append(UInt8(0))
    return Box("tmcd", fields: writer.bytes)
  }
}

extension Movie.Track {
  /// The IDs of the time code tracks that the track refers to (`tref`).
  fileprivate var timeCodeTracks: [UInt32] {
    guard let fields = box.first("tref", "tmcd")?.fields else { return [] }
    var reader = ByteReader(fields)
    return (0..<fields.count / 4).compactMap { _ in try? reader.integer(UInt32.self) }
  }
}
