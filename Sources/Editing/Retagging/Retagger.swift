// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
internal import Host
internal import MediaCore

/// Changes the tags and HDR metadata of movie files, in boxes and bitstream. Coded frames are not
/// changed.
public struct Retagger: Sendable {
  private let changes: TagChanges

  /// Makes a retagger that applies the given changes.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if nothing should change, or if a
  ///   value is impossible.
  public init(_ changes: TagChanges) throws {
    guard !changes.isEmpty else {
      throw TranscodingError(
        .invalidSettings, "say what to change", code: .nothingToChange)
    }
    if let fault = changes.metadataFault { throw fault }
    // Boxes and parameter sets contain numbers of H.273. A transfer function without a number would
    // become the number 2, "unspecified", so the tag that the user wanted to set would be removed.
    if let transfer = changes.color?.transferCharacteristics, transfer != transfer.numbered {
      throw TranscodingError(
        .invalidSettings,
        "tags are H.273 numbers, and the transfer function \(transfer) has no number")
    }
    if let tag = changes.codecTag, changes.sampleEntry == nil {
      let tags = TagChanges.sampleEntries.map(\.rawValue)
      throw TranscodingError(
        .invalidSettings,
        "'\(tag)' is not a codec tag: use one of \(tags.joined(separator: ", "))",
        code: .unknownCodecTag,
        arguments: ["codecTag": tag, "values": tags.joined(separator: ", ")])
    }
    self.changes = changes
  }

  /// Writes a file with changed tags.
  ///
  /// - Parameters:
  ///   - input: the path of the movie file.
  ///   - output: the path to write, which may be the input's path.
  ///   - overwrite: whether to replace a file at `output`.
  ///   - ignoresFreeSpace: whether to try an output that does not fit on the disk.
  /// - Returns: notices for the user.
  /// - Throws: ``TranscodingError``; `CancellationError` if the task was cancelled.
  public func retag(
    _ input: String, to output: String, overwrite: Bool = false, ignoresFreeSpace: Bool = false
  ) async throws -> [Notice] {
    let rewrite = try MovieRewrite(
      of: input, to: output, overwrite: overwrite, replacesInput: true,
      ignoresFreeSpace: ignoresFreeSpace)
    return try await rewrite.run(
      "retag", purpose: ": to change the tags of other files, transcode them to \(FileType.names())"
    ) { [changes] movie, source, checkpoint in
      try changes.prepared(for: movie, at: input, source: source, checkpoint: checkpoint)
    }
  }
}
