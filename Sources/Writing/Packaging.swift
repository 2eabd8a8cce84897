// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
internal import MediaCore

/// A way from a finished movie to what is delivered: the movie itself, another file that is made of
/// it, or several files.
package protocol Packaging: Sendable {
  /// The name by which rows of `FileType` state the way.
  static var name: String { get }

  /// Makes what is delivered.
  ///
  /// The movie is finished and verified, and lies at the path of the delivery's file. What lies
  /// there afterwards gets the name that the user gave.
  ///
  /// - Parameter tracks: the movie's tracks, as they were written.
  /// - Returns: the number of texts that are damaged and were left out; and other files, which get
  ///   their names together with the first, or none of them does.
  /// - Throws: `TranscodingError` of kind `verificationFailed` for a file that is not what was
  ///   promised.
  func pack(
    _ tracks: [WrittenTrack], for delivery: OutputDelivery,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> (damagedCount: Int, others: [UnfinishedFile])
}

/// All ways.
private let ways: [any Packaging] = [
  MoviePackaging(),
  MatroskaPackaging(),
]

extension FileType {
  /// The way to files of this kind.
  var way: any Packaging { ways.first { type(of: $0).name == packaging } ?? MoviePackaging() }
}

/// The finished movie is what is delivered.
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
