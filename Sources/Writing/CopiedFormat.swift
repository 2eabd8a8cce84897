// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Describes a copied track to the muxer.
package struct CopiedFormat: Sendable {
  /// The source's track.
  let track: DemuxedTrack
  /// Ticks per second in the copy.
  let timescale: Int32
  /// Whether HEVC samples keep their in-band parameter sets.
  let keepsParameterSets: Bool
  /// The source's sample entry, if no other entry tells decoders everything that they need.
  let entry: Box?

  /// Returns where the copy's sample entry comes from.
  ///
  /// - Parameters:
  ///   - movieType: the type of the movie that is written.
  ///   - container: the type of the file that is made from the movie.
  func entryOrigin(in movieType: FileType, for container: FileType) -> EntryOrigin {
    // Matroska can store codecs that no movie can store. So on the way to a Matroska file, the
    // movie only holds the samples, unless movies store the codec in a form of their own.
    if !container.isMovie, !track.codec.isChangedByMovies { return .none }
    let isQuickTime = movieType.movie == .quickTime
    guard var entry,
      isQuickTime || track.codec.isEnhancedAC3 || movieType.knowsTag(of: track)
    else { return .muxer }
    // QuickTime ends the list of boxes with a zero word, which ISO/IEC 14496-12 does not allow.
    if !isQuickTime { entry.trailer = [] }
    return .source(entry)
  }
}

/// Where a track's sample entry comes from.
enum EntryOrigin: Sendable {
  /// libavformat writes it.
  case muxer
  /// The source's entry is kept, because libavformat has only one name for several variants of the
  /// codec, or would join the codec's samples.
  case source(Box)
  /// No sample entry names the codec, because the movie only holds the samples for a Matroska file.
  case none

  // No reader knows this type of sample entry, so no reader tries to parse the samples.
  private static let unknown: FourCC = "cndl"

  /// Replaces the sample entry that libavformat wrote.
  func replace(_ entry: inout Box) {
    switch self {
    case .muxer: break
    case .source(let own): entry = own
    case .none: entry = Box(Self.unknown, fields: entry.fields)
    }
  }

  /// Whether libavformat writes the sample entry and therefore understands the samples.
  var isMuxer: Bool { if case .muxer = self { true } else { false } }
  /// Whether no sample entry names the codec.
  var isNone: Bool { if case .none = self { true } else { false } }
}
