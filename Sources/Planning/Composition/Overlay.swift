// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
internal import Host
internal import LibAV
internal import MediaCore

/// A still image with opacity, which is read from a PNG file and laid over frames.
///
/// The image's colors are sRGB if the file declares none. They are converted to the frames' color
/// space. In HDR, the image's white becomes reference white. After that, image and frame are mixed
/// in the frame's R'G'B' or Y'CbCr.
public struct Overlay: Sendable, CustomStringConvertible {
  /// The path of the PNG file.
  package let path: String
  /// The left edge in the frame, in luma samples. It may be outside the frame.
  package let x: Int
  /// The top edge in the frame, in luma rows. It may be outside the frame.
  package let y: Int
  /// The opacity of the whole image, 0…1.
  package let opacity: Double

  private let image: DecodedFrame
  private let orientation: Orientation
  private let place: PixelRectangle
  /// The layers for the most recent kind of frames. They are kept because converting the image
  /// costs more than blending it, and all frames of a track are of one kind.
  private let prepared = Exclusive<Prepared?>(nil)

  /// Layers for a format and a signal, and the part of the frame that they cover.
  private typealias Prepared = (
    format: PixelFormat, signal: SignalDescription, part: PixelRectangle, layers: [OverlayLayer]
  )

  /// Reads a PNG file.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the file is missing or cannot be
  ///   used.
  public init(path: String, x: Int = 0, y: Int = 0, opacity: Double = 1) throws {
    try self.init(
      path: path, x: x, y: y, opacity: opacity, orientation: .upright,
      canvas: VideoDimensions(width: 0, height: 0))
  }

  /// Reads a PNG file. Its position refers to the frame as viewers see it.
  ///
  /// - Parameter canvas: the size of the frames.
  init(
    path: String, x: Int, y: Int, opacity: Double, orientation: Orientation,
    canvas: VideoDimensions
  ) throws {
    guard (0...1).contains(opacity), [x, y].allSatisfy({ (-100_000...100_000).contains($0) }) else {
      throw TranscodingError(
        .invalidSettings,
        "composition: an overlay is at \(x), \(y) with opacity \(opacity): positions must be "
          + "-100000 to 100000, and opacity 0 to 1")
    }
    (self.path, self.x, self.y, self.opacity) = (path, x, y, opacity)
    self.orientation = orientation
    do {
      // The file is read twice, and a pipe would be empty the second time.
      guard PosixPath.kind(of: path) == .file else { throw PNGFault.notPNG }
      try PNGFault.check(FileByteSource(path: path))
      image = try DecodedFrame.png(path)
    } catch PNGFault.tooLarge(let reason) {
      throw TranscodingError(
        .invalidSettings, "composition: the overlay \(path) is too large: \(reason)")
    } catch {
      throw TranscodingError(
        .invalidSettings,
        "composition: the overlay \(path) cannot be read: does it exist, and is it a PNG file?")
    }
    place = orientation.inFrame(
      PixelRectangle(x: x, y: y, width: image.pixelBuffer.width, height: image.pixelBuffer.height),
      frame: canvas)
  }

  /// The step as text: the file, its place and its opacity.
  public var description: String {
    "overlay \(path) at \(x), \(y)" + (opacity < 1 ? ", opacity \(opacity)" : "")
  }

  /// Returns the columns and rows of a frame that the image covers. They are empty if the image is
  /// outside the frame.
  func visiblePart(of canvas: VideoDimensions) -> (x: Range<Int>, y: Range<Int>) {
    (
      (place.x..<place.x + place.width).clamped(to: 0..<canvas.width),
      (place.y..<place.y + place.height).clamped(to: 0..<canvas.height)
    )
  }

