// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Bitstreams
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
package import Planning

/// The last steps of an output: boxes are finished, the file is verified, and gets its name.
package struct OutputDelivery: Sendable {
  package let file: UnfinishedFile
  /// The kind of movie that is written.
  package let movieType: FileType
  /// The kind of file that is made of the movie; often the movie's own.
  package let container: FileType
  package let movieTimescale: Int32
  /// The dates and names that are carried over; nil for none.
  package let metadata: CarriedMetadata?
  /// The tracks beside those that are written.
  package var carried = CarriedTracks.none
  /// The path of the source; nil where there is none.
  package var sourcePath: String?
  /// Things that a Matroska file takes from the source; nil where there is none.
  package var matroskaSource: MatroskaSource?
  /// The kinds of media of which the source has a track that players show by themselves.
  package var enabledKinds: Set<FourCC> = []
  package let verification: TranscodeOptions.VerificationLevel
  /// Promise about the output's frames; nil where nothing was promised.
  package let promise: OutputPromise?

  package init(
    file: UnfinishedFile, movieType: FileType, container: FileType, movieTimescale: Int32,
    metadata: CarriedMetadata?, verification: TranscodeOptions.VerificationLevel,
    promise: OutputPromise?
  ) {
    self.file = file
    self.movieType = movieType
    self.container = container
    self.movieTimescale = movieTimescale
    self.metadata = metadata
    self.verification = verification
    self.promise = promise
  }

  /// Takes the steps.
  ///
  /// - Returns: the number of damaged texts that were left out.
  /// - Parameter sourceError: the reason for which the output lacks something of the source; it is
  ///   then kept under another name, too.
  /// - Throws: ``TranscodingError`` of kind `verificationFailed` where the file is not what was
  ///   promised; it is then kept under another name.
  @discardableResult
  package func deliver(
    _ tracks: [WrittenTrack], sourceError: TranscodingError? = nil,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> Int {
    let finisher = MovieFinisher(
      container: movieType, movieTimescale: movieTimescale, tracks: tracks,
      metadata: metadata, carried: carried, sourcePath: sourcePath, enabledKinds: enabledKinds)
    try finisher.finish(file, checkpoint: checkpoint)
    let isMovie = container.isMovie
    if isMovie { file.discardSamples() }
    if verification != .none, sourceError == nil { try verify(tracks, checkpoint) }
    let damagedCount = isMovie ? 0 : try makeMatroska(tracks, checkpoint)
    if let sourceError {
      throw try file.keptAsFailed(
        sourceError.kind, "\(sourceError.message); what was made of it")
    }
    try checkpoint()
    try file.publish()
    return damagedCount
  }

  /// Makes a Matroska file of the finished movie, which it takes the place of.
  private func makeMatroska(
    _ tracks: [WrittenTrack], _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> Int {
    let matroska = try MatroskaFile(
      of: file.path, written: tracks, source: matroskaSource,
      keepsMetadata: metadata != nil)
    let damagedCount: Int
    do {
      damagedCount = try matroska.write(to: file.samplesPath, checkpoint: checkpoint)
    } catch {
      throw TranscodingError.meaning(of: error, output: file.destination)
    }
    file.exchange()
    // The movie is there until it has been compared.
    defer { file.discardSamples() }
    guard verification != .none else { return damagedCount }
    let faults = try matroska.faults(of: file.path, checkpoint: checkpoint)
    guard faults.isEmpty else { throw try file.keptError(faults) }
    return damagedCount
  }

  private func verify(
    _ tracks: [WrittenTrack], _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    let verifier = OutputVerifier(
      path: file.path, tracks: tracks, carried: carried, sourcePath: sourcePath, promise: promise,
      decodesAll: verification == .decode)
    let faults: [Notice]
    do {
      faults = try verifier.faults(checkpoint: checkpoint)
    } catch let error as TranscodingError where error.kind == .inputOutput {
      throw try file.keptAsFailed(
        .inputOutput, "\(file.destination) cannot be read back: \(error.message); it")
    }
    guard faults.isEmpty else { throw try file.keptError(faults) }
  }
}
