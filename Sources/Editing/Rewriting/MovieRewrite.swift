// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF

/// Changes of a movie file: some of its boxes, and parts of its samples.
protocol MovieChange {
  /// The file with the changes.
  var editor: BoxEditor { get }
  /// Parts of samples that change.
  var patches: BytePatches { get }
  /// Notices for the user.
  var notices: [Notice] { get }

  /// Checks that a file has the changes. Its other samples are known to be as they were.
  ///
  /// - Returns: the first thing that is not as promised, nil if all is; and other notices for the
  ///   user.
  func verify(_ result: RewrittenMovie) throws -> (fault: Notice?, notices: [Notice])
}

/// A movie file as it was written, read back.
struct RewrittenMovie {
  let movie: Movie
  let source: FileByteSource
  let file: UnfinishedFile
  let checkpoint: Pipeline.Checkpoint
}

/// Writes a movie file that differs from another by a ``MovieChange`` alone: opened, patched,
/// verified, published.
struct MovieRewrite: Sendable {
  private let input: String
  private let file: UnfinishedFile
  /// The input, where the output takes its place.
  private let replaced: ReplacedFile?

  /// Prepares the changes of a movie.
  typealias Preparation =
    @Sendable (Movie, FileByteSource, @escaping Pipeline.Checkpoint) throws -> any MovieChange

  /// Reserves a place for the output.
  ///
  /// - Parameters:
  ///   - overwrite: true if a file at `output` is replaced.
  ///   - replacesInput: true if that may be the input.
  ///   - others: files beside the input that are read.
  ///   - ignoresFreeSpace: true to try an output that does not fit on the disk.
  /// - Throws: ``TranscodingError`` where the input cannot be read or the output not be written.
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
    if !ignoresFreeSpace { try SpaceShortage.refuse(PosixPath.size(of: input), for: output) }
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - name: of the thread that does it.
  ///   - purpose: the end of the error that says that the input is no movie file.
  ///   - change: prepares the changes.
  /// - Returns: notices for the user.
  /// - Throws: ``TranscodingError``; `CancellationError` when the task was cancelled.
  func run(
    _ name: String, purpose: String, _ change: @escaping Preparation
  ) async throws -> [Notice] {
    defer { file.discard() }
    return try await Pipeline.onThread(name) { checkpoint in
      let version = SourceVersion(path: input)
      func work() throws -> [Notice] { try rewrite(version, purpose, change, checkpoint) }
      do {
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
      throw TranscodingError(.unusableInput, "\(input) is no movie file (MOV, MP4)\(purpose)")
    }
    if let missing = movie.missingData {
      throw TranscodingError(
        .unusableInput, "\(input) is cut off: \(missing): get a whole copy of it")
    }
    let change = try change(movie, source, checkpoint)
    // Without a change, the input need not be replaced.
    if replaced != nil, !change.editor.isChanged { return change.notices }
    let notices = try write(change, movie, source, checkpoint)
    if replaced == nil, version.hasChanged { throw version.changeError() }
    try file.publish()
    return change.notices + notices
  }

  /// - Returns: notices about the result, and about what could not be kept of the input.
  private func write(
    _ change: any MovieChange, _ movie: Movie, _ source: FileByteSource,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Notice] {
    var sink = try FileByteSink(file, source: JoinedByteSource(source), checkpoint: checkpoint)
    try change.editor.write(to: &sink, layout: .inPlace)
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

  /// The ends of names that readers take for each other.
  private static let family = ["mov", "qt", "mp4", "m4v", "3gp", "3g2", "m4a"]

  /// Checks the name of a movie that is made of another without a change of its container.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where the name is that of another
  ///   kind of file than the input.
  private static func checkName(_ output: String, of input: String) throws {
    let (old, new) = (suffix(input), suffix(output))
    guard new == old || family.contains(new) || (new.isEmpty && family.contains(old)) else {
      throw TranscodingError(
        .invalidSettings,
        "\(output): the container stays as it is; name it .\(old.isEmpty ? "mov" : old)")
    }
  }

  private static func suffix(_ path: String) -> String {
    PosixPath.name(of: path).split(separator: ".").dropFirst().last?.lowercased() ?? ""
  }
}
