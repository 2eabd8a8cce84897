internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import Synchronization

/// A picture with opacity that is laid over frames: a PNG file.
///
/// Its colors are converted to the frames' space, sRGB where the file does not say, with its white
/// at HDR's reference white; then the two are mixed in the frames' own R'G'B' or Y'CbCr.
public struct Overlay: Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// Where the left edge lies in the frame, in luma samples; may be outside.
  public let x: Int
  /// Where the upper edge lies in the frame; may be outside.
  public let y: Int
  /// How opaque the whole is, 0…1.
  public let opacity: Double

  private let image: StillImage
  private let orientation: Orientation
  private let place: PictureLayout.Rectangle
  private let prepared = PreparedOverlay()

  /// Reads a PNG file.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where there is none that can be read.
  public init(path: String, x: Int = 0, y: Int = 0, opacity: Double = 1) throws {
    try self.init(
      path: path, x: x, y: y, opacity: opacity, orientation: .upright, canvas: (0, 0))
  }

  /// A file that lies in the picture as people see it.
  ///
  /// - Parameter canvas: the size of the frames.
  init(
    path: String, x: Int, y: Int, opacity: Double, orientation: Orientation,
    canvas: (width: Int, height: Int)
  ) throws {
    guard (0...1).contains(opacity), [x, y].allSatisfy({ (-100_000...100_000).contains($0) }) else {
      throw TranscodingError(
        .invalidSettings, "composition: an overlay at \(x), \(y) with opacity \(opacity)")
    }
    (self.path, self.x, self.y, self.opacity) = (path, x, y, opacity)
    self.orientation = orientation
    do {
      image = try StillImage(png: path)
    } catch {
      throw TranscodingError(
        .invalidSettings, "composition: the overlay \(path) cannot be read: is it there, and PNG?")
    }
    place = orientation.inFrame(
      PictureLayout.Rectangle(x: x, y: y, width: image.color.width, height: image.color.height),
      frame: canvas)
  }

  /// What is done.
  public var description: String {
    "lay \(path) over it at \(x), \(y)" + (opacity < 1 ? ", opacity \(opacity)" : "")
  }

  /// The columns and rows of a frame that the picture covers, empty where it is outside.
  func visiblePart(of canvas: (width: Int, height: Int)) -> (x: Range<Int>, y: Range<Int>) {
    (
      (place.x..<place.x + place.width).clamped(to: 0..<canvas.width),
      (place.y..<place.y + place.height).clamped(to: 0..<canvas.height)
    )
  }

  /// The frame with the picture over it.
  func blended(over buffer: PixelBuffer, _ context: RenderContext) throws -> PixelBuffer {
    let layers = try prepared.layers(
      of: image, for: buffer.format, context.signal, orientation, place)
    return unsafe context.newPixelBuffer(from: buffer) { planes in
      for component in unsafe planes.indices {
        let (source, target) = unsafe (buffer.planes[component], planes[component])
        let bytes = unsafe source.width * buffer.format.bytesPerSample
        for row in unsafe 0..<source.height {
          unsafe (target.baseAddress + row * target.bytesPerRow).copyMemory(
            from: source.baseAddress + row * source.bytesPerRow, byteCount: bytes)
        }
        unsafe blend(layers[component], into: target, component, buffer.format)
      }
    }
  }

  private func blend(
    _ layer: OverlayLayer, into plane: MutablePlane, _ component: Int, _ format: PixelFormat
  ) {
    let isChroma = component > 0
    let left = place.x >> (isChroma ? format.chromaSubsampling.horizontalShift : 0)
    let top = place.y >> (isChroma ? format.chromaSubsampling.verticalShift : 0)
    let columns = unsafe max(0, -left)..<max(max(0, -left), min(layer.width, plane.width - left))
    let weight = Float(opacity)
    for row in unsafe max(0, -top)..<max(max(0, -top), min(layer.height, plane.height - top)) {
      let line = unsafe plane.baseAddress + (top + row) * plane.bytesPerRow
      for column in columns {
        let index = row * layer.width + column
        let (color, cover) = (layer.color[index] * weight, layer.cover[index] * weight)
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

/// An overlay in the format and color of the frames, worked out at the first of them.
private final class PreparedOverlay: Sendable {
  private struct State {
    let format: PixelFormat
    let signal: SignalDescription
    let layers: [OverlayLayer]
  }

  private let state = Mutex<State?>(nil)

  func layers(
    of image: StillImage, for format: PixelFormat, _ signal: SignalDescription,
    _ orientation: Orientation, _ place: PictureLayout.Rectangle
  ) throws -> [OverlayLayer] {
    try state.withLock { state in
      if let state, state.format == format, state.signal == signal { return state.layers }
      let layers = try Self.make(image, format, signal, orientation, place)
      state = State(format: format, signal: signal, layers: layers)
      return layers
    }
  }

  private static func make(
    _ image: StillImage, _ format: PixelFormat, _ signal: SignalDescription,
    _ orientation: Orientation, _ place: PictureLayout.Rectangle
  ) throws -> [OverlayLayer] {
    let full = try converted(image.color, format, signal)
    let size = orientation.turned((full.width, full.height))
    return (0..<format.planeCount).map { component in
      let codes = orientation.inFrame(
        samples(full, component), width: full.width, height: full.height)
      let opacity = orientation.inFrame(image.opacity, width: full.width, height: full.height)
      let (shiftX, shiftY) =
        component > 0
        ? (format.chromaSubsampling.horizontalShift, format.chromaSubsampling.verticalShift)
        : (0, 0)
      return OverlayLayer(
        codes: codes, opacity: opacity, size: size, shift: (shiftX, shiftY),
        // Where the first pixel lies inside of its sample.
        phase: (place.x & ((1 << shiftX) - 1), place.y & ((1 << shiftY) - 1)))
    }
  }

  /// The code values of a component, row by row.
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

  /// The picture in the frames' color and depth, with as many chroma samples as luma samples.
  private static func converted(
    _ picture: PixelBuffer, _ format: PixelFormat, _ signal: SignalDescription
  ) throws -> PixelBuffer {
    var color = picture.attachments.signal.color
    if !color.colorPrimaries.isSpecified { color.colorPrimaries = .bt709 }
    if !color.transferCharacteristics.isSpecified { color.transferCharacteristics = .sRGB }
    color.matrixCoefficients = picture.format.componentCount == 1 ? .bt709 : .identity
    var target = signal
    // What is not known of the frames is taken for BT.709's, as readers do.
    if !target.color.colorPrimaries.isSpecified { target.color.colorPrimaries = .bt709 }
    if !target.color.transferCharacteristics.isSpecified {
      target.color.transferCharacteristics = .bt709
    }
    if !target.color.matrixCoefficients.isSpecified {
      target.color.matrixCoefficients =
        target.color.colorPrimaries == .bt2020 ? .bt2020NonConstant : .bt709
    }
    let subsampling: ChromaSubsampling =
      format.chromaSubsampling == .cs400 ? .cs400 : .cs444
    do {
      let plan = try ConversionPlan(
        from: PictureDescription(
          signal: SignalDescription(color: color, videoFullRangeFlag: true),
          format: picture.format),
        to: PictureDescription(
          signal: SignalDescription(
            color: target.color, videoFullRangeFlag: target.videoFullRangeFlag ?? false),
          format: PixelFormat(bitDepth: format.bitDepth, chromaSubsampling: subsampling)))
      guard !plan.isIdentity else { return picture }
      return FrameConverter(plan: plan, width: picture.width, height: picture.height)
        .convert(picture)
    } catch {
      throw TranscodingError(.invalidSettings, "composition: the overlay: \(error)")
    }
  }
}
