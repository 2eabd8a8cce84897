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

/// What is known about a track, before or after its tags are changed.
struct RetaggedTrack {
  /// The track's sample entries. There are several if the format changes in the course of the
  /// track.
  let sampleEntries: [SampleEntry]
  /// What each place in the file says about color, range and chroma location.
  let claims: [SignalClaim]
  /// What the bitstream says; `nil` for codecs whose bitstreams are not read.
  let bitstream: BitstreamSummary?
  /// The static HDR metadata from boxes, SEI messages and AV1's metadata units.
  let hdrMetadata: HDRMetadata
  /// The configuration of each sample entry, compared with the first sample that uses it; `nil` in
  /// place of those that are not compared.
  let configurationChecks: [ConfigurationCheck?]
  /// The chroma subsampling, if known.
  let chromaSubsampling: ChromaSubsampling?

  /// The tags that result from the claims.
  var tags: ResolvedTags { ResolvedTags(claims) }

  /// Whether the sample entry has parameter sets or AV1's sequence header, which can be changed.
  var hasParameterSets: Bool { sampleEntries.first?.configuration != nil }

  /// Reads a track.
  ///
  /// - Parameter decoded: facts from the file's first frames, or `nil` if the boxes are enough.
  init(_ track: Movie.Track, source: FileByteSource, decoded: DecodedTracks?) throws {
    sampleEntries = track.sampleEntries
    // For H.264, HEVC and AV1, the boxes and the first sample say everything. For other codecs, a
    // frame must be decoded.
    if let statements = try VideoStatements(track, source: source),
      let summary = statements.bitstream
    {
      claims = statements.claims
      bitstream = summary
      configurationChecks = try track.configurationChecks(source)
      hdrMetadata = HDRMetadata(sampleEntries.first, summary)
      chromaSubsampling = ChromaSubsampling(chromaFormatIdc: summary.chromaFormatIdc)
    } else {
      let facts = try decoded?.facts(of: track)
      claims =
        facts?.claims ?? track.sampleEntries.first.map {
          $0.colorClaims
        } ?? []
      bitstream = facts?.bitstream
      configurationChecks = [facts?.configurationCheck]
      hdrMetadata = facts?.hdrMetadata ?? HDRMetadata(sampleEntries.first, nil)
      chromaSubsampling = facts?.format.chromaSubsampling
    }
  }
}

/// Facts from the first frames of a file's tracks.
final class DecodedTracks {
  private let open: () throws -> MediaAsset
  private var facts: [Int: VideoFacts]?

  init(_ open: @escaping () throws -> MediaAsset) {
    self.open = open
  }

  /// Returns the facts about a track, or `nil` if none of its frames can be decoded.
  func facts(of track: Movie.Track) throws -> VideoFacts? {
    // The file is opened once for all tracks, and only when the first facts are asked for.
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
  /// Reads `chroma_format_idc` (H.264, 7.4.2.1.1; H.265, 7.4.3.2.1). Returns `nil` for reserved
  /// values.
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
