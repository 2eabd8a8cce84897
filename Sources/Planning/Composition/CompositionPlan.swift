// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import Host
internal import MediaCore

/// A composition planned for one source: the format of frames before and after the compositor.
package struct CompositionPlan: Sendable {
  let compositor: any VideoCompositing
  /// The signal of the decoder's frames, and of the frames that the compositor gets.
  let signal: SignalPlan
  let sourceSize: VideoDimensions
  /// The formats that results may have. New buffers have the first one.
  let resultFormats: [PixelFormat]
  /// Gives the compositor buffers for its results.
  let context: RenderContext

  /// - Throws: ``TranscodingError`` if the compositor does not support the request.
  init(
    _ composition: VideoComposition, facts: VideoFacts, tags: SourceTags,
    options: ConversionOptions
  ) throws {
    compositor = composition.compositor
    let space = try Self.space(composition, source: tags.signal.color)
    let formats = compositor.sourcePixelBufferAttributes?.pixelFormats
    let format = formats.flatMap { $0.contains(facts.format) ? nil : $0.first } ?? facts.format
    // 8 bits are too few for PQ and HLG, because gradients would show bands.
    if space.transferCharacteristics.isHDR && format.bitDepth < 10 {
      throw TranscodingError(
        .unusableInput,
        "composition: frames are \(space.transferCharacteristics), which needs at least 10 bits, "
          + "but would be composed in \(format): change the compositor's "
          + "sourcePixelBufferAttributes")
    }
    let wanted = RequestedSignal(
      color: space == tags.signal.color ? nil : space.carried(by: format.chromaSubsampling))
    do {
      signal = try SignalPlan(
        of: facts, tags: tags, wanted: wanted, format: format, options: options)
    } catch {
      throw TranscodingError(.unusableInput, "composition: \(error)")
    }
    sourceSize = facts.size
    let wantedFormats = compositor.requiredPixelBufferAttributesForRenderContext?.pixelFormats ?? []
    resultFormats = wantedFormats.isEmpty ? [format] : wantedFormats
    // If the compositor changes the size, the composition must not ask for a different size. If the
    // compositor keeps the source's size, the composition may ask for any size.
    let own = try compositor.renderSize(forSource: facts.size, format: format)
    let size = composition.renderSize ?? own
    guard size == own || own == facts.size else {
      throw TranscodingError(
        .invalidSettings,
        "composition: its renderSize is \(size), but its compositor makes frames of \(own)")
    }
    guard size.isPossible else {
      throw TranscodingError(
        .invalidSettings, "composition: its size, \(size), is not a valid frame size")
    }
    context = RenderContext(
      size: size, pixelFormat: resultFormats[0], signal: signal.conversion.target.signal)
  }

  var conversion: ConversionPlan { signal.conversion }

  /// Returns the working space, or BT.709 if the compositor does not support the source's color
  /// space.
  private static func space(
    _ composition: VideoComposition, source: ColorDescription
  ) throws -> ColorDescription {
    let space = composition.workingSpace(for: source)
    let compositor = composition.compositor
    let isHDR = space.transferCharacteristics.isHDR
    let lacks =
      isHDR && !compositor.supportsHDRSourceFrames
      ? "supportsHDRSourceFrames"
      : !isHDR && space.isWideOrHDR && !compositor.supportsWideColorSourceFrames
        ? "supportsWideColorSourceFrames" : nil
    guard let lacks else { return space }
    // Falling back to BT.709 would change colors that the caller chose, so refuse.
    guard !composition.hasWorkingSpace else {
      throw TranscodingError(
        .invalidSettings,
        "composition: its working space is \(space), but the compositor's \(lacks) is false")
    }
    return .bt709
  }

  /// Facts about the composed frames.
  func facts(from facts: VideoFacts) -> VideoFacts {
    // The composed frames are new, so the file's claims about its own frames do not apply to them.
    let claims = [SignalClaim(source: .attachments, signal: context.signal)]
    return VideoFacts(
      claims: claims, tags: ResolvedTags(claims), bitstream: nil, size: context.size,
      format: context.pixelFormat,
      isRGB: context.signal.color.matrixCoefficients == .identity, hasAlpha: false,
      fieldOrder: facts.fieldOrder, hdrMetadata: facts.hdrMetadata.ofOtherPictures)
  }
}
