internal import Assets
public import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV

/// Changes what a movie file says of its pictures, in its boxes and in its bitstream, and leaves
/// every coded picture as it is.
public struct Retagger: Sendable {
  private let changes: TagChanges

  /// A retagger.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where nothing is to be changed.
  public init(_ changes: TagChanges) throws {
    guard !changes.isEmpty else {
      throw TranscodingError(
        .invalidSettings, "say what to change", code: .nothingToChange)
    }
    if let fault = changes.metadataFault { throw fault }
    let tags = ["hvc1", "hev1", "avc1", "avc3"]
    if let tag = changes.codecTag, !tags.contains(tag) {
      throw TranscodingError(
        .invalidSettings,
        "a codec tag has no value '\(tag)': \(tags.joined(separator: ", "))",
        code: .unknownCodecTag,
        arguments: ["codecTag": tag, "values": tags.joined(separator: ", ")])
    }
    self.changes = changes
  }

  /// Writes a file with other tags.
  ///
  /// - Parameters:
  ///   - overwrite: whether a file at `output`, which may be the input, is replaced.
  ///   - ignoresFreeSpace: whether to try what does not fit on the disk.
  /// - Returns: what the user should know.
  /// - Throws: ``TranscodingError``; `CancellationError` when the task was cancelled.
  public func retag(
    _ input: String, to output: String, overwrite: Bool = false, ignoresFreeSpace: Bool = false
  ) async throws -> [Notice] {
    try InputFile.check(input)
    try MovieName.check(output, of: input)
    let replaced = overwrite ? ReplacedFile(input, by: output) : nil
    try replaced?.check()
    let file = try UnfinishedFile(
      destination: output, overwrite: overwrite, protecting: replaced == nil ? [input] : [],
      isAlone: replaced != nil)
    defer { file.discard() }
    if !ignoresFreeSpace { try FreeSpace.check(PosixPath.size(of: input), for: output) }
    return try await Pipeline.onThread("retag") { checkpoint in
      let version = SourceVersion(path: input)
      func work() throws -> [Notice] {
        try retag(input, to: file, replacing: replaced, version, checkpoint)
      }
      do {
        return try replaced == nil ? version.unchanged(during: work) : work()
      } catch {
        throw TranscodingError.meaning(of: error, input: input)
      }
    }
  }

  private func retag(
    _ input: String, to file: UnfinishedFile, replacing replaced: ReplacedFile?,
    _ version: SourceVersion, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Notice] {
    let source = try FileByteSource(path: input)
    source.startPrefetch()
    guard let movie = try MediaAsset.movie(source) else {
      throw TranscodingError(
        .unusableInput,
        "\(input) is no movie file (MOV, MP4): tags of other files are changed by transcoding")
    }
    let retagging = try MovieRetagging(
      changes, path: input, movie: movie, source: source, checkpoint: checkpoint)
    var notices = retagging.notices
    if !retagging.editor.isChanged {
      notices.append(.nothingChanged)
      if replaced != nil { return notices }
    }
    var sink = try FileByteSink(file, source: source, checkpoint: checkpoint)
    try retagging.editor.write(to: &sink, layout: .inPlace)
    sink.startWriteback()
    notices += try verify(
      file,
      SampleComparison(source: source, patches: retagging.patches, checkpoint: checkpoint), movie)
    try sink.close()
    try checkpoint()
    notices += try replaced?.giveAttributes(to: file.hiddenName()) ?? []
    try replaced?.checkUnchanged()
    if replaced == nil, version.hasChanged { throw version.changeError() }
    try file.publish()
    return notices
  }

  private func verify(
    _ file: UnfinishedFile, _ samples: SampleComparison, _ movie: Movie
  ) throws -> [Notice] {
    let output = try FileByteSource(path: file.path)
    let written = try Movie(output)
    let verifier = RetagVerifier(changes: changes)
    var fault = try samples.fault(in: written, output, source: movie)
    var notices: [Notice] = []
    let pictures = DecodedTracks { try MediaAsset(opening: file.path, probing: false) }
    for track in written.pictureTracks {
      try samples.checkpoint()
      let known = try RetaggedTrack(track, source: output, pictures: pictures)
      fault = fault ?? verifier.fault(in: known)
      notices += verifier.notices(on: known).filter { !notices.contains($0) }
    }
    guard let fault else { return notices }
    throw try file.keptError([fault])
  }
}
