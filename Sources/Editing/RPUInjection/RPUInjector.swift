internal import Assets
public import CodePoints

/// Injection of Dolby Vision RPUs into the HEVC frames of a movie file, without encoding.
public enum RPUInjector {
  /// Writes a movie file whose frames have RPUs. RPUs that were there before are removed, and the
  /// Dolby Vision configuration record is written. Everything else stays as it is.
  ///
  /// - Parameters:
  ///   - rpuFile: the RPUs in the order of presentation, as ``RPUExtractor`` writes them.
  ///   - overwrite: whether a file at `output` is replaced.
  ///   - force: whether RPUs are put in that are not valid, or whose mapping is for video of
  ///     another transfer function, and whether what does not fit on the disk is tried.
  /// - Returns: what the user should know.
  /// - Throws: ``TranscodingError``, of kind `unusableInput` where the file has not as many
  ///   frames as there are RPUs; `CancellationError` when the task was cancelled.
  public static func inject(
    _ rpuFile: String, into input: String, to output: String, overwrite: Bool = false,
    force: Bool = false
  ) async throws -> [Notice] {
    let rewrite = try MovieRewrite(
      of: input, to: output, overwrite: overwrite, protecting: [rpuFile], ignoresFreeSpace: force)
    let rpus = try RPUFile.read(rpuFile)
    return try await rewrite.run("inject", purpose: ", which RPUs could be put into") {
      movie, source, checkpoint in
      try RPUInjection(
        rpus, into: input, movie: movie, source: source, force: force, checkpoint)
    }
  }
}
