// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import MediaCore

/// A maker of frames from frames, one for each of a track: `AVVideoCompositing`.
///
/// It is called from one thread at a time, in the order of presentation.
public protocol VideoCompositing: Sendable {
  /// True if source frames may be of a wide gamut. Where not, they are converted to BT.709.
  /// The default is false.
  var supportsWideColorSourceFrames: Bool { get }

  /// True if source frames may be HLG or PQ. Where not, they are converted to BT.709. The default
  /// is false.
  var supportsHDRSourceFrames: Bool { get }

  /// The pixel formats that source frames may have, the best first; nil, the default, for the
  /// decoder's.
  var sourcePixelBufferAttributes: PixelBufferAttributes? { get }

  /// The pixel formats that results may have; those of the render context have the first. Nil, the
  /// default, for the source frames' format.
  var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? { get }

  /// The size of the results for source frames of a size; the same by default.
  ///
  /// - Throws: where frames of this size and format cannot be composed.
  func renderSize(
    forSource size: VideoDimensions, format: PixelFormat
  ) throws -> VideoDimensions

  /// The shape of a sample in the results; that of the source by default.
  ///
  /// - Parameter ratio: width and height of a sample of the source; nil if unstated.
  func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, forSource size: VideoDimensions
  ) -> PixelAspectRatio?

  /// The active area of the results, without the bars around it, which Dolby Vision's
  /// level 5 names and light is measured in; nil, the default, for the whole.
  ///
  /// - Parameter area: the active area of source frames of a size.
  func activeArea(
    of area: PixelRectangle, forSource size: VideoDimensions
  ) -> PixelRectangle?

  /// Makes a frame from a frame, of the render context's size, in one of the required formats.
  /// Its color is that of the working space, which buffers of the render context are tagged with.
  func compose(_ request: CompositionRequest) throws -> PixelBuffer

  /// The steps, for people: a line each; none by default.
  var stepDescriptions: [String] { get }
}

extension VideoCompositing {
  /// The default, false: frames in a wide gamut are refused.
  public var supportsWideColorSourceFrames: Bool { false }
  /// The default, false: HDR frames are refused.
  public var supportsHDRSourceFrames: Bool { false }
  /// The default, nil: frames come as the decoder gives them.
  public var sourcePixelBufferAttributes: PixelBufferAttributes? { nil }
  /// The default, nil: results have the source frames' format.
  public var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? { nil }
  /// The size of the source.
  public func renderSize(
    forSource size: VideoDimensions, format: PixelFormat
  ) throws -> VideoDimensions { size }
  /// The shape of a sample of the source.
  public func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, forSource size: VideoDimensions
  ) -> PixelAspectRatio? { ratio }
  /// Nil, the whole: it is unknown where a compositor paints.
  public func activeArea(
    of area: PixelRectangle, forSource size: VideoDimensions
  ) -> PixelRectangle? { nil }
  /// One line: that a compositor of its own does something.
  public var stepDescriptions: [String] { ["compose by \(Self.self)"] }
}

/// The formats that pixel buffers may have.
public struct PixelBufferAttributes: Hashable, Sendable {
  /// The formats (`kCVPixelBufferPixelFormatTypeKey`), the best first; none for the source's.
  public let pixelFormats: [PixelFormat]

  /// Attributes with formats.
  public init(pixelFormats: [PixelFormat]) {
    self.pixelFormats = pixelFormats
  }
}

/// One frame to be composed: `AVAsynchronousVideoCompositionRequest`.
public struct CompositionRequest: Sendable {
  /// The frame of the source, in the working space.
  public let sourceFrame: PixelBuffer
  /// The presentation time, in the track's media timeline.
  public let compositionTime: MediaTime
  /// The maker of results.
  public let renderContext: RenderContext
}

/// The maker of results: `AVVideoCompositionRenderContext`.
public struct RenderContext: Sendable {
  /// Luma samples in a row and rows of results.
  public let size: VideoDimensions
  /// The format of new buffers.
  public let pixelFormat: PixelFormat
  /// The working space, with range and chroma location: what new buffers are tagged with.
  public let signal: SignalDescription

  private let pool: PixelBufferPool

  init(size: VideoDimensions, pixelFormat: PixelFormat, signal: SignalDescription) {
    self.size = size
    self.pixelFormat = pixelFormat
    self.signal = signal
    pool = PixelBufferPool(pixelFormat, width: size.width, height: size.height)
  }

  /// Makes a result: hands its memory to `write`, once. It takes over those of the source frame's
  /// attachments that propagate, and is tagged with the working space.
  ///
  /// The memory holds old data; `write` sets every sample.
  public func newPixelBuffer<Failure: Error>(
    from source: PixelBuffer, write: ([PixelBuffer.MutablePlane]) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try unsafe pool.makeBuffer(attachments: attachments(from: source), write: write)
  }

  /// Makes a result as ``newPixelBuffer(from:write:)`` does, of which `write` is handed the rows,
  /// one after another, plane by plane.
  ///
  /// - Parameter type: the type of the numbers: `UInt8`, `UInt16` or `Float16`.
  public func newPixelBuffer<Sample: SIMDScalar & BitwiseCopyable, Failure: Error>(
    from source: PixelBuffer, rowsOf type: Sample.Type,
    write: (_ plane: Int, _ y: Int, _ row: inout MutableSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try pool.makeBuffer(attachments: attachments(from: source), rowsOf: type, write: write)
  }

  /// The attachments of a result.
  private func attachments(from source: PixelBuffer) -> Attachments {
    var attachments = source.attachments.propagated
    attachments.signal = signal
    return attachments
  }
}
