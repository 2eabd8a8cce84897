// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
package import Settings
internal import VideoEncoders

/// Finds reasons why a run is impossible, before it starts.
extension TranscodePlan {
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there are no samples to write, if
  ///   the first frame to copy has no time, or if a movie's edits present no frame.
  func refuseEmpty(_ asset: MediaAsset) throws {
    let copied = video.flatMap { $0.encoding == nil ? $0.track : nil }
    if let copied, try !CopiedFrames.check(copied), audio.isEmpty {
      throw Self.empty
    }
    try refuseEmptyTables(asset)
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if samples are encrypted.
  func refuseEncrypted() throws {
    for track in [video?.track].compactMap({ $0 }) + audio.map(\.track) {
      try track.refuseEncrypted()
    }
  }

  private static let empty = TranscodingError(.unusableInput, "it holds no samples")

  private func refuseEmptyTables(_ asset: MediaAsset) throws {
    guard let movie = asset.movie else { return }
    let tracks = [video?.track].compactMap { $0 } + audio.map(\.track)
    let isEmpty =
      // Tables of a fragmented movie are usually empty, so look for packets.
      movie.isFragmented
      ? try video == nil && DemuxedPackets.isEmpty(path: asset.path)
      : !tracks.contains { $0.demuxed.sampleCount > 0 || $0.path != asset.path }
    guard !isEmpty else { throw Self.empty }
    // A movie that presents none of its frames is refused as well. Players would show nothing of a
    // copy, and some could not even open it.
    guard let video, let box = video.track.box, let times = SampleTimes(box) else { return }
    let scale = Int32(clamping: max(box.mediaTimescale, 1))
    let starts = times.compositionTimes
    // If the last sample has no duration, count it as one tick long.
    let ends = starts.dropFirst() + [(starts.last ?? 0) &+ max(times.lastDuration, 1)]
    let isPresented = zip(starts, ends).contains { start, end in
      video.track.timeline.presents(
        from: MediaTime(value: start, timescale: scale),
        to: MediaTime(value: end, timescale: scale))
    }
    guard isPresented else {
      throw TranscodingError(.unusableInput, "none of its frames is ever presented")
    }
  }

  /// Returns the list of files that a run reads and writes. The output must replace none of them.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the run would write to a file that
  ///   it reads.
  package func files(
    input: String, _ settings: TranscodeSettings, _ options: TranscodeOptions
  ) throws -> RunFiles {
    let files = options.files ?? RunFiles(reading: input)
    try files.read([input] + settings.files)
    return files
  }

  /// Returns obstacles that stop a run unless an option allows them.
  func obstacles(
    to output: String, from input: String, _ options: TranscodeOptions
  ) -> [Notice] {
    var obstacles: [Notice] = []
    if !options.overwrite, PosixPath.kind(of: output) == .file {
      obstacles.append(.outputExists(output))
    }
    let needed = peakDiskUse(from: PosixPath.size(of: input))
    let shortage = needed.flatMap { SpaceShortage(of: $0, for: output) }
    if let shortage, !options.ignoresFreeSpace { obstacles.append(.doesNotFit(shortage)) }
    return obstacles
  }

  /// - Throws: ``TranscodingError`` of kind `inputOutput` if the output does not fit on its disk.
  package func refuseShortage(
    for output: String, from input: String, _ options: TranscodeOptions
  ) throws {
    guard !options.ignoresFreeSpace, let needed = peakDiskUse(from: PosixPath.size(of: input))
    else { return }
    try SpaceShortage.refuse(needed, for: output)
  }

  /// - Throws: ``TranscodingError`` if audio cannot be encoded as planned.
  func refuseAudioEncoders(input: String) throws {
    do {
      // Opening the encoder is the only way to find out whether it accepts the settings. For video,
      // `EncodingPlan` has already checked this.
      for encoding in audio.compactMap(\.encoding) { _ = try AudioEncoder(encoding) }
    } catch {
      throw TranscodingError.meaning(of: error, input: input)
    }
  }
}
