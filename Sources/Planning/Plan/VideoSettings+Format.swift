// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import MediaCore
internal import Settings
internal import VideoEncoders

/// Chooses the output's bit depth and chroma subsampling.
extension VideoSettings {
  /// Returns the format that follows from settings, profile, codec and the output's color.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if HDR would have to fit into 8 bits.
  func outputFormat(
    of source: PixelFormat, color: ColorDescription, subsampling: ChromaSubsampling
  ) throws -> PixelFormat {
    let isHDR = color.transferCharacteristics.isHDR
    let format =
      // Encoders need planar frames, however the samples were arranged before.
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

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if a side is odd and chroma is
  ///   subsampled in that direction.
  func refuseOddSize(in format: PixelFormat) throws {
    let subsampling = format.chromaSubsampling
    for (key, side, shift) in [
      ("width", width, subsampling.horizontalShift),
      ("height", height, subsampling.verticalShift),
    ] {
      if let side, shift > 0, side % 2 == 1 {
        throw SettingsReader.error(
          "video.\(key)",
          "is \(side), but \(subsampling.rawValue) frames need an even \(key): "
            + "\(side - 1) or \(side + 1)")
      }
    }
  }

  /// Returns the chroma subsampling of the output.
  func outputSubsampling(of frameSource: FrameSource) -> ChromaSubsampling {
    if let stated = pixelFormat?.chromaSubsampling { return stated }
    if let profile = profileLevel?.profile { return profile.chromaSubsampling }
    // If no format, profile or color is set, the output keeps the source's subsampling, provided
    // that the output's codec supports it. But Dolby Vision needs 4:2:0.
    let source = frameSource.originalFormat.chromaSubsampling
    let kept = (codec ?? .usual).encoder.keptSubsamplings
    guard kept.contains(.cs420) else { return kept.first ?? .cs420 }
    let matchesSource =
      colorProperties == nil && kept.contains(source)
      && !DolbyVisionRPU.isPresent(in: frameSource.facts.hdrMetadata)
    return matchesSource ? source : .cs420
  }

  private func outputDepth(of source: PixelFormat, isHDR: Bool) -> Int {
    if let depths = profileLevel?.profile.bitDepths {
      return min(max(source.bitDepth, depths.lowerBound), depths.upperBound)
    }
    let encoder = (codec ?? .usual).encoder
    // HDR does not fit into 8 bits, and with 8 bits a deeper source would show bands.
    guard source.bitDepth > 8 || isHDR || !encoder.bitDepths.contains(8) else { return 8 }
    return encoder.usualBitDepth
  }
}
