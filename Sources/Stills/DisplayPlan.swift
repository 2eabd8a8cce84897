// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorConversion
internal import Host
internal import ISOBMFF
package import MediaCore
internal import Planning
package import Settings
internal import Shots

/// Converts single frames to a requested shape and color, as a transcode with the same settings
/// does.
package struct DisplayPlan: Sendable {
  package let track: AssetTrack
  /// Notices about assumptions, and about what cannot be shown.
  package let notices: [Notice]

  private let settings: VideoSettings
  private let fitting: StillOptions.Shots
  private let sourceColor: ColorDescription?
  private let shape: ShapePlan
  /// The frames after their shape is changed, with chroma for every pixel if necessary.
  private let frameSource: FrameSource
  /// The conversion to 4:4:4, if an edge of the result would divide a sample of chroma; otherwise
  /// `nil`.
  private let chroma: ConversionPlan?
  /// The conversion to R'G'B' in the colors of the result.
  private let signal: SignalPlan
  /// The conversion from R'G'B' to the requested Y'CbCr; `nil` if R'G'B' is wanted.
  private let coding: ConversionPlan?
  private let geometry: ScaledGeometry
  /// The shots of the source; `nil` if no curve is fitted to them.
  private let shots: ShotPlan?

  package var size: VideoDimensions { geometry.size }
  /// What the results' code values mean.
  package var result: SignalDescription { (coding ?? signal.conversion).target.signal }
  /// The color that the source is assumed to have.
  package var believedColor: ColorDescription { signal.tags.signal.color }
  /// The source's static HDR metadata.
  package var staticHDRMetadata: StaticHDRMetadata {
    frameSource.facts.hdrMetadata.staticMetadata
  }

  /// Plans how frames of a track are shown.
  ///
  /// - Parameters:
  ///   - settings: the format and the color of the results. Without a color, results keep the
  ///     source's.
  ///   - fitting: the light that tone curves are fitted to. It must be decided, so not `auto`.
  ///   - sourceColor: the color of the source, which replaces the file's color tags; `nil` to use
  ///     the tags.
  ///   - matrix: the matrix of results that keep the source's color.
  ///   - isExact: whether sides may be odd.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the frames cannot be shown this way.
  package init(
    of track: AssetTrack, settings: VideoSettings, fitting: StillOptions.Shots,
    sourceColor: ColorDescription? = nil, matrix: MatrixCoefficients = .identity,
    isExact: Bool = true
  ) throws {
    do {
      try self.init(
        planning: track, settings, fitting, sourceColor, matrix: matrix, isExact: isExact)
    } catch let error as TranscodingError {
      throw error.of(track.path)
    }
  }

  private init(
    planning track: AssetTrack, _ settings: VideoSettings, _ fitting: StillOptions.Shots,
    _ sourceColor: ColorDescription?, matrix: MatrixCoefficients, isExact: Bool
  ) throws {
    precondition(fitting != .auto, "the fitting is decided")
    (self.track, self.fitting, self.sourceColor) = (track, fitting, sourceColor)
    let source = try FrameSource(track)
    // This is called only to refuse Dolby Vision whose frames cannot be converted.
    _ = try source.dolbyVisionSource()
    shape = try ShapePlan(of: source, track: track, settings: settings)
    let (tags, assumed) = Self.tags(of: shape.result, sourceColor)
    var settings = settings
    if settings.colorProperties == nil {
      settings.colorProperties = tags.signal.color
      settings.colorProperties?.matrixCoefficients = matrix
    }
    self.settings = settings
    geometry = Self.geometry(of: shape.result, settings, isExact: isExact)
    (frameSource, chroma) = try Self.whole(shape.result, tags, geometry)
    signal = try Self.signal(of: frameSource, tags, settings)
    coding = try Self.coding(signal.conversion.target, settings)
    let measuresLight = signal.conversion.measuresLight
    shots =
      try fitting == .source && measuresLight
      ? ShotPlan(
        of: track, Self.signal(of: shape.result, tags, settings).conversion,
        hlgPeakLuminance: settings.conversion.hlgPeakLuminance) : nil
    // If the peak is measured, leave out the notice that an assumed peak is used.
    let isMeasured = fitting != .off && measuresLight
    let assumptions = signal.conversion.assumptions.filter {
      !isMeasured || $0.code != "peakLuminanceAssumed"
    }
    notices = Self.notices(of: shape) + tags.notices + assumed + assumptions
  }

  /// Returns notices about the shape of frames.
  private static func notices(of shape: ShapePlan) -> [Notice] {
    let notices = shape.notices.map { notice in
      // A still has no matrix that could keep the rotation.
      notice == .rotationNotApplied(isKept: true) ? .rotationNotApplied(isKept: false) : notice
    }
    let hasOpacity = shape.result.facts.hasAlpha || shape.result.hasOpacityBeside
    return notices + (hasOpacity ? [.opacityNotCarried] : [])
  }

  /// Returns the tags, completed by assumptions.
  private static func tags(
    of source: FrameSource, _ stated: ColorDescription?
  ) -> (SourceTags, [Notice]) {
    let tags = SourceTags(source.facts, sourceColor: stated)
    var color = tags.signal.color
    // A transcode can leave a tag unspecified, but a still can be shown only if every tag has a
    // meaning.
    let usual = ColorDescription.bt709
    if color.colorPrimaries == .unspecified { color.colorPrimaries = usual.colorPrimaries }
    if color.transferCharacteristics == .unspecified {
      color.transferCharacteristics = usual.transferCharacteristics
    }
    if color.matrixCoefficients == .unspecified {
      color.matrixCoefficients = usual.matrixCoefficients
    }
    guard color != tags.signal.color else { return (tags, []) }
    return (
      SourceTags(source.facts, sourceColor: color), [.colorAssumed(color, of: tags.signal.color)]
    )
  }

  /// Returns the frames and, if an edge would divide a sample of chroma, the conversion that gives
  /// them chroma for every pixel.
  private static func whole(
    _ source: FrameSource, _ tags: SourceTags, _ geometry: ScaledGeometry
  ) throws -> (FrameSource, ConversionPlan?) {
    let facts = source.facts
    guard geometry.divides(facts.format.chromaSubsampling) else { return (source, nil) }
    let format = PixelFormat(bitDepth: facts.format.bitDepth, chromaSubsampling: .cs444)
    var signal = tags.signal
    let old = FrameDescription(
      signal: signal, format: facts.format, isInterlaced: facts.fieldOrder != .progressive)
    signal.chromaLocation = nil
    var whole = source
    whole.facts = facts.changed(format: format)
    let conversion = try ConversionPlan(
      from: old, to: FrameDescription(signal: signal, format: format), options: .exact)
    return (whole, conversion)
  }

  /// Plans the conversion to R'G'B'.
  private static func signal(
    of source: FrameSource, _ tags: SourceTags, _ settings: VideoSettings,
    measuredPeak: Double? = nil
  ) throws -> SignalPlan {
    // All formats are made from R'G'B', so that they have the same colors. Y'CbCr made directly
    // from the source could also contain colors outside R'G'B'.
    var color = settings.colorProperties ?? tags.signal.color
    let isCoded = color.matrixCoefficients != .identity
    color.matrixCoefficients = .identity
    let wanted = RequestedSignal(
      color: color, videoFullRangeFlag: isCoded ? true : settings.videoFullRangeFlag)
    let wantedFormat = settings.pixelFormat ?? source.facts.format
    do {
      return try SignalPlan(
        of: source.facts, tags: tags, wanted: wanted,
        format: PixelFormat(
          bitDepth: isCoded ? 16 : wantedFormat.bitDepth, chromaSubsampling: .cs444),
        options: settings.conversion, measuredPeak: measuredPeak)
    } catch {
      throw TranscodingError(.unusableInput, "\(source.name): \(error)")
    }
  }

  /// Plans the conversion from R'G'B' to the requested Y'CbCr; `nil` if R'G'B' is wanted.
  private static func coding(
    _ rgb: FrameDescription, _ settings: VideoSettings
  ) throws -> ConversionPlan? {
    guard let color = settings.colorProperties, color.matrixCoefficients != .identity else {
      return nil
    }
    let format = settings.pixelFormat ?? rgb.format
    let signal = SignalDescription(
      color: color, videoFullRangeFlag: settings.videoFullRangeFlag,
      chromaLocation: format.chromaSubsampling == .cs420 ? settings.chromaLocation : nil)
    return try ConversionPlan(
      from: rgb, to: FrameDescription(signal: signal, format: format), options: .exact)
  }

  private static func geometry(
    of source: FrameSource, _ settings: VideoSettings, isExact: Bool
  ) -> ScaledGeometry {
    let wanted = settings.pixelFormat?.chromaSubsampling ?? .cs444
    let subsampling = EncodingPlan.coarser(source.facts.format.chromaSubsampling, wanted)
    return ScaledGeometry(
      source: source.facts.size, settings: settings, subsampling: isExact ? .cs444 : subsampling,
      crop: source.part(takenBy: settings, subsampling: subsampling),
      pixels: source.sampleAspectRatio, hasFields: source.facts.fieldOrder != .progressive,
      isExact: isExact)
  }

  /// Converts a decoded frame to what is shown.
  ///
  /// - Throws: ``TranscodingError`` if the frame differs from the first frame in size, format or
  ///   range. A different color is an error, too, unless the caller stated the source's color.
  package func display(_ frame: VideoFrame) throws -> PixelBuffer {
    try FrameSource(track).refuseChange(
      frame, of: track.path, ignoringColor: sourceColor != nil)
    var shaped: [VideoFrame] = []
    // Stills need not be consecutive, so each one gets new shapers, which remember no other frame.
    let shapers = shape.makeShapers()
    try shapers.add(frame) { shaped.append($0) }
    try shapers.finish { shaped.append($0) }
    let shown = shaped.first ?? frame
    var whole = shown
    if let chroma { whole.pixelBuffer = convert(shown.pixelBuffer, by: chroma) }
    let shots = shots ?? ownShot(of: whole.pixelBuffer)
    let conversion = try shots.map { try fitted(to: $0) } ?? signal.conversion
    try FrameConversion(conversion, geometry, size: frameSource.facts.size, shots: shots)
      .convert(&whole)
    return coding.map { convert(whole.pixelBuffer, by: $0) } ?? whole.pixelBuffer
  }

  private func convert(_ picture: PixelBuffer, by plan: ConversionPlan) -> PixelBuffer {
    FrameConverter(plan: plan, width: picture.width, height: picture.height).convert(picture)
  }

  private func ownShot(of picture: PixelBuffer) -> ShotPlan? {
    guard fitting == .frame, signal.conversion.measuresLight else { return nil }
    return ShotPlan(
      of: picture, signal.conversion, hlgPeakLuminance: settings.conversion.hlgPeakLuminance)
  }

  private func fitted(to shots: ShotPlan) throws -> ConversionPlan {
    try Self.signal(of: frameSource, signal.tags, settings, measuredPeak: shots.peak).conversion
  }
}

extension ConversionOptions {
  /// Options for a conversion that only codes the same colors in a different way.
  fileprivate static var exact: ConversionOptions {
    var options = ConversionOptions()
    options.dither = ConversionOptions.Dither.none
    return options
  }
}

extension Notice {
  /// Returns the notice about a color that the source does not declare.
  static func colorAssumed(
    _ color: ColorDescription, of stated: ColorDescription
  ) -> Notice {
    Notice(
      "colorAssumed", ["stated": "\(stated)", "assumed": "\(color)"],
      "the source's color tags are incomplete (\(stated)): \(color) is assumed")
  }
}
