// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
package import ISOBMFF
internal import LibAV
public import MediaCore
package import NALUnits

extension AssetTrack {
  /// The formats of a video track, one for each sample description. Empty for other tracks.
  ///
  /// The first format combines what container, bitstream and decoder say. For the other formats,
  /// only the boxes of the sample description are read, parameter sets included.
  public var formatDescriptions: [FormatDescription] {
    guard demuxed.kind == .video else { return [] }
    // A track may change its format in the middle, but only the first frame was decoded.
    let others = (box?.sampleEntries ?? []).dropFirst().map(description)
    return [firstDescription] + others
  }

  /// The format of all samples; `nil` if the track has several formats or is not video.
  package var onlyFormatDescription: FormatDescription? {
    let all = formatDescriptions
    return all.count == 1 ? all[0] : nil
  }

  /// Whether any sample description is HLG or PQ. Corresponds to
  /// `AVMediaCharacteristic.containsHDRVideo`.
  public var containsHDRVideo: Bool { formatDescriptions.contains(where: \.isHDR) }

  /// Whether any sample description has primaries wider than BT.709's. Corresponds to
  /// `AVMediaCharacteristic.usesWideGamutColorSpace`.
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
    let bitstream = entry.configuration.flatMap {
      $0.bitstream.summary(configuration: $0.payload, firstSample: [], laterUnits: [])
    }
    var claims = entry.colorClaims
    if let bitstream { claims.append(SignalClaim(source: .bitstream, signal: bitstream.signal)) }
    return FormatDescription(
      mediaSubType: MediaSubType(rawValue: "\(entry.format)"),
      dimensions: bitstream?.size ?? demuxed.size,
      extensions: Attachments(
        signal: ResolvedTags(claims).signal,
        staticHDRMetadata: entry.staticHDRMetadata),
      dolbyVisionConfiguration: entry.dolbyVisionRecords.first?.record.payload)
  }
}

extension AssetTrack {
  /// The Dolby Vision record of the track; `nil` if there is none.
  private var dolbyVisionRecord: ConfigurationRecord? {
    guard let box else {
      return demuxed.containerDolbyVisionConfiguration.flatMap {
        try? ConfigurationRecord(payload: $0)
      }
    }
    return box.firstUsedEntry?.dolbyVisionRecords.first?.record
  }

  /// Whether the track is a Dolby Vision enhancement layer, whose base layer is in another track.
  package var isEnhancementLayer: Bool {
    isPairedLayer || dolbyVisionRecord?.isEnhancementLayer == true
  }

  /// Why Dolby Vision's frames could not be converted even if there were a decoder for them; `nil`
  /// if no such reason is known. The text fits the end of a sentence.
  package var dolbyVisionObstacle: String? {
    video?.reshaped != nil ? nil : dolbyVisionRecord.flatMap { DolbyVisionSource($0).obstacle }
  }
}

/// Tracks whose samples are user data registered according to ITU-T T.35. The samples leave out the
/// first bytes of the user data, which the sample entry `it35` states once.
extension Movie.Track {
  /// The first bytes of the user data, which are the same for every sample; `nil` if the samples
  /// are not user data.
  package var userDataBeginning: [UInt8]? {
    guard let entry = box.first("mdia", "minf", "stbl", "stsd")?.children.first,
      entry.type == "it35"
    else { return nil }
    // The fields that every sample entry has are followed by a length and that many bytes.
    let rest = entry.fields.dropFirst(8)
    guard let count = rest.first, count > 0, rest.count > Int(count) else { return nil }
    return Array(rest.dropFirst().prefix(Int(count)))
  }

  /// The kind of user data in the track's samples; `nil` if the samples are not user data.
  package var userData: RegisteredUserData? {
    userDataBeginning.map { RegisteredUserData(payload: $0) }
  }
}
