// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Changes to a movie file: to some of its boxes and to parts of its samples.
struct MovieChange {
  /// Writes the file with the changes.
  let editor: BoxEditor
  /// The parts of samples that change.
  let patches: BytePatches
  /// Notices for the user.
  let notices: [Notice]
  /// Checks that a file has the changes. Its samples have already been compared with the source's.
  /// `fault` is the first thing that is not as promised, if any. `notices` are for the user.
  let verify: (RewrittenMovie) throws -> (fault: Notice?, notices: [Notice])
}

/// A written movie file, opened again so that it can be checked.
struct RewrittenMovie {
  let movie: Movie
  let source: FileByteSource
  let file: UnfinishedFile
  let checkpoint: Pipeline.Checkpoint
}

/// Applies a ``MovieChange`` to a movie file. Writes the changed file, checks it, and publishes it.
struct MovieRewrite: Sendable {
  private let input: String
  private let file: UnfinishedFile
  /// The input, if the output replaces it.
  private let replaced: ReplacedFile?

  /// Prepares the changes of a movie.
  typealias Preparation =
    @Sendable (Movie, FileByteSource, @escaping Pipeline.Checkpoint) throws -> MovieChange

  /// Reserves a place for the output.
  ///
  /// - Parameters:
  ///   - overwrite: whether to replace a file at `output`.
  ///   - replacesInput: whether that file may be the input.
  ///   - others: other files that are read.
  ///   - ignoresFreeSpace: whether to try an output that does not fit on the disk.
  /// - Throws: ``TranscodingError`` if the input cannot be read or the output cannot be written.
  init(
    of input: String, to output: String, overwrite: Bool, replacesInput: Bool = false,
    reading others: [String] = [], ignoresFreeSpace: Bool
  ) throws {
    self.input = input
    try TranscodingError.refuseUnusable(input: input)
    try Self.checkName(output, of: input)
    replaced = overwrite && replacesInput ? ReplacedFile(input, by: output) : nil
    try replaced?.check()
    file = try UnfinishedFile(
      destination: output, overwrite: overwrite,
      in: replaced == nil
        ? RunFiles(reading: input, others) : .changing(input, reading: others))
    // The output is a complete new file, even if it replaces the input, so for a while the disk
    // holds both.
    if !ignoresFreeSpace { try SpaceShortage.refuse(PosixPath.size(of: input), for: output) }
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - name: the name of the thread that does the work.
  ///   - purpose: how the error message ends if the input is not a movie file.
  ///   - change: prepares the changes.
  /// - Returns: notices for the user.
  /// - Throws: ``TranscodingError``; `CancellationError` if the task was cancelled.
  func run(
    _ name: String, purpose: String, _ change: @escaping Preparation
  ) async throws -> [Notice] {
    defer { file.discard() }
    return try await Pipeline.onThread(name) { checkpoint in
      let version = SourceVersion(path: input)
      func work() throws -> [Notice] { try rewrite(version, purpose, change, checkpoint) }
      do {
        // If the output replaces the input, `ReplacedFile` checks whether somebody else changed the
        // input in the meantime.
        return try replaced == nil ? version.unchanged(during: work) : work()
      } catch {
        throw TranscodingError.meaning(of: error, input: input)
      }
    }
  }

  private func rewrite(
    _ version: SourceVersion, _ purpose: String, _ change: Preparation,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Notice] {
    let source = try FileByteSource(path: input)
    source.startPrefetch()
    guard let movie = try MediaAsset.movie(source) else {
      throw TranscodingError(.unusableInput, "\(input) is not a movie file (MOV, MP4)\(purpose)")
    }
    if let missing = movie.missingData {
      throw TranscodingError(
        .unusableInput, "\(input) is cut off: \(missing); get a complete copy of it")
    }
    try refuseVideoThatOutputCannotHold()
    let change = try change(movie, source, checkpoint)
    // Without a change there is no reason to replace the input.
    if replaced != nil, !change.editor.isChanged { return change.notices }
    let notices = try write(change, movie, source, checkpoint)
    // Somebody might have written to the input while it was copied. The output would then be a
    // mixture of two versions.
    if replaced == nil, version.hasChanged { throw version.changeError() }
    try file.publish()
    return change.notices + notices
  }

  /// Writes and checks the file.
  ///
  /// - Returns: notices about the result, and about attributes of the input that could not be kept.
  private func write(
    _ change: MovieChange, _ movie: Movie, _ source: FileByteSource,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Notice] {
    var sink = try FileByteSink(file, source: JoinedByteSource(source), checkpoint: checkpoint)
    // Boxes stay in place, because a tag that is changed and changed back must give the same file
    // again.
    try change.editor.write(to: &sink, movieFirst: false)
    // The disk can write while the result is checked.
    sink.startWriteback()
    let output = try FileByteSource(path: file.path)
    let result = RewrittenMovie(
      movie: try Movie(output), source: output, file: file, checkpoint: checkpoint)
    if let fault = try result.sampleFault(movie, source, change.patches) {
      throw try file.keptError([fault])
    }
    let (fault, notices) = try change.verify(result)
    if let fault { throw try file.keptError([fault]) }
    try sink.close()
    try checkpoint()
    let lost = try replaced?.giveAttributes(to: file.path) ?? []
    try replaced?.checkUnchanged()
    return notices + lost
  }

  /// File name extensions that readers treat alike.
  private static let family = ["mov", "qt", "mp4", "m4v", "3gp", "3g2", "m4a"]

  /// Throws if the output's name has the extension of a container other than the input's.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  private static func checkName(_ output: String, of input: String) throws {
    // The container never changes here, so a name with another extension would be wrong.
    let (old, new) = (suffix(input), suffix(output))
    guard new == old || family.contains(new) || (new.isEmpty && family.contains(old)) else {
      throw TranscodingError(
        .invalidSettings,
        "\(output): the container cannot change here; use the extension "
          + ".\(old.isEmpty ? "mov" : old)")
    }
  }

  /// Throws if the output's name stands for another kind of movie than the input's, and such movies
  /// cannot store the input's video.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput`.
  private func refuseVideoThatOutputCannotHold() throws {
    let suffixes = (old: Self.suffix(input), new: Self.suffix(file.destination))
    guard let type = FileType(pathExtension: suffixes.new), !type.hasPathExtension(suffixes.old)
    else { return }
    // Boxes can be changed even if FFmpeg cannot read the file.
    guard let asset = try? MediaAsset(opening: input, probing: false) else { return }
    for track in asset.tracks where track.mediaType == .video {
      let codec = track.demuxed.codec.codecName
      let others = type.others.filter { $0.isMovie && $0.holds(codec: codec) }
      // If no kind of movie can store the codec, no other name would be better.
      guard !type.holds(codec: codec), !others.isEmpty else { continue }
      throw TranscodingError(
        .unusableInput, "\(track.refusal(in: type)); write \(FileType.names(of: others))")
    }
  }

  private static func suffix(_ path: String) -> String {
    PosixPath.name(of: path).split(separator: ".").dropFirst().last?.lowercased() ?? ""
  }
}
