internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import MediaCore

/// What a composition means for one source: what frames become before the compositor gets them, and
/// what comes out of it.
struct CompositionPlan: Sendable {
  let compositor: any VideoCompositing
  /// From the decoder's pictures to those that the compositor is given.
  let conversion: ConversionPlan
  /// The size of the decoder's pictures.
  let sourceSize: VideoDimensions
  /// The formats that results may have.
  let resultFormats: [PixelFormat]
  /// Where results are made.
  let context: RenderContext

  /// - Throws: ``TranscodingError`` where the compositor does not support what is asked of it.
  init(
    _ composition: VideoComposition, facts: VideoFacts, tags: SourceTags,
    options: ConversionOptions
  ) throws {
    compositor = composition.compositor
    let space = try Self.space(composition, source: tags.signal.color)
    let formats = compositor.sourcePixelBufferAttributes?.pixelFormats
    let format = formats.map { $0.contains(facts.format) ? facts.format : $0[0] } ?? facts.format
    if space.transferCharacteristics.isHDR && format.bitDepth < 10 {
      throw TranscodingError(
        .unusableInput,
        "composition: frames are \(space.transferCharacteristics), which does not fit into the "
          + "\(format) of the compositor's sourcePixelBufferAttributes")
    }
    let carried = space.carried(by: format.chromaSubsampling)
    let decision = TaggingDecision(
      source: tags.signal.color, colorProperties: carried.isUnspecified ? nil : carried)
    var signal = tags.signal
    signal.color = decision.source
    let source = PictureDescription(facts, signal: signal)
    signal.color = decision.output
    // The full range of R'G'B' says nothing of the Y'CbCr that is made of it.
    if carried != space { signal.videoFullRangeFlag = false }
    do {
      conversion = try ConversionPlan(
        from: source, to: PictureDescription(signal: signal, format: format), options: options)
    } catch {
      throw TranscodingError(.unusableInput, "composition: \(error)")
    }
    sourceSize = facts.size
    resultFormats =
      compositor.requiredPixelBufferAttributesForRenderContext?.pixelFormats ?? [format]
    let size = try compositor.renderSize(forSource: facts.size, format: format)
    guard (1...16_384).contains(size.width), (1...16_384).contains(size.height) else {
      throw TranscodingError(
        .invalidSettings, "composition: its size is \(size)")
    }
    context = RenderContext(size: size, pixelFormat: resultFormats[0], signal: signal)
  }

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

  /// What a file's pictures are after the composition.
  func facts(from facts: VideoFacts) -> VideoFacts {
    let claims = [SignalClaim(source: .attachments, signal: context.signal)]
    return VideoFacts(
      claims: claims, tags: TagResolver.resolve(claims), bitstream: nil, size: context.size,
      format: context.pixelFormat,
      isRGB: context.signal.color.matrixCoefficients == .identity, hasAlpha: false,
      fieldOrder: facts.fieldOrder, hdrMetadata: facts.hdrMetadata.ofOtherPictures)
  }
}

/// Carries out a composition.
final class CompositionStage: Sendable {
  private let plan: CompositionPlan
  private let converter: FrameConverter?

  init(_ plan: CompositionPlan) {
    self.plan = plan
    converter =
      plan.conversion.isIdentity
      ? nil
      : FrameConverter(
        plan: plan.conversion, width: plan.sourceSize.width, height: plan.sourceSize.height)
  }

  /// Composes what comes out of one queue into the other.
  func run(_ decoded: SessionStages.FrameQueue, _ composed: SessionStages.FrameQueue) throws {
    while let frame = try decoded.pop() { try composed.push(try compose(frame)) }
    composed.finish()
  }

  /// - Throws: ``TranscodingError`` for a result that is not what was agreed on.
  func compose(_ frame: VideoFrame) throws -> VideoFrame {
    var frame = frame
    let converted = converter?.convert(frame.pixelBuffer) ?? frame.pixelBuffer
    var attachments = converted.attachments
    attachments.signal = plan.conversion.target.signal
    let result = try plan.compositor.compose(
      CompositionRequest(
        sourceFrame: converted.withAttachments(attachments),
        compositionTime: frame.presentationTime, renderContext: plan.context))
    try check(result, at: frame.presentationTime)
    var tagged = result.attachments
    tagged.signal = plan.context.signal
    tagged.dolbyVisionRPU = nil
    frame.pixelBuffer = result.withAttachments(tagged)
    return frame
  }

  private func check(_ result: PixelBuffer, at time: MediaTime) throws {
    let (size, signal) = (plan.context.size, result.attachments.signal)
    var fault: String?
    if !plan.resultFormats.contains(result.format) {
      let formats = plan.resultFormats.map(\.description).joined(separator: ", ")
      fault = "is \(result.format) in place of \(formats)"
    } else if result.format != plan.context.pixelFormat {
      fault = "is \(result.format), others are \(plan.context.pixelFormat)"
    } else if result.size != size {
      fault =
        "has \(result.size) samples in place of \(size)"
    } else if !signal.color.isUnspecified, signal.color != plan.context.signal.color {
      fault = "is tagged \(signal.color) in the working space \(plan.context.signal.color)"
    } else if let range = signal.videoFullRangeFlag,
      range != plan.context.signal.videoFullRangeFlag ?? false
    {
      fault = "is tagged \(range ? "full" : "limited") range, others are not"
    } else if let location = signal.chromaLocation,
      location != plan.context.signal.chromaLocation ?? .left
    {
      fault = "is tagged with chroma location \(location), others are not"
    }
    guard let fault else { return }
    throw TranscodingError(
      .invalidSettings, "the compositor's picture at \(time.seconds) s \(fault)")
  }
}
