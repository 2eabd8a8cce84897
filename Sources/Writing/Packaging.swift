// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
internal import MediaCore

/// Turns a finished movie into the delivered files: the movie itself, another file, or several.
package protocol Packaging: Sendable {
  /// The name by which `FileType` refers to this packaging.
  static var name: String { get }

  /// Makes the delivered files.
  ///
  /// Before the call, the finished and verified movie is at the path of the delivery's file. The
  /// file that is at this path afterwards gets the output's name.
  ///
  /// - Parameter tracks: the movie's tracks, as they were written.
  /// - Returns: the number of damaged subtitles that were left out, and the other files that were
  ///   made. Either all files get their names, or no file does.
  /// - Throws: `TranscodingError` of kind `verificationFailed` if a file is not what was promised.
  func pack(
    _ tracks: [WrittenTrack], for delivery: OutputDelivery,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> (damagedCount: Int, others: [UnfinishedFile])
}

private let ways: [any Packaging] = [
  MoviePackaging(),
  MatroskaPackaging(),
]

extension FileType {
  /// The packaging for files of this type.
  var way: any Packaging { ways.first { type(of: $0).name == packaging } ?? MoviePackaging() }
}

/// Delivers the finished movie itself.
struct MoviePackaging: Packaging {
  static let name = "movie"

  func pack(
    _ tracks: [WrittenTrack], for delivery: OutputDelivery,
    checkpoint: @escaping Pipeline.Checkpoint
  ) -> (damagedCount: Int, others: [UnfinishedFile]) {
    delivery.file.discardSamples()
    return (0, [])
  }
}
