// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import Host
internal import MediaCore

/// Plan of a composition for one source: the format of frames before the compositor gets them, and
/// of those that come out of it.
package struct CompositionPlan: Sendable {
  let compositor: any VideoCompositing
  /// Signal of the decoder's frames, and of those that the compositor is given.
  let signal: SignalPlan
  /// The size of the decoder's frames.
  let sourceSize: VideoDimensions
  /// The formats that results may have.
  let resultFormats: [PixelFormat]
  /// The maker of results.
  let context: RenderContext

  /// - Throws: ``TranscodingError`` where the compositor does not support the request.
  init(
    _ composition: VideoComposition, facts: VideoFacts, tags: SourceTags,
    options: ConversionOptions
  ) throws {
    compositor = composition.compositor
    let space = try Self.space(composition, source: tags.signal.color)
    let formats = compositor.sourcePixelBufferAttributes?.pixelFormats
    let format = formats.flatMap { $0.contains(facts.format) ? nil : $0.first } ?? facts.format
    if space.transferCharacteristics.isHDR && format.bitDepth < 10 {
      throw TranscodingError(
        .unusableInput,
        "composition: frames are \(space.transferCharacteristics), which does not fit into the "
          + "\(format) of the compositor's sourcePixelBufferAttributes")
    }
    let wanted = WantedSignal(
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
    let own = try compositor.renderSize(forSource: facts.size, format: format)
    let size = composition.renderSize ?? own
    guard size == own || own == facts.size else {
      throw TranscodingError(
        .invalidSettings, "composition: its renderSize is \(size), but its compositor makes \(own)")
    }
    guard size.isPossible else {
      throw TranscodingError(
        .invalidSettings, "composition: its size is \(size)")
    }
    context = RenderContext(
      size: size, pixelFormat: resultFormats[0], signal: signal.conversion.target.signal)
  }

  /// Conversion of the decoder's frames before they are composed.
  var conversion: ConversionPlan { signal.conversion }

  /// The working space, or BT.709 for a compositor that does not support the source's.
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
    guard !composition.hasWorkingSpace else {
      throw TranscodingError(
        .invalidSettings,
        "composition: its working space is \(space), but the compositor does not support it "
          + "(\(lacks))")
    }
    return .bt709
  }

  /// Facts about a file's frames after the composition.
  func facts(from facts: VideoFacts) -> VideoFacts {
    let claims = [SignalClaim(source: .attachments, signal: context.signal)]
    return VideoFacts(
      claims: claims, tags: ResolvedTags(claims), bitstream: nil, size: context.size,
      format: context.pixelFormat,
      isRGB: context.signal.color.matrixCoefficients == .identity, hasAlpha: false,
      fieldOrder: facts.fieldOrder, hdrMetadata: facts.hdrMetadata.ofOtherPictures)
  }
}
