internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// The last steps of an output: boxes are finished, the file is verified, and gets its name.
struct OutputDelivery: Sendable {
  let file: UnfinishedFile
  let container: Muxer.Container
  let movieTimescale: Int32
  /// The dates and names that are carried over; nil for none.
  let metadata: CarriedMetadata?
  let verification: VerificationLevel
  /// What the output's pictures were promised to be; nil where nothing was promised.
  let promise: OutputPromise?

  /// Takes the steps.
  ///
  /// - Parameter sourceError: why the output lacks something of the source; it is then kept under
  ///   another name, too.
  /// - Throws: ``TranscodingError`` of kind `verificationFailed` where the file is not what was
  ///   promised; it is then kept under another name.
  func deliver(
    _ tracks: [WrittenTrack], sourceError: TranscodingError? = nil,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    let finisher = MovieFinisher(
      container: container, movieTimescale: movieTimescale, tracks: tracks,
      metadata: metadata)
    try finisher.finish(from: file.samplesPath, to: file.path, checkpoint: checkpoint)
    file.discardSamples()
    if let sourceError {
      let name = try file.keepAsFailed()
      throw TranscodingError(
        sourceError.kind, "\(sourceError.message); what was made of it was kept as \(name)",
        keptPath: name)
    }
    if verification != .none {
      let verifier = OutputVerifier(
        path: file.path, tracks: tracks, promise: promise, decodesAll: verification == .decode)
      let faults = try verifier.faults(checkpoint: checkpoint)
      guard faults.isEmpty else {
        let name = try file.keepAsFailed()
        throw TranscodingError(
          .verificationFailed,
          "\(file.destination) is not what was promised: \(faults.joined(separator: "; ")); it "
            + "was kept as \(name)",
          keptPath: name)
      }
    }
    try checkpoint()
    try file.publish()
  }
}
