// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
internal import Host

/// A change of a movie file's tags and HDR metadata, in its boxes and in its bitstream, that leaves
/// every coded frame as it is.
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
    if let transfer = changes.color?.transferCharacteristics, transfer != transfer.numbered {
      throw TranscodingError(
        .invalidSettings,
        "tags state numbers of H.273, and the transfer function \(transfer) has none")
    }
    if let tag = changes.codecTag, changes.sampleEntry == nil {
      let tags = TagChanges.sampleEntries.map(\.rawValue)
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
  ///   - overwrite: true if a file at `output`, which may be the input, is replaced.
  ///   - ignoresFreeSpace: true to try an output that does not fit on the disk.
  /// - Returns: notices for the user.
  /// - Throws: ``TranscodingError``; `CancellationError` when the task was cancelled.
  public func retag(
    _ input: String, to output: String, overwrite: Bool = false, ignoresFreeSpace: Bool = false
  ) async throws -> [Notice] {
    let rewrite = try MovieRewrite(
      of: input, to: output, overwrite: overwrite, replacesInput: true,
      ignoresFreeSpace: ignoresFreeSpace)
    return try await rewrite.run(
      "retag", purpose: ": tags of other files are changed by transcoding"
    ) { [changes] movie, source, checkpoint in
      try MovieRetagging(
        changes, path: input, movie: movie, source: source, checkpoint: checkpoint)
    }
  }
}