  /// Returns a copy of the frame with the image over it.
  func blended(over buffer: PixelBuffer, _ context: RenderContext) throws -> PixelBuffer {
    // The source frame may be shared, so it is never written to.
    let (layers, part) = try layers(over: buffer, context.signal)
    return unsafe context.newPixelBuffer(from: buffer) { planes in
      for component in unsafe planes.indices {
        let (source, target) = unsafe (buffer.planes[component], planes[component])
        let bytes = unsafe source.width * buffer.format.bytesPerSample
        for row in unsafe 0..<source.height {
          unsafe (target.baseAddress + row * target.bytesPerRow).copyMemory(
            from: source.baseAddress + row * source.bytesPerRow, byteCount: bytes)
        }
        guard layers.indices.contains(component) else { continue }
        unsafe blend(layers[component], at: part, into: target, component, buffer.format)
      }
    }
  }

  /// Returns the layers over a frame and the part that they cover, or no layers if the image is
  /// outside the frame.
  private func layers(
    over buffer: PixelBuffer, _ signal: SignalDescription
  ) throws -> ([OverlayLayer], PixelRectangle) {
    // In subsampled frames with odd sides, the last chroma sample covers a column or row beyond the
    // edge.
    let visible = visiblePart(
      of: VideoDimensions(
        width: (buffer.width + 1) / 2 * 2, height: (buffer.height + 1) / 2 * 2))
    let part = PixelRectangle(
      x: visible.x.lowerBound, y: visible.y.lowerBound, width: visible.x.count,
      height: visible.y.count)
    guard part.width > 0, part.height > 0 else { return ([], part) }
    let format = buffer.format
    let layers = try prepared.use { known in
      if let known, known.format == format, known.signal == signal, known.part == part {
        return known.layers
      }
      let made = try self.layers(covering: part, format, signal)
      known = (format, signal, part, made)
      return made
    }
    return (layers, part)
  }

  private func blend(
    _ layer: OverlayLayer, at part: PixelRectangle, into plane: PixelBuffer.MutablePlane,
    _ component: Int, _ format: PixelFormat
  ) {
    let isChroma = component > 0
    let left = part.x >> (isChroma ? format.chromaSubsampling.horizontalShift : 0)
    let top = part.y >> (isChroma ? format.chromaSubsampling.verticalShift : 0)
    let columns = unsafe max(0, -left)..<max(max(0, -left), min(layer.width, plane.width - left))
    let weight = Float(opacity)
    for row in unsafe max(0, -top)..<max(max(0, -top), min(layer.height, plane.height - top)) {
      let line = unsafe plane.baseAddress + (top + row) * plane.bytesPerRow
      for column in columns {
        let index = row * layer.width + column
        let (color, cover) = (layer.color[index] * weight, layer.cover[index] * weight)
        // Most of a logo's rectangle is transparent. There, the frame must keep its exact code
        // values.
        guard cover > 0 else { continue }
        if format.bytesPerSample == 1 {
          let sample = unsafe line.assumingMemoryBound(to: UInt8.self) + (left + column)
          unsafe sample.pointee = UInt8(
            clamping: Int((Float(sample.pointee) * (1 - cover) + color).rounded()))
        } else {
          let sample = unsafe line.assumingMemoryBound(to: UInt16.self) + (left + column)
          let value = Int((unsafe Float(sample.pointee) * (1 - cover) + color).rounded())
          unsafe sample.pointee = UInt16(clamping: min(value, (1 << format.bitDepth) - 1))
        }
      }
    }
  }
}

extension Overlay {
  /// Makes the layers in the format and color of the frames.
  ///
  /// - Parameter visible: the covered part of a frame.
  private func layers(
    covering visible: PixelRectangle, _ format: PixelFormat, _ signal: SignalDescription
  ) throws -> [OverlayLayer] {
    // The image is upright for viewers. So crop it in the viewer's coordinates, then reorder it for
    // the frame.
    let part = orientation.inPicture(
      PixelRectangle(
        x: visible.x - place.x, y: visible.y - place.y, width: visible.width,
        height: visible.height),
      frame: place.size)
    let full = try Self.converted(Self.cropped(image.pixelBuffer, to: part), format, signal)
    let opacity = orientation.inFrame(
      image.opacity(in: part), width: full.width, height: full.height)
    return (0..<format.planeCount).map { component in
      let codes = orientation.inFrame(
        Self.samples(full, component), width: full.width, height: full.height)
      let (shiftX, shiftY) =
        component > 0
        ? (format.chromaSubsampling.horizontalShift, format.chromaSubsampling.verticalShift)
        : (0, 0)
      return OverlayLayer(
        codes: codes, opacity: opacity, size: visible.size, shift: (shiftX, shiftY),
        // A chroma sample may begin before the image's first pixel.
        phase: (visible.x & ((1 << shiftX) - 1), visible.y & ((1 << shiftY) - 1)))
    }
  }

