// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import MediaCore
internal import Settings
internal import VideoEncoders

/// Depth and subsampling of the output's frames.
extension VideoSettings {
  /// Depth and subsampling that settings, profile, codec and the output's color lead to.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where HDR would have to fit into 8
  ///   bits.
  func outputFormat(
    of source: PixelFormat, color: ColorDescription, subsampling: ChromaSubsampling
  ) throws -> PixelFormat {
    let isHDR = color.transferCharacteristics.isHDR
    let format =
      // Encoders take planes, whatever lies together elsewhere.
      pixelFormat?.planar
      ?? PixelFormat(
        bitDepth: outputDepth(of: source, isHDR: isHDR), chromaSubsampling: subsampling)
    if isHDR && format.bitDepth < 10 {
      throw TranscodingError(
        .unusableInput,
        "the source is HDR (\(color.transferCharacteristics)), which does not fit into "
          + "\(format.bitDepth) bits", code: .hdrNeedsMoreBits)
    }
    return format
  }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for sides that the subsampling has no
  ///   samples for.
  func refuseOddSize(in format: PixelFormat) throws {
    let subsampling = format.chromaSubsampling
    for (key, side, shift) in [
      ("width", width, subsampling.horizontalShift),
      ("height", height, subsampling.verticalShift),
    ] {
      if let side, shift > 0, side % 2 == 1 {
        throw SettingsReader.error(
          "video.\(key)",
          "is \(side), but \(subsampling.rawValue) frames have even sides: "
            + "\(side - 1) or \(side + 1)")
      }
    }
  }

  /// The subsampling that the settings lead to. Where they state neither a format, a profile nor
  /// colors, the source's stays if the codec is one to keep it; Dolby Vision needs 4:2:0.
  func outputSubsampling(of pictures: PictureSource) -> ChromaSubsampling {
    if let stated = pixelFormat?.chromaSubsampling { return stated }
    if let profile = profileLevel?.profile { return profile.chromaSubsampling }
    let source = pictures.originalFormat.chromaSubsampling
    let kept = (codec ?? .usual).encoder.keptSubsamplings
    guard kept.contains(.cs420) else { return kept.first ?? .cs420 }
    let matchesSource =
      colorProperties == nil && kept.contains(source)
      && !DolbyVisionRPU.isPresent(in: pictures.facts.hdrMetadata)
    return matchesSource ? source : .cs420
  }

  private func outputDepth(of source: PixelFormat, isHDR: Bool) -> Int {
    if let depths = profileLevel?.profile.bitDepths {
      return min(max(source.bitDepth, depths.lowerBound), depths.upperBound)
    }
    let encoder = (codec ?? .usual).encoder
    guard source.bitDepth > 8 || isHDR || !encoder.bitDepths.contains(8) else { return 8 }
    return encoder.usualBitDepth
  }
}
