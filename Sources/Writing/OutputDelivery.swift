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
  /// The way from the finished movie to what is delivered.
  package var packaging: any Packaging
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
    packaging = container.way
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
    if verification != .none, sourceError == nil { try verify(tracks, checkpoint) }
    let packed = try packaging.pack(tracks, for: self, checkpoint: checkpoint)
    if let sourceError {
      throw try file.keptAsFailed(
        sourceError.kind, "\(sourceError.message); what was made of it")
    }
    try checkpoint()
    try UnfinishedFile.publish(packed.others + [file])
    return packed.damagedCount
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