  /// Returns a part of a 4:4:4 image.
  private static func cropped(
    _ picture: PixelBuffer, to part: PixelRectangle
  ) -> PixelBuffer {
    guard part.size != picture.size else { return picture }
    let pool = PixelBufferPool(picture.format, width: part.width, height: part.height)
    let bytes = picture.format.bytesPerSample
    return unsafe pool.makeBuffer(attachments: picture.attachments) { planes in
      for component in unsafe planes.indices {
        let (source, target) = unsafe (picture.planes[component], planes[component])
        for row in 0..<part.height {
          unsafe (target.baseAddress + row * target.bytesPerRow).copyMemory(
            from: source.baseAddress + (part.y + row) * source.bytesPerRow + part.x * bytes,
            byteCount: part.width * bytes)
        }
      }
    }
  }

  /// Returns the code values of a component, row by row.
  private static func samples(_ buffer: PixelBuffer, _ component: Int) -> [Float] {
    let plane = unsafe buffer.planes[component]
    var samples: [Float] = []
    for y in 0..<buffer.height {
      let row = unsafe plane.baseAddress + y * plane.bytesPerRow
      for x in 0..<buffer.width {
        samples.append(
          buffer.format.bytesPerSample == 1
            ? unsafe Float(row.load(fromByteOffset: x, as: UInt8.self))
            : unsafe Float(row.load(fromByteOffset: 2 * x, as: UInt16.self)))
      }
    }
    return samples
  }

  /// Converts an image to the frames' color and depth, in 4:4:4.
  private static func converted(
    _ picture: PixelBuffer, _ format: PixelFormat, _ signal: SignalDescription
  ) throws -> PixelBuffer {
    let sRGB = ColorDescription(.bt709, .sRGB, .unspecified)
    var color = picture.attachments.signal.color.completed(from: sRGB)
    // R'G'B' has the identity matrix (H.273, 8.3). Gray has no chroma, so any matrix of Y'CbCr
    // gives the same result.
    color.matrixCoefficients = picture.format.componentCount == 1 ? .bt709 : .identity
    // Keep full chroma, because each pixel's color is weighted with its opacity before samples are
    // averaged.
    let subsampling: ChromaSubsampling =
      format.chromaSubsampling == .cs400 ? .cs400 : .cs444
    do {
      let plan = try ConversionPlan(
        from: FrameDescription(
          signal: SignalDescription(color: color, videoFullRangeFlag: true),
          format: picture.format),
        to: FrameDescription(
          signal: SignalDescription(
            color: signal.color.completed(),
            videoFullRangeFlag: signal.videoFullRangeFlag ?? false),
          format: PixelFormat(bitDepth: format.bitDepth, chromaSubsampling: subsampling)))
      guard !plan.isIdentity else { return picture }
      return FrameConverter(plan: plan, width: picture.width, height: picture.height)
        .convert(picture)
    } catch {
      throw TranscodingError(.invalidSettings, "composition: the overlay: \(error)")
    }
  }
}

extension DecodedFrame {
  /// Returns the opacity of the pixels of a part, row by row, 0…1.
  fileprivate func opacity(in part: PixelRectangle) -> [Float] {
    guard let opacity else { return [Float](repeating: 1, count: part.width * part.height) }
    let scale = 1 / Float(opacity.maximum)
    return (part.y..<part.y + part.height).flatMap { row in
      let start = row * pixelBuffer.width + part.x
      return opacity.values[start..<start + part.width].map { Float($0) * scale }
    }
  }
}
