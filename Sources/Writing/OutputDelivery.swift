// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Bitstreams
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore
package import Planning

/// Completes an output: finishes its boxes, verifies the file, and gives the file its name.
package struct OutputDelivery: Sendable {
  package let file: UnfinishedFile
  /// The type of the movie that is written.
  package let movieType: FileType
  /// The type of the file that is made from the movie, often the same as the movie's type.
  package let container: FileType
  package let movieTimescale: Int32
  /// The dates and names to carry over, or `nil` for none.
  package let metadata: CarriedMetadata?
  /// The tracks that the output gets in addition to the written ones.
  package var carried = CarriedTracks.none
  /// The path of the source, if there is one.
  package var sourcePath: String?
  /// Data that a Matroska file takes directly from the source, or `nil` if there is no source.
  package var matroskaSource: MatroskaSource?
  /// The kinds of media (`vide`, `soun`) of which the source has an enabled track. Players show
  /// enabled tracks by default.
  package var enabledKinds: Set<FourCC> = []
  /// The way to make the delivered file from the finished movie.
  package var packaging: any Packaging
  package let verification: TranscodeOptions.VerificationLevel
  /// What was promised about the output's frames.
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

  /// Delivers the output.
  ///
  /// - Parameter sourceError: why the output lacks a part of the source, or `nil` if the output is
  ///   complete. An incomplete output is kept under another name, and an error is thrown.
  /// - Returns: the number of damaged subtitles that were left out.
  /// - Throws: ``TranscodingError`` of kind `verificationFailed` if the file is not what was
  ///   promised. It is then kept under another name.
  @discardableResult
  package func deliver(
    _ tracks: [WrittenTrack], sourceError: TranscodingError? = nil,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> Int {
    let finisher = MovieFinisher(
      container: movieType, movieTimescale: movieTimescale, tracks: tracks,
      metadata: metadata, carried: carried, sourcePath: sourcePath, enabledKinds: enabledKinds)
    try finisher.finish(file, checkpoint: checkpoint)
    // If the source is incomplete, the delivery fails anyway. A second error, from the
    // verification, would only hide the real reason.
    if verification != .none, sourceError == nil { try verify(tracks, checkpoint) }
    let packed = try packaging.pack(tracks, for: self, checkpoint: checkpoint)
    if let sourceError {
      throw try file.keptAsFailed(
        sourceError.kind, "\(sourceError.message); the incomplete output")
    }
    // Check for cancellation one last time. Once the files have their names, the delivery is done.
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
      // The disk failed while the file was read. That says nothing about the file, so do not report
      // that it is not as promised.
      throw try file.keptAsFailed(
        .inputOutput, "\(file.destination) cannot be read back: \(error.message); it")
    }
    guard faults.isEmpty else { throw try file.keptError(faults) }
  }
}
