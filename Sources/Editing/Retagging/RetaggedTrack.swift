// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Facts about a track before its tags are changed, and after. H.264 and HEVC state all of them in
/// their boxes and their first sample; of other codecs a frame is decoded, where it matters.
struct RetaggedTrack {
  /// Sample entries of the track; more than one where the format changes.
  let sampleEntries: [SampleEntry]
  /// The claims of all places about color, range and chroma location.
  let claims: [SignalClaim]
  /// Statements of the bitstream; nil for codecs other than H.264 and HEVC.
  let bitstream: BitstreamSummary?
  /// Static HDR metadata, wherever it was found.
  let hdrMetadata: HDRMetadata
  /// Chroma subsampling; nil if unknown.
  let chromaSubsampling: ChromaSubsampling?

  /// Tags that result from the claims.
  var tags: ResolvedTags { ResolvedTags(claims) }

  /// True if the sample entry has the parameter sets of H.264 or HEVC, which are changed.
  var hasParameterSets: Bool { sampleEntries.first?.decoderConfiguration != nil }

  /// - Parameter pictures: the file's first pictures; nil where the boxes are enough.
  init(_ track: Movie.Track, source: FileByteSource, pictures: DecodedTracks?) throws {
    sampleEntries = track.sampleEntries
    if let statements = try VideoStatements(track, source: source),
      let summary = statements.bitstream
    {
      claims = statements.claims
      bitstream = summary
      hdrMetadata = HDRMetadata(sampleEntries.first, summary)
      chromaSubsampling = ChromaSubsampling(chromaFormatIdc: summary.parameterSet.chromaFormatIdc)
    } else {
      let facts = try pictures?.facts(of: track)
      claims =
        facts?.claims ?? track.sampleEntries.first.map {
          $0.colorClaims
        } ?? []
      bitstream = facts?.bitstream
      hdrMetadata = facts?.hdrMetadata ?? HDRMetadata(sampleEntries.first, nil)
      chromaSubsampling = facts?.format.chromaSubsampling
    }
  }
}

/// Facts from the first frames of a file's tracks. The file is opened once for all tracks, and only
/// when facts are asked for.
final class DecodedTracks {
  private let open: () throws -> MediaAsset
  private var facts: [Int: VideoFacts]?

  init(_ open: @escaping () throws -> MediaAsset) {
    self.open = open
  }

  /// Facts about a track; nil where it has no frame that can be decoded.
  func facts(of track: Movie.Track) throws -> VideoFacts? {
    let known = try facts ?? Self.facts(of: try open())
    facts = known
    return known[Int(track.header.trackID ?? 0)]
  }

  private static func facts(of asset: MediaAsset) -> [Int: VideoFacts] {
    let pairs = asset.tracks.compactMap { track in track.video.map { (track.demuxed.id, $0) } }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension ChromaSubsampling {
  /// `chroma_format_idc` (H.264, 7.4.2.1.1; H.265, 7.4.3.2.1); nil for reserved values.
  fileprivate init?(chromaFormatIdc: Int) {
    switch chromaFormatIdc {
    case 0: self = .cs400
    case 1: self = .cs420
    case 2: self = .cs422
    case 3: self = .cs444
    default: return nil
    }
  }
}
