// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import Bitstreams
public import CodePoints
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import NALUnits

/// Changes of a movie whose frames get RPUs: parts of samples, and the configuration.
struct RPUInjection: MovieChange {
  /// The file with the changes.
  let editor: BoxEditor
  /// Parts of samples.
  let patches: BytePatches
  /// Notices for the user.
  let notices: [Notice]

  private let input: String
  private let track: Movie.Track
  /// RPUs in the order of presentation.
  private let rpus: [DolbyVisionRPU]
  /// The configuration that the sample entries get.
  private let box: Box

  /// Prepares the changes; nothing is written.
  ///
  /// - Parameter force: true if RPUs go in that are not valid, or not for these frames.
  init(
    _ rpus: [DolbyVisionRPU], into input: String, movie: Movie, source: FileByteSource, force: Bool,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    guard !movie.isFragmented else { throw ISOBMFFError.fragmented }
    guard let track = movie.pictureTracks.first, let entry = track.sampleEntries.first,
      track.sampleEntries.allSatisfy({
        $0.decoderConfiguration?.codec.carriesHDRMetadata == true && !$0.isEncrypted
      })
    else {
      throw TranscodingError(.unusableInput, "RPUs are put into HEVC; the file has none in clear")
    }
    self.input = input
    self.track = track
    self.rpus = rpus
    let ending = interruptible(checkpoint)
    let table = try SampleTable(track, checkpoint: ending)
    guard let times = try SampleTimes(track, checkpoint: ending) else {
      throw TranscodingError(.unusableInput, "its video has no samples")
    }
    guard table.count == rpus.count, times.timesInDecodingOrder.count == rpus.count else {
      throw TranscodingError(
        .unusableInput,
        "the file has \(table.count.counted("frame")) and is given \(rpus.count.counted("RPU"))",
        code: .otherRPUCount,
        arguments: ["frameCount": "\(table.count)", "rpuCount": "\(rpus.count)"])
    }
    let (record, faults) = try Self.configuration(track, entry, rpus, times, source)
    box = Box(record.box, fields: record.payload)
    if let fault = faults.first, !force {
      throw TranscodingError(
        .unusableInput, fault.text, code: .unfitRPUs, arguments: fault.arguments)
    }
    let parts = try Self.patches(track, rpus, table, times, source, checkpoint)
    patches = try BytePatches(parts, checkpoint: ending)
    notices = faults + Self.notices(entry, record)
    editor = try Self.editor(source, ending, patches: patches, box, in: track)
  }

  private static func editor(
    _ source: FileByteSource, _ checkpoint: @escaping SendableCheckpoint, patches: BytePatches,
    _ box: Box, in track: Movie.Track
  ) throws(ISOBMFFError) -> BoxEditor {
    var editor = try BoxEditor(source, checkpoint: checkpoint)
    try editor.edit { (moov) throws(ISOBMFFError) in
      moov.children[track.childIndex].edit("mdia", "minf", "stbl", "stsd") { stsd in
        for index in stsd.children.indices { configure(&stsd.children[index], box) }
      }
    }
    try editor.patch(patches)
    return editor
  }

