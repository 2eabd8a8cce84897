// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import Bitstreams
public import CodePoints
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import LibAV
internal import NALUnits

extension MovieChange {
  /// Prepares the changes to samples and boxes that put RPUs into a movie's frames, without writing
  /// anything.
  ///
  /// - Parameters:
  ///   - rpus: the payloads of the RPUs, in the order of presentation.
  ///   - input: the path of the movie.
  ///   - force: whether to accept RPUs that are not valid or do not suit the movie's frames.
  fileprivate init(
    _ rpus: [[UInt8]], into input: String, movie: Movie, source: FileByteSource, force: Bool,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    guard !movie.isFragmented else { throw ISOBMFFError.fragmented }
    let number = try MediaAsset(opening: input).videoTrack?.demuxed.id
    guard
      let track = movie.pictureTracks.first(where: { $0.header.trackID.map(Int.init) == number }),
      let entry = track.sampleEntries.first,
      track.sampleEntries.allSatisfy({
        $0.configuration?.bitstream.dolbyVisionProfile != nil && !$0.isEncrypted
      })
    else {
      throw TranscodingError(
        .unusableInput,
        "RPUs can only be put into unencrypted HEVC or AV1, which this file does not have")
    }
    let ending = interruptible(checkpoint)
    let table = try SampleTable(track, checkpoint: ending)
    guard let times = try SampleTimes(track, checkpoint: ending) else {
      throw TranscodingError(.unusableInput, "its video has no samples")
    }
    // RPUs and frames are paired by their order alone, so one missing RPU would shift all the
    // others.
    guard table.count == rpus.count, times.timesInDecodingOrder.count == rpus.count else {
      throw TranscodingError(
        .unusableInput,
        "the file has \(table.count.counted("frame")) but there \(rpus.count == 1 ? "is" : "are") "
          + "\(rpus.count.counted("RPU"))",
        code: .otherRPUCount,
        arguments: ["frameCount": "\(table.count)", "rpuCount": "\(rpus.count)"])
    }
    guard let statements = try VideoStatements(track, source: source) else {
      throw TranscodingError(.unusableInput, "its parameter sets cannot be read")
    }
    let checks = try track.configurationChecks(source).map { $0?.ifWrong }
    let (record, faults, dropsLayer) =
      try Self.configuration(track, entry, rpus, times, statements)
    if let fault = faults.first, !force {
      throw TranscodingError(
        .unusableInput, fault.text, code: .unfitRPUs, arguments: fault.arguments)
    }
    let parts = try Self.patches(
      track, rpus, table, times, source, keepsLayer: record.hasLayer, checkpoint)
    let brands = movie.isQuickTime ? [] : Self.brands(of: track, record)
    let addition = try TopLevelBoxes(source).patch(adding: brands, to: source)
    let patches = try BytePatches(parts + [addition].compactMap { $0 }, checkpoint: ending)
    self.init(
      editor: try Self.editor(source, ending, patches: patches, record, checks, in: track),
      patches: patches,
      notices: faults + Self.notices(entry, record) + checks.flatMap { $0?.notices ?? [] }
        + (dropsLayer ? [.enhancementLayerDropped(.unused)] : []),
      verify: { (try Self.fault(in: $0, track, rpus, record, of: input), []) })
  }

  private static func editor(
    _ source: FileByteSource, _ checkpoint: @escaping SendableCheckpoint, patches: BytePatches,
    _ record: ConfigurationRecord, _ checks: [ConfigurationCheck?], in track: Movie.Track
  ) throws(ISOBMFFError) -> BoxEditor {
    var editor = try BoxEditor(source, checkpoint: checkpoint)
    try editor.edit { (moov) throws(ISOBMFFError) in
      moov.children[track.childIndex].edit("mdia", "minf", "stbl", "stsd") { stsd in
        for (index, check) in zip(stsd.children.indices, checks) {
          check?.correct(&stsd.children[index])
        }
        for index in stsd.children.indices { stsd.children[index].setDolbyVision(record) }
      }
    }
    try editor.patch(patches)
    return editor
  }

  /// Returns the brands that a file has to declare once its sample entries have the configuration.
  private static func brands(
    of track: Movie.Track, _ record: ConfigurationRecord
  ) -> [FourCC] {
    (track.box.first("mdia", "minf", "stbl", "stsd")?.children ?? []).flatMap { entry in
      var entry = entry
      entry.setDolbyVision(record)
      return SampleEntry(entry).dolbyVisionBrands
    }
  }

