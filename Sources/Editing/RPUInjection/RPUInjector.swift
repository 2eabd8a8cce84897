internal import Assets
internal import Bitstreams
public import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import NALUnits

/// Puts Dolby Vision RPUs into the HEVC pictures of a movie file, without encoding.
public enum RPUInjector {
  /// Writes a movie file whose pictures have RPUs. Everything else stays as it is, but for RPUs
  /// that were there before, which go, and the Dolby Vision configuration, which is written.
  ///
  /// - Parameters:
  ///   - rpuFile: the RPUs in the order of presentation, as ``RPUExtractor`` writes them.
  ///   - overwrite: whether a file at `output` is replaced.
  ///   - force: whether RPUs are put in that are not valid, or whose mapping is for pictures of
  ///     another transfer function, and whether what does not fit on the disk is tried.
  /// - Returns: what the user should know.
  /// - Throws: ``TranscodingError``, of kind `unusableInput` where the file has not as many
  ///   pictures as there are RPUs; `CancellationError` when the task was cancelled.
  public static func inject(
    _ rpuFile: String, into input: String, to output: String, overwrite: Bool = false,
    force: Bool = false
  ) async throws -> [Notice] {
    try InputFile.check(input)
    try MovieName.check(output, of: input)
    let file = try UnfinishedFile(
      destination: output, overwrite: overwrite, protecting: [input, rpuFile])
    defer { file.discard() }
    if !force { try FreeSpace.check(PosixPath.size(of: input), for: output) }
    let rpus = try RPUFile.read(rpuFile)
    return try await Pipeline.onThread("inject") { checkpoint in
      let version = SourceVersion(path: input)
      do {
        return try version.unchanged {
          try inject(rpus, into: input, to: file, force: force, version, checkpoint)
        }
      } catch {
        throw TranscodingError.meaning(of: error, input: input)
      }
    }
  }

  private static func inject(
    _ rpus: [[UInt8]], into input: String, to file: UnfinishedFile,
    force: Bool, _ version: SourceVersion, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Notice] {
    let source = try FileByteSource(path: input)
    guard let movie = try MediaAsset.movie(source) else {
      throw TranscodingError(
        .unusableInput, "\(input) is no movie file (MOV, MP4), which RPUs could be put into")
    }
    let injection = try RPUInjection(
      rpus, movie: movie, source: source, force: force, checkpoint)
    var editor = try BoxEditor(source, checkpoint: interruptible(checkpoint))
    try editor.edit { (moov) throws(ISOBMFFError) in
      moov.children[injection.track.childIndex].edit("mdia", "minf", "stbl", "stsd") { stsd in
        for index in stsd.children.indices { injection.configure(&stsd.children[index]) }
      }
    }
    try editor.patch(injection.patches)
    var sink = try FileByteSink(file, source: source, checkpoint: checkpoint)
    try editor.write(to: &sink, layout: .inPlace)
    sink.startWriteback()
    try verify(file, of: input, injection, source, movie, checkpoint)
    try sink.close()
    try checkpoint()
    if version.hasChanged { throw version.changeError() }
    try file.publish()
    return injection.notices
  }

  /// The pictures of the result; where FFmpeg's demuxer cannot read them, nor those of the input,
  /// the input is to blame.
  private static func readBack(
    _ file: UnfinishedFile, _ input: String, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> CodedFrames {
    do {
      return try CodedFrames(path: file.path, checkpoint: checkpoint)
    } catch let error as TranscodingError where error.kind == .unusableInput {
      _ = try CodedFrames(path: input, checkpoint: checkpoint)
      throw TranscodingError(
        .verificationFailed, "\(file.destination) cannot be read back, and was not kept")
    }
  }

  /// Reads the file back: every sample byte by byte, and through FFmpeg's demuxer the RPU of every
  /// picture and the configuration.
  private static func verify(
    _ file: UnfinishedFile, of input: String, _ injection: RPUInjection, _ source: FileByteSource,
    _ movie: Movie, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    let output = try FileByteSource(path: file.path)
    let result = try Movie(output)
    var fault = try SampleComparison(
      source: source, patches: injection.patches, checkpoint: checkpoint
    ).fault(in: result, output, source: movie)
    let written = try readBack(file, input, checkpoint)
    if written.frames.map(\.rpu) != injection.rpus { fault = .otherRPUs }
    let track = result.tracks.first { $0.childIndex == injection.track.childIndex }
    if track?.sampleEntries.allSatisfy(injection.isConfigured) != true {
      fault = .otherRecord
    }
    guard let fault else { return }
    throw try file.keptError([fault])
  }
}
