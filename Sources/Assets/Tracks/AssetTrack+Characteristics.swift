// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
public import MediaCore
internal import NALUnits

extension AssetTrack {
  /// The formats of a video track, one for each sample description: a track may change from one to
  /// another in the middle. Empty for other tracks.
  ///
  /// The first is what container, bitstream and decoder amount to together; of the others, which
  /// no frame was decoded of, box and parameter sets are read.
  public var formatDescriptions: [FormatDescription] {
    guard demuxed.kind == .video else { return [] }
    let others = (box?.sampleEntries ?? []).dropFirst().map(description)
    return [firstDescription] + others
  }

  /// `AVMediaCharacteristic.containsHDRVideo`: true if any sample description is HLG or PQ.
  public var containsHDRVideo: Bool { formatDescriptions.contains(where: \.isHDR) }

  /// `AVMediaCharacteristic.usesWideGamutColorSpace`: true if any sample description has primaries
  /// wider than BT.709's.
  public var usesWideGamutColorSpace: Bool { formatDescriptions.contains(where: \.isWideGamut) }

  private var firstDescription: FormatDescription {
    let metadata = video?.hdrMetadata
    return FormatDescription(
      mediaSubType: MediaSubType(rawValue: sampleEntry ?? demuxed.codec.codecName),
      dimensions: video?.size ?? demuxed.size,
      extensions: Attachments(
        signal: video?.tags.signal ?? demuxed.containerSignal,
        staticHDRMetadata: metadata?.staticMetadata ?? StaticHDRMetadata()),
      dolbyVisionConfiguration: metadata?.dolbyVision?.value.payload)
  }

  private func description(_ entry: SampleEntry) -> FormatDescription {
    let bitstream = entry.decoderConfiguration.flatMap {
      BitstreamSummary($0.codec, configuration: $0.payload, firstSample: [])
    }
    var claims = entry.colorClaims
    if let bitstream { claims.append(SignalClaim(source: .bitstream, signal: bitstream.signal)) }
    return FormatDescription(
      mediaSubType: MediaSubType(rawValue: "\(entry.format)"),
      dimensions: bitstream.map {
        VideoDimensions(width: $0.parameterSet.width, height: $0.parameterSet.height)
      } ?? demuxed.size,
      extensions: Attachments(
        signal: ResolvedTags(claims).signal,
        staticHDRMetadata: entry.staticHDRMetadata),
      dolbyVisionConfiguration: entry.dolbyVisionRecords.first?.record.payload)
  }
}

extension AssetTrack {
  /// Dolby Vision record of the track's box; nil for none.
  private var dolbyVisionRecord: ConfigurationRecord? {
    box?.sampleEntries.first?.dolbyVisionRecords.first?.record
  }

  /// True if the track is an enhancement layer of Dolby Vision without its base layer, which
  /// another track holds.
  package var isEnhancementLayer: Bool { dolbyVisionRecord?.isEnhancementLayer == true }

  /// Reason for which frames that could not be decoded could not be converted either; nil where
  /// none is known.
  package var dolbyVisionObstacle: DolbyVisionSource.Obstacle? {
    dolbyVisionRecord.flatMap { DolbyVisionSource($0).obstacle }
  }
}
