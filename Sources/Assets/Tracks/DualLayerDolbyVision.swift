// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Dolby Vision with an enhancement layer over HDR10 (profile 7), as a property of the track whose
/// frames are the base layer.
package struct DualLayerDolbyVision: Sendable {
  /// The track with the enhancement layer and the RPUs; `nil` if they are in the samples of the
  /// base layer.
  package let track: AssetTrack?
  /// The RPU that represents the first frames.
  private let rpu: ReferenceProcessingUnit
  /// Whether the base layer's samples contain the enhancement layer.
  private let isInSamples: Bool

  init(_ rpu: ReferenceProcessingUnit, in track: AssetTrack) {
    (self.rpu, self.track, isInSamples) = (rpu, track, false)
  }

  init(_ rpu: ReferenceProcessingUnit, isInSamples: Bool) {
    (self.rpu, track, self.isInSamples) = (rpu, nil, isInSamples)
  }

  /// The kind of the enhancement layer, according to the first RPUs.
  package var layer: Layer {
    // Samples may contain units of an enhancement layer even though the RPUs have profile 8.
    guard rpu.profile == 7 else { return .unused }
    guard isInSamples || track != nil else { return .missing }
    switch rpu.enhancementLayer {
    case .minimal: return .minimal
    case .full: return .full
    case nil: return .unknown
    }
  }

  /// What an enhancement layer adds to the base layer.
  package enum Layer: String, Sendable {
    /// Nothing: all residuals of a minimal layer (MEL) are 0.
    case minimal
    /// The residuals of a full layer (FEL).
    case full
    /// Nothing, because the RPUs have no residuals.
    case unused
    /// The file does not have the enhancement layer that the RPUs are for.
    case missing
    /// The first RPUs do not say what the layer adds.
    case unknown
  }
}

extension AssetTrack {
  /// The track's Dolby Vision, if it has an enhancement layer or RPUs for one; `nil` if it has
  /// neither. An output can leave the layer out.
  package var dualLayerDolbyVision: DualLayerDolbyVision? {
    guard let video, video.bitstream?.codec?.carriesDolbyVision == true, !isEnhancementLayer
    else { return nil }
    // Only RPUs of profile 7 use residuals. What the record says does not count, because it may be
    // wrong.
    if let rpu = video.hdrMetadata.dolbyVisionRPU {
      let isInSamples = video.hdrMetadata.hasDolbyVisionEnhancementLayer
      let isDual = rpu.profile == 7 || rpu.profile == 8 && isInSamples
      return isDual ? DualLayerDolbyVision(rpu, isInSamples: isInSamples) : nil
    }
    guard let track = enhancementLayer?.track, let rpu = track.video?.hdrMetadata.dolbyVisionRPU
    else { return nil }
    return DualLayerDolbyVision(rpu, in: track)
  }

  /// Returns the value that represents the first frames, from the track's samples or from those of
  /// its enhancement layer; `nil` if there is none.
  package func firstMetadata<Kind: DynamicHDRMetadataKind>(_ kind: Kind.Type) -> Kind? {
    shownVideo?.hdrMetadata.frames[kind]
      ?? (kind.belongsToLayers
        ? enhancementLayer?.track.video?.hdrMetadata.frames[kind] : nil)
  }
}

extension [AssetTrack] {
  /// Returns the tracks, with each enhancement layer of Dolby Vision attached to its base layer.
  func pairingLayers() -> [AssetTrack] {
    var tracks = self
    for layer in self where layer.holdsLayerOnly {
      let base = indices.first { index in
        !self[index].holdsLayerOnly && layer.isLayer(of: self[index])
          && tracks[index].enhancementLayer == nil
      }
      guard let base, let place = firstIndex(where: { $0.demuxed.index == layer.demuxed.index })
      else { continue }
      tracks[base] = tracks[base].enhanced(by: layer)
      tracks[place] = tracks[place].asEnhancementLayer
    }
    return tracks
  }
}

extension AssetTrack {
  /// Whether the track has RPUs of profile 7 but no units of a second layer. Its frames might then
  /// be the enhancement layer.
  fileprivate var holdsLayerOnly: Bool {
    guard let metadata = video?.hdrMetadata else { return false }
    return metadata.dolbyVisionRPU?.profile == 7 && !metadata.hasDolbyVisionEnhancementLayer
  }

  /// Returns whether the track's frames can be the enhancement layer of another track's frames.
  fileprivate func isLayer(of base: AssetTrack) -> Bool {
    guard let own = video, let other = base.video,
      other.bitstream?.codec?.carriesDolbyVision == true,
      !other.hdrMetadata.frames.has(DolbyVisionRPU.self)
    else { return false }
    // `vdep` names the base layer's track (Dolby Vision Streams Within the ISO Base Media File
    // Format). Other containers have no such reference.
    let named = box.flatMap { $0.box.first("tref", "vdep") }
    if let named, let id = base.box?.header.trackID {
      var reader = ByteReader(named.fields)
      return (try? reader.integer(UInt32.self)) == id
    }
    // Layers have the same size, or the enhancement layer has half the width and height (Dolby
    // Vision Profiles and Levels, profile 7).
    return own.size == other.size
      || own.size.width * 2 == other.size.width && own.size.height * 2 == other.size.height
  }
}

extension Notice {
  /// Dolby Vision becomes profile 8.1 for the base layer alone, and the enhancement layer is left
  /// out.
  package static func enhancementLayerDropped(_ layer: DualLayerDolbyVision.Layer) -> Notice {
    let (isLoss, text) =
      switch layer {
      case .minimal: (false, "it is a minimal one (MEL) without residuals, so nothing is lost")
      case .unused: (false, "the source's RPUs do not use it, so nothing is lost")
      case .full: (true, "it is a full one (FEL), whose residuals are lost")
      case .missing:
        (true, "the RPUs are made for it, but the file lacks it and might be incomplete")
      case .unknown: (true, "it might be a full one (FEL), whose residuals would be lost")
      }
    return Notice(
      "enhancementLayerDropped", severity: isLoss ? .warning : .note, ["layer": layer.rawValue],
      "Dolby Vision becomes profile 8.1, for the source's base layer alone; the enhancement layer "
        + "is left out: \(text)")
  }
}
