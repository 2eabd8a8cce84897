// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorConversion
internal import ISOBMFF
package import MediaCore
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
  private let shape: ShapePlan
  private let signal: SignalPlan
  private let geometry: ScaledGeometry
  /// The shots of the source; nil where no curve is fitted to them.
  private let shots: ShotPlan?

  /// The size of the results.
  package var size: VideoDimensions { geometry.size }
  /// The meaning of the results.
  package var result: SignalDescription { signal.conversion.target.signal }
  /// The source's color, as it is believed.
  package var sourceColor: ColorDescription { signal.tags.signal.color }
  /// True if frames are made smaller or larger, which is done before their color is converted.
  package var isScaled: Bool { geometry.isResizing }
  /// True if a tone curve is fitted to light.
  package var measuresLight: Bool { signal.conversion.measuresLight }
  /// The source's static HDR metadata.
  package var staticHDRMetadata: StaticHDRMetadata {
    shape.result.facts.hdrMetadata.staticMetadata
  }

  /// Plans the display of a track.
  ///
  /// - Parameters:
  ///   - settings: the format and the color of the results. Both have to be there.
  ///   - fitting: the light that tone curves are fitted to.
  ///   - matrix: the matrix of results that keep the source's color.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` for frames that cannot be shown so.
  package init(
    of track: AssetTrack, settings: VideoSettings, fitting: Fitting,
    matrix: MatrixCoefficients = .identity
  ) throws {
    (self.track, self.fitting) = (track, fitting)
    let source = try PictureSource(track)
    _ = try source.dolbyVision()
    shape = try ShapePlan(of: source, track: track, settings: settings)
    let (tags, assumed) = Self.tags(of: shape.result)
    var settings = settings
    if settings.colorProperties == nil {
      settings.colorProperties = tags.signal.color
      settings.colorProperties?.matrixCoefficients = matrix
    }
    self.settings = settings
    signal = try Self.signal(of: shape.result, tags, settings)
    geometry = Self.geometry(of: shape.result, signal, settings)
    let isFitted = fitting == .source && signal.conversion.measuresLight
    shots =
      isFitted
      ? try ShotPlan(
        of: track, signal.conversion, hlgPeakLuminance: settings.conversion.hlgPeakLuminance) : nil
    // A peak that is measured need not be assumed.
    let isMeasured = fitting != .none && signal.conversion.measuresLight
    let assumptions = signal.conversion.assumptions.filter {
      !isMeasured || $0.code != "peakLuminanceAssumed"
    }
    notices = shape.notices + tags.notices + assumed + assumptions
  }

  /// The tags, with those assumed that are missing: frames without a meaning cannot be shown.
  private static func tags(of source: PictureSource) -> (SourceTags, [Notice]) {
    let tags = SourceTags(source.facts)
    var color = tags.signal.color
    let lines = source.facts.size.height
    let usual: ColorDescription =
      switch lines {
      case ...480: .bt601With525Lines
      case ...576: .bt601With625Lines
      default: .bt709
      }
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

  private static func signal(
    of source: PictureSource, _ tags: SourceTags, _ settings: VideoSettings
  ) throws -> SignalPlan {
    let wanted = WantedSignal(
      color: settings.colorProperties ?? tags.signal.color,
      videoFullRangeFlag: settings.videoFullRangeFlag,
      chromaLocation: settings.chromaLocation)
    do {
      return try SignalPlan(
        of: source.facts, tags: tags, wanted: wanted,
        format: settings.pixelFormat ?? source.facts.format, options: settings.conversion)
    } catch {
      throw TranscodingError(.unusableInput, "\(source.name): \(error)")
    }
  }

  private static func geometry(
    of source: PictureSource, _ signal: SignalPlan, _ settings: VideoSettings
  ) -> ScaledGeometry {
    let subsampling = EncodingPlan.coarser(
      source.facts.format.chromaSubsampling, signal.conversion.target.format.chromaSubsampling)
    return ScaledGeometry(
      source: source.facts.size, settings: settings, subsampling: subsampling,
      crop: source.part(takenBy: settings, subsampling: subsampling),
      pixels: source.sampleAspectRatio, hasFields: source.facts.fieldOrder != .progressive)
  }

  /// A decoded frame as it is shown.
  ///
  /// - Throws: ``TranscodingError`` for a frame that is not like the first.
  package func display(_ frame: VideoFrame) throws -> PixelBuffer {
    try PictureSource(track).refuseChange(frame, of: track.path)
    var shaped: [VideoFrame] = []
    if let shapers = shape.makeShapers() {
      try shapers.add(frame) { shaped.append($0) }
      try shapers.finish { shaped.append($0) }
    }
    let picture = shaped.first ?? frame
    let shots = shots ?? ownShot(of: picture.pixelBuffer)
    let conversion = try shots.map { try fitted(to: $0) } ?? signal.conversion
    return try PictureConversion(
      conversion, geometry, size: shape.result.facts.size, shots: shots
    ).convert(picture.pixelBuffer, at: picture.presentationTime)
  }

  private func ownShot(of picture: PixelBuffer) -> ShotPlan? {
    guard fitting == .frame, signal.conversion.measuresLight else { return nil }
    return ShotPlan(
      of: picture, signal.conversion, hlgPeakLuminance: settings.conversion.hlgPeakLuminance)
  }

  private func fitted(to shots: ShotPlan) throws -> ConversionPlan {
    var settings = settings
    settings.conversion.measuredPeak = shots.peak
    return try Self.signal(of: shape.result, signal.tags, settings).conversion
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