  private static func patches(
    _ track: Movie.Track, _ rpus: [[UInt8]], _ table: SampleTable, _ times: SampleTimes,
    _ source: FileByteSource, keepsLayer: Bool, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [BytePatches.Patch] {
    // RPUs come in the order of presentation, and samples come in the order of decoding.
    let shown = try Array(rpus.indices).sorted(
      by: { times.timesInDecodingOrder[$0] }, interruptible(checkpoint))
    var patches: [BytePatches.Patch] = []
    var places = [Int](repeating: 0, count: shown.count)
    for (place, sample) in shown.enumerated() { places[sample] = place }
    var sample = 0
    for (chunk, index) in table.sampleEntryIndices.enumerated() {
      let entry = track.sampleEntries.indices.contains(index) ? track.sampleEntries[index] : nil
      let units = try Self.units(of: entry, source)
      for range in table.ranges(inChunk: chunk, from: sample) {
        try checkpoint()
        let rpu = rpus[places[sample]]
        patches +=
          try units.map { try Self.patches(range, $0, rpu, keepsLayer: keepsLayer) }
          ?? av1Patches(range, entry, source, rpu)
        sample += 1
      }
    }
    return patches
  }

  /// Returns a reader for the NAL units of an entry's samples, or `nil` if the samples do not
  /// consist of NAL units.
  private static func units(
    of entry: SampleEntry?, _ source: FileByteSource
  ) throws -> SampleUnits? {
    guard let (payload, codec) = entry?.decoderConfiguration else {
      if entry?.configuration != nil { return nil }
      throw TranscodingError(.unusableInput, "samples have no sample entry with parameter sets")
    }
    do throws(NALUnitError) {
      let size = try DecoderConfiguration(payload, codec).lengthSize
      // An RPU has about 300 bytes, but a length field of one byte ends at 255.
      if let size, size > 1 {
        return SampleUnits(source: source, lengthSize: size, codec)
      }
    } catch {
      throw TranscodingError(.unusableInput, "\(error)")
    }
    throw TranscodingError(
      .unusableInput,
      "its '\(codec.configurationBox)' box allows one byte for the length of a NAL unit, but an "
        + "RPU needs two")
  }

  /// Returns the patches that put the RPU at the end of a sample and remove other RPUs.
  ///
  /// - Parameter keepsLayer: whether units of an enhancement layer stay.
  private static func patches(
    _ sample: Range<UInt64>, _ units: SampleUnits, _ rpu: [UInt8], keepsLayer: Bool
  ) throws -> [BytePatches.Patch] {
    func isDropped(_ unit: NALUnit) -> Bool {
      unit.isDolbyVisionRPU || !keepsLayer && unit.isDolbyVisionEnhancementLayer
    }
    // FFmpeg before version 9 looks for the RPU only at the end of its access unit, so only units
    // that end a sequence or the bitstream may come after it (H.265, 7.4.2.4.4).
    let places = try units.places(in: sample)
    let length = UInt64(units.lengthSize)
    let tail = places.reversed().prefix {
      isDropped($0.header) || $0.header.endsSequence
    }.reversed()
    let others = places.dropLast(tail.count)
    guard let last = others.last else {
      throw TranscodingError(
        .unusableInput, "the sample at byte \(sample.lowerBound) has no coded frame")
    }
    let dropped = others.filter { isDropped($0.header) }.map { place in
      BytePatches.Patch(place.range.lowerBound - length..<place.range.upperBound, with: [])
    }
    let kept = try tail.filter { !isDropped($0.header) }.map { try units.unit($0.range) }
    let new = ([NALUnit(dolbyVisionRPU: rpu)] + kept).flatMap {
      $0.lengthPrefixed(units.lengthSize)
    }
    // A patch has to replace existing bytes. So it covers the last byte that stays, and the units
    // that followed it.
    let end = last.range.upperBound
    let byte = try units.source.read(at: end - 1, count: 1)
    let part = end - 1..<(tail.last?.range.upperBound ?? end)
    return dropped + [.init(part, with: byte + new)]
  }

  /// Returns notices about other things that the movie lacks for Dolby Vision.
  private static func notices(
    _ entry: SampleEntry, _ record: ConfigurationRecord
  ) -> [Notice] {
    var notices: [Notice] = []
    if let type = VideoSampleEntry(entry.format), type != .hvc1 {
      notices.append(.sampleEntryNotHVC1(entry.format))
    }
    if record.needsAmbientViewingEnvironment,
      entry.staticHDRMetadata.ambientViewingEnvironment == nil
    {
      notices.append(.ambientLightMissing)
    }
    return notices
  }

  /// Reads the result back: the RPU of every frame, and the configuration. Returns the first thing
  /// that is not as promised, or `nil`.
  private static func fault(
    in result: RewrittenMovie, _ track: Movie.Track, _ rpus: [[UInt8]],
    _ record: ConfigurationRecord, of input: String
  ) throws -> Notice? {
    // Read with FFmpeg's demuxer, so that a mistake in our own sample tables is noticed.
    let written = try readBack(result, track, of: input)
    let found = result.movie.tracks.first { $0.childIndex == track.childIndex }
    let isConfigured = found?.sampleEntries.allSatisfy { entry in
      entry.boxes.filter { SampleEntry.dolbyVisionBoxes.contains($0.type) } == [record.boxed]
    }
    guard isConfigured == true else { return .otherRecord }
    return written.frames.lazy.map(\.rpu?.payload).elementsEqual(rpus) ? nil : .otherRPUs
  }

  /// Reads the coded frames of a result.
  private static func readBack(
    _ result: RewrittenMovie, _ track: Movie.Track, of input: String
  ) throws -> CodedFrames {
    do {
      return try CodedFrames(
        path: result.file.path, track: track.header.trackID.map(Int.init),
        checkpoint: result.checkpoint)
    } catch let error as TranscodingError where error.kind == .unusableInput {
      // If FFmpeg cannot read the input either, the next line throws an error that names the input.
      _ = try CodedFrames(path: input, checkpoint: result.checkpoint)
      throw TranscodingError(
        .verificationFailed, "\(result.file.destination) cannot be read back, and was not kept")
    }
  }
}

extension Box {
  /// Gives the sample entry a Dolby Vision configuration in place of its old one.
  mutating func setDolbyVision(_ record: ConfigurationRecord) {
    // The profile decides between `dvcC`, `dvvC` and `dvwC`, so an old box may have another type.
    // If it were not removed, it would stay next to the new one and contradict it.
    for type in SampleEntry.dolbyVisionBoxes { remove(type) }
    if !record.hasLayer { remove(DolbyVisionRPU.layerBox) }
    // Write the box after `colr` and `amve`, as iPhones do.
    let before: Set = ["colr", AmbientViewingEnvironment.box]
    set(record.boxed, behind: SampleEntry.configurationBoxes.union(before))
  }
}

extension ConfigurationRecord {
  fileprivate var boxed: Box { Box(box, fields: payload) }