  private static func patches(
    _ track: Movie.Track, _ rpus: [DolbyVisionRPU], _ table: SampleTable, _ times: SampleTimes,
    _ source: FileByteSource, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [BytePatches.Patch] {
    let shown = try Array(rpus.indices).sorted(
      by: { times.timesInDecodingOrder[$0] }, interruptible(checkpoint))
    var patches: [BytePatches.Patch] = []
    var places = [Int](repeating: 0, count: shown.count)
    for (place, sample) in shown.enumerated() { places[sample] = place }
    var sample = 0
    for (chunk, index) in table.sampleEntryIndices.enumerated() {
      let entry = track.sampleEntries.indices.contains(index) ? track.sampleEntries[index] : nil
      let (lengthSize, codec) = try format(of: entry)
      let units = SampleUnits(source: source, lengthSize: lengthSize, codec)
      for range in table.ranges(inChunk: chunk, from: sample) {
        try checkpoint()
        patches += try Self.patches(range, units, rpus[places[sample]])
        sample += 1
      }
    }
    return patches
  }

  /// The bytes of the length before each unit of samples with a sample entry, and their codec.
  ///
  /// - Parameter entry: nil where there is none.
  private static func format(of entry: SampleEntry?) throws -> (lengthSize: Int, codec: NALCodec) {
    guard let (payload, codec) = entry?.decoderConfiguration else {
      throw TranscodingError(.unusableInput, "samples have no sample entry with parameter sets")
    }
    do throws(NALUnitError) {
      let size = try DecoderConfiguration(payload, codec).lengthSize
      if let size, size > 1 { return (size, codec) }
    } catch {
      throw TranscodingError(.unusableInput, "\(error)")
    }
    throw TranscodingError(
      .unusableInput,
      "by its box '\(codec.configurationBox)', lengths of units have one byte: RPUs do not fit")
  }

  /// The RPU becomes the last unit of its access unit, before the end of a sequence or the
  /// bitstream alone; others go.
  private static func patches(
    _ sample: Range<UInt64>, _ units: SampleUnits, _ rpu: DolbyVisionRPU
  ) throws -> [BytePatches.Patch] {
    let places = try units.places(in: sample)
    let length = UInt64(units.lengthSize)
    let tail = places.reversed().prefix {
      $0.header.isDolbyVisionRPU || $0.header.endsSequence
    }.reversed()
    let others = places.dropLast(tail.count)
    guard let last = others.last else {
      throw TranscodingError(
        .unusableInput, "the sample at byte \(sample.lowerBound) has no coded picture")
    }
    let dropped = others.filter(\.header.isDolbyVisionRPU).map { place in
      BytePatches.Patch(place.range.lowerBound - length..<place.range.upperBound, with: [])
    }
    let kept = try tail.filter { !$0.header.isDolbyVisionRPU }.map { try units.unit($0.range) }
    let new = ([rpu.nalUnit] + kept).flatMap {
      $0.lengthPrefixed(units.lengthSize)
    }
    // A patch is of bytes that are there: the last one of what stays, and what followed it.
    let end = last.range.upperBound
    let byte = try units.source.read(at: end - 1, count: 1)
    let part = end - 1..<(tail.last?.range.upperBound ?? end)
    return dropped + [.init(part, with: byte + new)]
  }

  /// Notices about what the movie lacks beside RPUs.
  private static func notices(
    _ entry: SampleEntry, _ record: ConfigurationRecord
  ) -> [Notice] {
    var notices: [Notice] = []
    if VideoSampleEntry(entry.format) != .hvc1 { notices.append(.sampleEntryNotHVC1(entry.format)) }
    if record.needsAmbientViewingEnvironment,
      entry.staticHDRMetadata.ambientViewingEnvironment == nil
    {
      notices.append(.ambientLightMissing)
    }
    return notices
  }

  /// True if a sample entry has the configuration, and no other.
  private func isConfigured(_ entry: SampleEntry) -> Bool {
    entry.boxes.filter { SampleEntry.dolbyVisionBoxes.contains($0.type) } == [box]
  }

  /// Writes the configuration into a sample entry.
  private static func configure(_ entry: inout Box, _ box: Box) {
    for type in SampleEntry.dolbyVisionBoxes { entry.remove(type) }
    let before: Set = ["colr", AmbientViewingEnvironment.box]
    entry.set(box, behind: NALCodec.configurationBoxes.union(before))
  }

  /// Reads a result back through FFmpeg's demuxer: the RPU of every frame, and the configuration.
  func verify(_ result: RewrittenMovie) throws -> (fault: Notice?, notices: [Notice]) {
    let written = try readBack(result)
    let found = result.movie.tracks.first { $0.childIndex == track.childIndex }
    if found?.sampleEntries.allSatisfy(isConfigured) != true {
      return (.otherRecord, [])
    }
    let hasRPUs = written.frames.map(\.rpu?.payload) == rpus.map(\.payload)
    return (hasRPUs ? nil : .otherRPUs, [])
  }

  /// The frames of a result; where FFmpeg's demuxer cannot read them, nor those of the input, the
  /// input is to blame.
  private func readBack(_ result: RewrittenMovie) throws -> CodedFrames {
    do {
      return try CodedFrames(path: result.file.path, checkpoint: result.checkpoint)
    } catch let error as TranscodingError where error.kind == .unusableInput {
      _ = try CodedFrames(path: input, checkpoint: result.checkpoint)
      throw TranscodingError(
        .verificationFailed, "\(result.file.destination) cannot be read back, and was not kept")
    }
  }
}

extension RPUFile {
  /// Writes a movie file whose HEVC frames have RPUs. RPUs that were there before are removed, and
  /// the Dolby Vision configuration record is written. Everything else stays as it is.
  ///
  /// - Parameters:
  ///   - rpuFile: the path of the RPUs, as many as there are frames.
  ///   - overwrite: true if a file at `output` is replaced.
  ///   - force: true if RPUs are put in that are not valid, or whose mapping is for video of
  ///     another transfer function, and if an output is tried that does not fit on the disk.
  /// - Returns: notices for the user.
  /// - Throws: ``TranscodingError``, of kind `unusableInput` where the file has not as many
  ///   frames as there are RPUs; `CancellationError` when the task was cancelled.
  public static func inject(
    _ rpuFile: String, into input: String, to output: String, overwrite: Bool = false,
    force: Bool = false
  ) async throws -> [Notice] {
    let rewrite = try MovieRewrite(
      of: input, to: output, overwrite: overwrite, reading: [rpuFile], ignoresFreeSpace: force)
    let rpus = try read(rpuFile)
    return try await rewrite.run("inject", purpose: ", which RPUs could be put into") {
      movie, source, checkpoint in
      try RPUInjection(
        rpus, into: input, movie: movie, source: source, force: force, checkpoint)
    }
  }
}
