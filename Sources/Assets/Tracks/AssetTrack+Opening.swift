// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorTagging
package import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

extension AssetTrack {
  /// Returns the tracks of a file. The demuxer is read at least up to the first frame of each video
  /// track, and cannot be used afterwards.
  static func all(
    of demuxer: Demuxer, movie: Movie?, matroska: MatroskaHeader?, path: String
  ) throws -> [AssetTrack] {
    let demuxed = try demuxer.tracks.map { try $0.stated(inEntryOf: movie) }
    let pictures = try FirstFrames.find(demuxed, in: demuxer, path: path, movie)
    let zero = presentationZero(of: demuxed, pictures)
    let tracks = matroska.map { $0.encrypting($0.cropping(demuxed)) } ?? demuxed
    return try tracks.map { track in
      let box = movie.flatMap { $0.track(id: UInt32(clamping: track.id)) }
      let timeline =
        box.flatMap { box in movie.map { EditTimeline(box, of: $0) } }
        ?? EditTimeline(edits: [.init(duration: nil, mediaStart: zero)])
      let video = pictures[track.index].map {
        VideoFacts(track, box, first: $0)
      }
      // Decoders and copies must not believe a configuration that contradicts the samples.
      let configured =
        try video?.configurationCheck?.replacement.map { try track.configured($0) } ?? track
      return AssetTrack(
        path: path, demuxed: configured, timeline: timeline, box: box, video: video)
    }
  }

  /// Returns the time at which the presentation of a file without edit lists starts: the earliest
  /// start of its tracks.
  ///
  /// Audio before zero is priming and does not count, unless frames begin before zero, too. In that
  /// case, the file's clock wrapped around, and times before zero do count.
  private static func presentationZero(
    of tracks: [DemuxedTrack], _ pictures: [Int: FirstFrames.Finding]
  ) -> MediaTime {
    let sounds = tracks.filter { $0.kind == .audio }.compactMap(\.startTime)
    // libavformat's start of a track is the time of its first packet. A later packet's frame may be
    // presented earlier, so the time of the first decoded frame counts as well.
    let firstPicture = tracks.filter { $0.kind == .video }.flatMap { track in
      [track.startTime, pictures[track.index]?.presentationTimeStamp].compactMap { $0 }
    }.min()
    let earliest = (sounds + [firstPicture].compactMap { $0 }).min() ?? .zero
    return (firstPicture ?? .zero) < .zero ? earliest : max(earliest, .zero)
  }
}

extension Movie.Track {
  /// The sample entry of the first sample.
  package var firstUsedEntry: SampleEntry? {
    sampleEntries.count > 1 ? sampleEntries[entryIndex(ofSample: 0) ?? 0] : sampleEntries.first
  }
}

extension DemuxedTrack {
  /// Returns the track with the color that the sample entry of its first sample states. libavformat
  /// mixes the colors of several entries, and decoders repeat what it says.
  fileprivate func stated(inEntryOf movie: Movie?) throws(LibAVError) -> DemuxedTrack {
    guard kind == .video, let box = movie?.track(id: UInt32(clamping: id)),
      box.sampleEntries.count > 1, let entry = box.firstUsedEntry
    else { return self }
    return try stated(entry.signal)
  }
}

extension EditTimeline {
  /// Makes the edit list of a track (ISO/IEC 14496-12, 8.6.6). If the track has none, or if its
  /// list presents nothing, the whole media is presented.
  package init(_ track: Movie.Track, of movie: Movie) {
    let movieTimescale = Int32(clamping: max(movie.header.timescale ?? 1, 1))
    let mediaTimescale = Int32(clamping: max(track.mediaTimescale, 1))
    let entries = track.editList?.entries ?? []
    // An entry that presents media may have a duration of 0 if the movie is fragmented, or if no
    // other entry presents media: the length was not known when the entry was written. The entry
    // then lasts to the end of the media. Any other entry with a duration of 0 presents nothing.
    let isOpenEnded = movie.isFragmented || entries.filter { $0.mediaTime >= 0 }.count == 1
    var edits: [Edit] = []
    for entry in entries {
      let duration = MediaTime(
        value: Int64(clamping: entry.segmentDuration), timescale: movieTimescale)
      guard entry.segmentDuration > 0 || (isOpenEnded && entry.mediaTime >= 0) else { continue }
      edits.append(
        Edit(
          duration: entry.segmentDuration > 0 ? duration : nil,
          mediaStart: entry.mediaTime < 0
            ? nil : MediaTime(value: entry.mediaTime, timescale: mediaTimescale),
          isDwell: entry.mediaRate == 0 && entry.mediaTime >= 0))
    }
    self = edits.contains { $0.mediaStart != nil } ? EditTimeline(edits: edits) : .wholeMedia
  }
}

extension VideoFacts {
  /// Makes the facts from a track's boxes, its bitstream and its first frame.
  fileprivate init(
    _ track: DemuxedTrack, _ box: Movie.Track?, first: FirstFrames.Finding
  ) {
    let sampleEntry = box?.firstUsedEntry
    let statements = VideoStatements(
      track.codec.bitstream, configuration: track.codec.extradata, sampleEntry: sampleEntry,
      containerSignal: track.containerSignal, firstSample: first.firstSample,
      laterUnits: first.laterUnits,
      comparesConfiguration: box.map { $0.sampleEntries.count < 2 } ?? true)
    let signal = first.attachments.signal
    let claims = statements.claims + [SignalClaim(source: .decoder, signal: signal)]
    let isRGB = signal.color.matrixCoefficients == .identity
    self.init(
      claims: claims, tags: ResolvedTags(claims, isRGB: isRGB),
      bitstream: statements.bitstream,
      size: first.size, format: first.format, isRGB: isRGB, hasAlpha: first.hasAlpha,
      hasCaptions: first.hasCaptions,
      fieldOrder: AssetTrack.fieldOrder(decoded: first.fieldOrder, track, sampleEntry),
      hdrMetadata: HDRMetadata(
        sampleEntry, statements.bitstream, track: track, decoder: first.attachments),
      configurationCheck: statements.configurationCheck)
  }
}
