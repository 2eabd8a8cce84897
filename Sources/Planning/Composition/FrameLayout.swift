// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
internal import Host
internal import LibAV
public import MediaCore

/// The built-in compositor: crops, scales, pads, then lays a still image over the result.
public struct FrameLayout: VideoCompositing {
  /// The part of the frame to keep, or `nil` for all of it.
  public var crop: PixelRectangle?
  /// The size to scale the kept part to, or `nil` to keep its size.
  public var scale: VideoDimensions?
  /// The size of a black canvas with the scaled part in its middle, or `nil` for no canvas.
  public var pad: VideoDimensions?
  /// The still image to lay over the result, if any.
  public var overlay: Overlay?

  /// Whether frames are interlaced. If they are, each field is scaled separately, if possible.
  var hasFields = false

  /// How the frames are turned for viewers. Errors name sizes as viewers see them.
  var orientation = Orientation.upright

  /// Always true: frames stay in their color space, whichever it is.
  public let supportsWideColorSourceFrames = true
  /// Always true: nothing here depends on the transfer function.
  public let supportsHDRSourceFrames = true

  /// The most recent scaler, and what it was made for. Setting up a scaler computes filter tables,
  /// which all frames of a track can share.
  private let scaler = Exclusive<CachedScaler?>(nil)

  private typealias CachedScaler = (
    geometry: FrameScaler.Geometry, format: PixelFormat, signal: SignalDescription,
    scaler: FrameScaler
  )

  /// Makes a layout that changes nothing yet.
  public init() {}

  /// Returns the size of the result.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the crop is not inside the frame,
  ///   if the canvas is smaller than the frame placed on it, if a position or size is odd although
  ///   chroma is subsampled, or if the size or the pixel format is not supported.
  public func renderSize(
    forSource size: VideoDimensions, format: PixelFormat
  ) throws -> VideoDimensions {
    func refuse(_ problem: String) -> TranscodingError {
      TranscodingError(.invalidSettings, "composition: \(problem)")
    }
    guard min(size.width, size.height) > 0 else {
      throw refuse("\(size) is not a valid frame size")
    }
    let part = crop ?? PixelRectangle(whole: size)
    guard (0..<size.width).contains(part.x), (0..<size.height).contains(part.y),
      (1...size.width - part.x).contains(part.width),
      (1...size.height - part.y).contains(part.height)
    else { throw refuse("crop is not inside the frame of \(orientation.turned(size))") }
    let inner = scale ?? part.size
    let canvas = pad ?? inner
    for size in [inner, canvas] where !size.isPossible {
      throw refuse("\(orientation.turned(size)) is not a valid frame size")
    }
    guard inner.width <= canvas.width, inner.height <= canvas.height else {
      throw refuse(
        "pad is \(orientation.turned(canvas)), smaller than the \(orientation.turned(inner)) frame "
          + "placed on it")
    }
    guard format.layout == .planar else {
      throw refuse("frames are \(format); the built-in layout needs planar frames")
    }
    let across = format.chromaSubsampling.horizontalShift > 0
    let down = format.chromaSubsampling.verticalShift > 0
    // The source's own size may be odd. What the layout crops or makes must be even.
    let isMade = scale != nil || pad != nil
    let columns =
      (crop == nil ? [] : [part.x, part.width]) + (isMade ? [inner.width, canvas.width] : [])
    let rows =
      (crop == nil ? [] : [part.y, part.height]) + (isMade ? [inner.height, canvas.height] : [])
    if (across && columns.contains { $0 % 2 == 1 }) || (down && rows.contains { $0 % 2 == 1 }) {
      throw refuse("positions and sizes must be even in \(format.chromaSubsampling.rawValue)")
    }
    return canvas
  }

  /// Returns the shape of a sample after scaling.
  public func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, forSource size: VideoDimensions
  ) -> PixelAspectRatio? {
    guard let scale else { return ratio }
    let part = crop ?? PixelRectangle(whole: size)
    return ratio.scaled(from: part.size, to: scale)
  }

  /// Crops, scales, pads and overlays one frame.
  public func compose(_ request: CompositionRequest) throws -> PixelBuffer {
    var buffer = request.sourceFrame
    let size = request.renderContext.size
    guard try size == renderSize(forSource: buffer.size, format: buffer.format) else {
      throw TranscodingError(
        .invalidSettings,
        "composition: to get frames of \(size), scale or pad in the layout instead of setting "
          + "renderSize")
    }
    if crop != nil || scale != nil || pad != nil {
      buffer = try scaled(buffer, geometry(forSource: buffer.size, canvas: size))
    }
    guard let overlay else { return buffer }
    return try overlay.blended(over: buffer, request.renderContext)
  }

  private func scaled(
    _ buffer: PixelBuffer, _ geometry: FrameScaler.Geometry
  ) throws -> PixelBuffer {
    let (format, signal) = (buffer.format, buffer.attachments.signal)
    return try scaler.use { kept in
      if kept?.geometry != geometry || kept?.format != format || kept?.signal != signal {
        let scaler = try FrameScaler(
          format: format, signal: signal, geometry: geometry, byFields: hasFields)
        kept = (geometry, format, signal, scaler)
      }
      return try kept?.scaler.scale(buffer) ?? buffer
    }
  }

  /// Returns where the active area is in the result.
  ///
  /// - Returns: `nil` if no part of the area is left, or if the overlay reaches beyond the area. In
  ///   both cases, `nil` means the whole frame.
  public func activeArea(
    of area: PixelRectangle, forSource size: VideoDimensions
  ) -> PixelRectangle? {
    let canvas = pad ?? scale ?? crop?.size ?? size
    let place = geometry(forSource: size, canvas: canvas).place(of: area)
    guard place.width > 0, place.height > 0 else { return nil }
    // An overlay on a black bar is content, too, so the bar is no longer a bar.
    guard let overlay, overlay.opacity > 0 else { return place }
    let visible = overlay.visiblePart(of: canvas)
    return visible.x.clamped(to: place.x..<place.x + place.width) == visible.x
      && visible.y.clamped(to: place.y..<place.y + place.height) == visible.y ? place : nil
  }

  private func geometry(
    forSource size: VideoDimensions, canvas: VideoDimensions
  ) -> FrameScaler.Geometry {
    let part = crop ?? PixelRectangle(whole: size)
    let inner = scale ?? part.size
    // In interlaced 4:2:0, two rows of chroma belong together. They cover four rows of luma.
    let rows = hasFields ? 4 : 2
    return FrameScaler.Geometry(
      source: part,
      target: .init(
        x: (canvas.width - inner.width) / 4 * 2,
        y: (canvas.height - inner.height) / (2 * rows) * rows,
        width: inner.width, height: inner.height),
      size: canvas)
  }

  /// Returns whether fields have to be scaled together.
  func mixesFields(of size: VideoDimensions, _ subsampling: ChromaSubsampling) -> Bool {
    let canvas = pad ?? scale ?? crop?.size ?? size
    let geometry = geometry(forSource: size, canvas: canvas)
    return hasFields && geometry.changesRows && !geometry.dividesFields(subsampling)
  }

  /// The steps as text, a line each.
  public var stepDescriptions: [String] {
    var steps: [String] = []
    if let crop { steps.append("crop to \(crop.size) at \(crop.x), \(crop.y)") }
    if let scale { steps.append("scale to \(scale) with Lanczos filters") }
    if let pad { steps.append("pad with black to \(pad)") }
    if let overlay { steps.append(overlay.description) }
    return steps
  }
}
