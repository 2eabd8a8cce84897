// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Description of a track that is copied, for the muxer.
package struct CopiedFormat: Sendable {
  /// The track of the source.
  let track: DemuxedTrack
  /// Ticks a second of the copy's times.
  let timescale: Int32
  /// True if samples of HEVC keep their parameter sets.
  let keepsParameterSets: Bool
  /// The source's sample entry, where that alone says all that a decoder needs; nil for others.
  let entry: Box?

  /// The way in which the copy's sample entry comes about.
  ///
  /// - Parameters:
  ///   - movieType: the kind of movie that is written.
  ///   - container: the kind of file that is made of it.
  func entryOrigin(in movieType: FileType, for container: FileType) -> EntryOrigin {
    if !container.isMovie, !track.codec.isChangedByMovies { return .none }
    let isQuickTime = movieType.movie == .quickTime
    guard var entry,
      isQuickTime || track.codec.isEnhancedAC3 || movieType.knowsTag(of: track)
    else { return .muxer }
    // QuickTime ends the list of boxes with zeros, which ISO/IEC 14496-12 has no word for.
    if !isQuickTime { entry.trailer = [] }
    return .source(entry)
  }
}

/// The way in which the sample entry of a track comes about.
enum EntryOrigin: Sendable {
  /// libavformat writes it.
  case muxer
  /// The source's is kept: libavformat has one name for many forms of a codec, or joins samples.
  case source(Box)
  /// There is none: the movie only gathers samples, of any codec, for a Matroska file.
  case none

  /// A type of sample entry that no reader knows, so that none looks into the samples.
  private static let unknown: FourCC = "cndl"

  /// Replaces the sample entry that libavformat wrote.
  func replace(_ entry: inout Box) {
    switch self {
    case .muxer: break
    case .source(let own): entry = own
    case .none: entry = Box(Self.unknown, fields: entry.fields)
    }
  }

  /// True if libavformat writes the sample entry, and knows what samples are.
  var isMuxer: Bool { if case .muxer = self { true } else { false } }
  /// True if there is no sample entry that says what the codec is.
  var isNone: Bool { if case .none = self { true } else { false } }
}
