// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorTagging
internal import VideoEncoders
package import Assets
internal import CodePoints
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Facts that a source states but the planned output will not state.
extension VideoPlan {
  /// Returns the facts that a track states about its frames, but that an output of encoded frames
  /// cannot state.
  ///
  /// - Parameter source: the source's frames, before they are composed.
  static func factsLost(
    encoding plan: EncodingPlan, of track: AssetTrack, _ source: VideoFacts, in container: FileType
  ) -> [Fact] {
    var keys: Set<FactKey> = [.opacity, .iccProfile, .spatialVideo]
    if !container.isMovie {
      keys.formUnion(
        keysLostInMatroska(
          matrix: plan.matrix, aperture: plan.shape.cleanAperture, of: plan.encoder.size))
    }
    let transfer = plan.encoder.signal.color.transferCharacteristics
    let function =
      container.holds(transfer) ? nil : Fact(.transferFunction, NamedCode(transfer))
    return plan.hdrMetadata.lost(of: source.facts) + track.facts(where: keys.contains)
      + [function, plan.lostChromaLocation(in: container)].compactMap { $0 }
  }

  /// Returns the facts that a track states but a copy of its samples cannot state.
  ///
  /// - Parameter metadata: the plan for the HDR metadata of the copy.
  static func factsLost(
    copying track: AssetTrack, _ metadata: HDRMetadataPlan, in container: FileType
  ) -> [Fact] {
    var keys = CopiedSignal(track, container: container)?.lost ?? []
    if track.demuxed.hasOpacityBeside { keys.insert(.opacity) }
    if !container.isMovie {
      keys.insert(.iccProfile)
      keys.formUnion(
        keysLostInMatroska(
          matrix: track.matrix, aperture: track.cleanAperture, of: track.demuxed.size))
      keys.formUnion(metadata.keysLost(in: container, copying: track.video?.hdrMetadata))
      if !track.spatialBoxesOfMovies.isEmpty { keys.insert(.spatialVideo) }
      let transfer = track.video?.tags.signal.color.transferCharacteristics
      if let transfer, !container.holds(transfer) { keys.insert(.transferFunction) }
    }
    return track.facts(where: keys.contains)
  }

  /// Returns notices about meaningless numbers in the source's container that a copy does not
  /// repeat. Only the boxes of a movie are copied as they are, and only into a movie.
  static func meaninglessStatements(copying track: AssetTrack, in container: FileType) -> [Notice] {
    guard track.box == nil || !container.isMovie else { return [] }
    let place = ClaimSource.container.rawValue
    return track.video?.tags.faults.filter { $0.arguments["place"] == place } ?? []
  }

  /// Returns the keys of facts that are lost when libavformat writes a Matroska file.
  private static func keysLostInMatroska(
    matrix: [Int32]?, aperture: CleanAperture?, of size: VideoDimensions
  ) -> Set<FactKey> {
    // FFmpeg 7.1 and later write quarter turns and crops. Older versions write neither.
    var keys: Set<FactKey> = []
    if let matrix = matrix.flatMap(DisplayMatrix.init), matrix.rotation != 0,
      !(MatroskaMuxer.writesDisplay && matrix.isQuarterTurnOrMirror)
    {
      keys.insert(.matrix)
    }
    if let aperture, !(MatroskaMuxer.writesDisplay && aperture.isWhole(in: size)) {
      keys.insert(.cleanAperture)
    }
    return keys
  }
}

extension HDRMetadataPlan {
  /// Returns the keys of static HDR metadata that a file with copied samples cannot state.
  fileprivate func keysLost(in container: FileType, copying source: HDRMetadata?) -> [FactKey] {
    func key<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> FactKey { .staticHDRMetadata(kind) }
    return StaticHDRMetadata.kinds.filter { !states($0, in: container, copying: source) }
      .map { key($0) }
  }
}

extension EncodingPlan {
  /// Returns the output's chroma location, if neither the container nor the bitstream can state it
  /// and readers would assume another one.
  fileprivate func lostChromaLocation(in container: FileType) -> Fact? {
    guard encoder.format.chromaSubsampling == .cs420, let location = encoder.signal.chromaLocation,
      location != .left, !container.states(location),
      codec.bitstream?.declared(encoder.signal).chromaLocation != location
    else { return nil }
    return Fact(.chromaLocation, NamedCode(location))
  }

  /// Returns the facts that are stated about frames from a program, but that the output's frames
  /// cannot state.
  package func factsLost(of source: VideoFacts) -> [Fact] {
    let hasOpacity = source.hasAlpha || frameSource.hasOpacityBeside
    return hdrMetadata.lost(of: source.facts) + (hasOpacity ? [Fact(.opacity, true)] : [])
  }
}

extension FileType {
  /// Returns whether files of this type can state a transfer function.
  fileprivate func holds(_ transfer: TransferCharacteristics) -> Bool {
    // QuickTime's `gama` can state a gamma. Other transfer functions without a number in H.273
    // cannot be stated anywhere.
    transfer.unnumberedName == nil || transfer.gamma != nil && statesGamma
  }
}
