internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import Foundation
internal import ISOBMFF
internal import LibAV
internal import NALUnits

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
        .invalidSettings, "say what to change: --color, --range, --chroma-location or --codec-tag")
    }
    self.changes = changes
  }

  /// Writes a file with other tags; the output may be the input where it may be replaced.
  ///
  /// - Returns: what the user should know: one sentence each.
  /// - Throws: ``TranscodingError``; `CancellationError` when the task was cancelled.
  public func retag(
    _ input: String, to output: String, overwrite: Bool = false
  ) async throws -> [String] {
    try InputFile.check(input)
    let file = try UnfinishedFile(destination: output, overwrite: overwrite)
    defer { file.discard() }
    return try await Pipeline.onThread("retag") { checkpoint in
      do {
        let notices = try rewrite(input, to: file, checkpoint) + verify(file)
        try checkpoint()
        if input == output { try keepPermissions(of: input, at: file.path) }
        try file.publish()
        return notices
      } catch {
        throw TranscodingError(error, input: input)
      }
    }
  }

  private func rewrite(
    _ input: String, to file: UnfinishedFile, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [String] {
    let source = try FileByteSource(path: input)
    let movie = try Self.movie(source, input)
    guard movie.tracks.contains(where: { $0.handler == "vide" }) else {
      throw TranscodingError(
        .unusableInput, "\(input) holds no pictures whose tags could be changed")
    }
    var editor = try BoxEditor(source)
    var entries = SampleEntryRetagger(changes: changes, isQuickTime: movie.majorBrand == "qt  ")
    var inBand = InBandTags(source: source, retagger: entries, checkpoint: checkpoint)
    try inBand.find(in: movie)
    for change in inBand.changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      editor.replace(change.range, with: change.bytes)
    }
    var failure: (any Error)?
    try editor.edit { (moov) throws(ISOBMFFError) in
      for track in movie.tracks where track.handler == "vide" {
        try moov.children[track.childIndex].edit("mdia", "minf", "stbl") {
          (stbl) throws(ISOBMFFError) in
          stbl.edit("stsd") { stsd in
            for entry in stsd.children.indices where failure == nil {
              do { try entries.retag(&stsd.children[entry]) } catch { failure = error }
            }
          }
          guard let sizes = inBand.sizes[track.childIndex] else { return }
          try stbl.edit("stsz") { (stsz) throws(ISOBMFFError) in
            try stsz.setSampleSizes(sizes)
          }
        }
      }
    }
    if let failure { throw failure }
    var sink = try FileByteSink(path: file.path, source: source, checkpoint: checkpoint)
    try editor.write(to: &sink)
    try sink.close()
    return entries.notices + inBand.notices
  }

  private static func movie(_ source: FileByteSource, _ path: String) throws -> Movie {
    do {
      return try Movie(source)
    } catch ISOBMFFError.notISOBaseMedia {
      throw TranscodingError(
        .unusableInput,
        "\(path) is no movie file (MOV, MP4): tags of other files are changed by transcoding")
    }
  }

  /// Reads back what was written.
  ///
  /// - Returns: what bitstreams that are not changed say otherwise.
  private func verify(_ file: UnfinishedFile) throws -> [String] {
    var notices: [String] = []
    for track in try MediaAsset(opening: file.path).tracks {
      guard let facts = track.video else { continue }
      try verify(facts, file)
      guard facts.bitstream == nil else { continue }
      if facts.claims.contains(where: { $0.source == .bitstream }) {
        notices += facts.tags.conflicts.map { "not changed: \(Notices.text($0))" }
      } else {
        notices.append(
          "what the bitstream of '\(track.sampleEntry ?? track.demuxed.codec.codecName)' says "
            + "itself of color is not read, and may disagree now")
      }
    }
    return notices
  }

  private func verify(_ facts: VideoFacts, _ file: UnfinishedFile) throws {
    for claim in facts.claims {
      let isOurs =
        claim.source == .container || (claim.source == .bitstream && facts.bitstream != nil)
      var wanted = claim.signal
      changes.apply(to: &wanted)
      let isColorRight = changes.color == nil || wanted.color == claim.signal.color
      let isLocationRight =
        claim.source == .container || changes.chromaLocation == nil
        || wanted.chromaLocation == claim.signal.chromaLocation
      guard !isOurs || (isColorRight && isLocationRight) else {
        let name = try file.keepAsFailed()
        throw TranscodingError(
          .verificationFailed,
          "\(file.destination) is not what was promised: the \(claim.source.rawValue) says "
            + "\(claim.signal.color); it was kept as \(name)", keptPath: name)
      }
    }
  }

  private func keepPermissions(of path: String, at newPath: String) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    if let permissions = attributes[.posixPermissions] {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: newPath)
    }
  }
}
