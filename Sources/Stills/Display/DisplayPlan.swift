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

/// Plan for single frames in a wanted shape and color.
///
/// It is what a transcode does with the same settings, but for an encoder.
package struct DisplayPlan: Sendable {
  /// The light that tone curves are fitted to.
  package enum Fitting: Sendable {
    /// Light of the source's shots, as a transcode has it. It takes a look at the whole source.
    case source
    /// Light of each frame by itself.
    case frame
    /// None: one curve, by the peak that the source states.
    case none
  }

  /// The frames' track.
  package let track: AssetTrack
  /// Notices about assumptions.
  package let notices: [Notice]

  private let settings: VideoSettings
  private let fitting: Fitting
  private let sourceColor: ColorDescription?
  private let shape: ShapePlan
  /// The frames after the shape was changed, and chroma brought to every pixel.
  private let pictures: PictureSource
  /// Conversion to 4:4:4 where edges would lie between samples of chroma; nil where none do.
  private let chroma: ConversionPlan?
  /// Conversion to R'G'B', which has the colors of the result.
  private let signal: SignalPlan
  /// Conversion of R'G'B' to the Y'CbCr that is wanted; nil where R'G'B' is.
  private let coding: ConversionPlan?
  private let geometry: ScaledGeometry
  /// The shots of the source; nil where no curve is fitted to them.
  private let shots: ShotPlan?

  /// The size of the results.
  package var size: VideoDimensions { geometry.size }
  /// The meaning of the results.
  package var result: SignalDescription { (coding ?? signal.conversion).target.signal }
  /// The source's color, as it is believed.
  package var believedColor: ColorDescription { signal.tags.signal.color }
  /// The source's static HDR metadata.
  package var staticHDRMetadata: StaticHDRMetadata {
    pictures.facts.hdrMetadata.staticMetadata
  }

  /// Plans the display of a track.
  ///
  /// - Parameters:
  ///   - settings: the format and the color of the results. Both have to be there.
  ///   - fitting: the light that tone curves are fitted to.
  ///   - sourceColor: the meaning of the source's colors, whatever the file says; nil to believe
  ///     it.
  ///   - matrix: the matrix of results that keep the source's color.
  ///   - isExact: true if sides may be odd.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for frames that cannot be shown so.
  package init(
    of track: AssetTrack, settings: VideoSettings, fitting: Fitting,
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
    planning track: AssetTrack, _ settings: VideoSettings, _ fitting: Fitting,
    _ sourceColor: ColorDescription?, matrix: MatrixCoefficients, isExact: Bool
  ) throws {
    (self.track, self.fitting, self.sourceColor) = (track, fitting, sourceColor)
    let source = try PictureSource(track)
    _ = try source.dolbyVision()
    shape = try ShapePlan(of: source, track: track, settings: settings)
    let (tags, assumed) = Self.tags(of: shape.result, sourceColor)
    var settings = settings
    if settings.colorProperties == nil {
      settings.colorProperties = tags.signal.color
      settings.colorProperties?.matrixCoefficients = matrix
    }
    self.settings = settings
    geometry = Self.geometry(of: shape.result, settings, isExact: isExact)
    (pictures, chroma) = try Self.whole(shape.result, tags, geometry)
    signal = try Self.signal(of: pictures, tags, settings)
    coding = try Self.coding(signal.conversion.target, settings)
    let measuresLight = signal.conversion.measuresLight
    shots =
      try fitting == .source && measuresLight
      ? ShotPlan(
        of: track, Self.signal(of: shape.result, tags, settings).conversion,
        hlgPeakLuminance: settings.conversion.hlgPeakLuminance) : nil
    // A peak that is measured need not be assumed.
    let isMeasured = fitting != .none && measuresLight
    let assumptions = signal.conversion.assumptions.filter {
      !isMeasured || $0.code != "peakLuminanceAssumed"
    }
    notices = Self.notices(of: shape) + tags.notices + assumed + assumptions
  }

  /// Notices about the shape of frames, in the words of what has no other output than frames.
  private static func notices(of shape: ShapePlan) -> [Notice] {
    let notices = shape.notices.map { notice in
      notice == .rotationNotApplied(isKept: true) ? .rotationNotApplied(isKept: false) : notice
    }
    let hasOpacity = shape.result.facts.hasAlpha || shape.result.hasOpacityBeside
    return notices + (hasOpacity ? [.opacityNotCarried] : [])
  }

  /// The tags, with those assumed that are missing: frames without a meaning cannot be shown.
  private static func tags(
    of source: PictureSource, _ stated: ColorDescription?
  ) -> (SourceTags, [Notice]) {
    let tags = SourceTags(source.facts, sourceColor: stated)
    var color = tags.signal.color
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

  /// The frames with chroma for every pixel where a geometry divides it, and how they get it.
  private static func whole(
    _ source: PictureSource, _ tags: SourceTags, _ geometry: ScaledGeometry
  ) throws -> (PictureSource, ConversionPlan?) {
    let facts = source.facts
    guard geometry.divides(facts.format.chromaSubsampling) else { return (source, nil) }
    let format = PixelFormat(bitDepth: facts.format.bitDepth, chromaSubsampling: .cs444)
    var signal = tags.signal
    let old = PictureDescription(
      signal: signal, format: facts.format, isInterlaced: facts.fieldOrder != .progressive)
    signal.chromaLocation = nil
    var whole = source
    whole.facts = facts.changed(format: format)
    let conversion = try ConversionPlan(
      from: old, to: PictureDescription(signal: signal, format: format), options: .exact)
    return (whole, conversion)
  }

  /// The plan to R'G'B', in which all formats have the same colors: Y'CbCr could hold others.
  private static func signal(
    of source: PictureSource, _ tags: SourceTags, _ settings: VideoSettings,
    measuredPeak: Double? = nil
  ) throws -> SignalPlan {
    var color = settings.colorProperties ?? tags.signal.color
    let isCoded = color.matrixCoefficients != .identity
    color.matrixCoefficients = .identity
    let wanted = WantedSignal(
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

  /// The conversion from R'G'B' to what settings name; nil where that is it.
  private static func coding(
    _ rgb: PictureDescription, _ settings: VideoSettings
  ) throws -> ConversionPlan? {
    guard let color = settings.colorProperties, color.matrixCoefficients != .identity else {
      return nil
    }
    let format = settings.pixelFormat ?? rgb.format
    let signal = SignalDescription(
      color: color, videoFullRangeFlag: settings.videoFullRangeFlag,
      chromaLocation: format.chromaSubsampling == .cs420 ? settings.chromaLocation : nil)
    return try ConversionPlan(
      from: rgb, to: PictureDescription(signal: signal, format: format), options: .exact)
  }

  private static func geometry(
    of source: PictureSource, _ settings: VideoSettings, isExact: Bool
  ) -> ScaledGeometry {
    let wanted = settings.pixelFormat?.chromaSubsampling ?? .cs444
    let subsampling = EncodingPlan.coarser(source.facts.format.chromaSubsampling, wanted)
    return ScaledGeometry(
      source: source.facts.size, settings: settings, subsampling: isExact ? .cs444 : subsampling,
      crop: source.part(takenBy: settings, subsampling: subsampling),
      pixels: source.sampleAspectRatio, hasFields: source.facts.fieldOrder != .progressive,
      isExact: isExact)
  }

  /// A decoded frame as it is shown.
  ///
  /// - Throws: ``TranscodingError`` for a frame that is not like the first.
  package func display(_ frame: VideoFrame) throws -> PixelBuffer {
    try PictureSource(track).refuseChange(
      frame, of: track.path, ignoringColor: sourceColor != nil)
    var shaped: [VideoFrame] = []
    if let shapers = shape.makeShapers() {
      try shapers.add(frame) { shaped.append($0) }
      try shapers.finish { shaped.append($0) }
    }
    let shown = shaped.first ?? frame
    let picture = chroma.map { convert(shown.pixelBuffer, by: $0) } ?? shown.pixelBuffer
    let shots = shots ?? ownShot(of: picture)
    let conversion = try shots.map { try fitted(to: $0) } ?? signal.conversion
    let result = try PictureConversion(
      conversion, geometry, size: pictures.facts.size, shots: shots
    ).convert(picture, at: shown.presentationTimeStamp)
    return coding.map { convert(result, by: $0) } ?? result
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
    try Self.signal(of: pictures, signal.tags, settings, measuredPeak: shots.peak).conversion
  }
}

extension ConversionOptions {
  /// Options of a conversion that only codes the same colors in another way.
  fileprivate static var exact: ConversionOptions {
    var options = ConversionOptions()
    options.dither = ConversionOptions.Dither.none
    return options
  }
}

extension Notice {
  /// Color that nothing states.
  static func colorAssumed(
    _ color: ColorDescription, of stated: ColorDescription
  ) -> Notice {
    Notice(
      "colorAssumed", ["stated": "\(stated)", "assumed": "\(color)"],
      "the source does not say what all of its colors mean (\(stated)): \(color) is assumed")
  }
}
