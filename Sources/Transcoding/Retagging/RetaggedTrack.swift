internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// What has to be known of a track before its tags are changed. H.264 and HEVC say all of it in
/// their boxes and their first sample; of other codecs a picture is decoded.
struct RetaggedTrack {
  /// What each place says of color, range and chroma location.
  let claims: [SignalClaim]
  /// How many chroma samples there are; nil if unknown.
  let chromaSubsampling: ChromaSubsampling?

  /// What the claims amount to.
  var signal: SignalDescription { TagResolver.resolve(claims).signal }

  /// - Parameter asset: opens the file and decodes its first pictures.
  init(_ track: Movie.Track, source: FileByteSource, asset: () throws -> MediaAsset) throws {
    if let statements = try Self.statements(track, source), let bitstream = statements.bitstream {
      claims = statements.claims
      chromaSubsampling = ChromaSubsampling(chromaFormatIdc: bitstream.parameterSet.chromaFormatIdc)
    } else {
      let facts = try asset().tracks.first {
        $0.demuxed.id == Int(track.header.trackID ?? 0)
      }?.video
      claims =
        facts?.claims ?? track.sampleEntries.first.map {
          [SignalClaim(source: .container, signal: $0.signal)]
        } ?? []
      chromaSubsampling = facts?.format.chromaSubsampling
    }
  }

  /// - Returns: nil for other codecs, and for samples that are encrypted.
  private static func statements(
    _ track: Movie.Track, _ source: FileByteSource
  ) throws -> VideoStatements? {
    guard let entry = track.sampleEntries.first, entry.format != "encv",
      let (box, codec) = SampleEntryRetagger.configurations.first(where: {
        entry.payload($0.box) != nil
      })
    else { return nil }
    return VideoStatements(
      codec, configuration: entry.payload(box) ?? [], sampleEntry: entry,
      firstSample: try track.firstSample(in: source))
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
