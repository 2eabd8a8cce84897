internal import CodePoints
internal import ColorTagging
internal import MediaCore
internal import Settings

/// What the output is tagged with.
enum OutputTags {
  /// Applies the rules, with what follows from a codec that cannot carry the source's signal.
  static func decide(
    _ source: ColorDescription, settings: VideoSettings, sourceFormat: PixelFormat
  ) -> TaggingDecision {
    var wanted = settings.colorProperties
    if wanted == nil, !settings.allowWideColor, source.isWideOrHDR { wanted = .bt709 }
    let carried = source.carried(by: OutputFormat.subsampling(settings))
    if wanted == nil, carried != source {
      return TaggingDecision(propagating: source, with: carried)
    }
    return TaggingDecision(source: source, colorProperties: wanted)
  }
}