  /// Whether the profile has an enhancement layer.
  var hasLayer: Bool { [4, 7].contains(profile) }
}

extension RPUFile {
  /// Writes a movie file with RPUs in its HEVC or AV1 frames, and with the Dolby Vision
  /// configuration record and brands that they need. Old RPUs are removed, and so is an enhancement
  /// layer that the new RPUs do not use. A wrong codec configuration is corrected. Everything else
  /// is unchanged.
  ///
  /// - Parameters:
  ///   - rpuFile: the path of a file with one RPU for each frame.
  ///   - input: the path of the movie file.
  ///   - output: the path to write.
  ///   - overwrite: whether to replace a file at `output`.
  ///   - force: whether to accept RPUs that are not valid or are for another transfer function, and
  ///     to try an output that does not fit on the disk.
  /// - Returns: notices for the user.
  /// - Throws: ``TranscodingError``, of kind `unusableInput` if the numbers of frames and RPUs
  ///   differ; `CancellationError` if the task was cancelled.
  public static func inject(
    _ rpuFile: String, into input: String, to output: String, overwrite: Bool = false,
    force: Bool = false
  ) async throws -> [Notice] {
    let rewrite = try MovieRewrite(
      of: input, to: output, overwrite: overwrite, reading: [rpuFile], ignoresFreeSpace: force)
    let rpus = try read(rpuFile)
    return try await rewrite.run("inject", purpose: ": copy it to .mp4 or .mov first") {
      movie, source, checkpoint in
      try MovieChange(
        rpus, into: input, movie: movie, source: source, force: force, checkpoint)
    }
  }
}
