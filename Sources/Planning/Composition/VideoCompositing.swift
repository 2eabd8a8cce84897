// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import MediaCore

/// Makes one frame from each frame of a track, like `AVVideoCompositing`.
///
/// The compositor is called on one thread at a time, in presentation order.
public protocol VideoCompositing: Sendable {
  /// Whether source frames may have a wide gamut. If not, they are converted to BT.709. The default
  /// is `false`.
  var supportsWideColorSourceFrames: Bool { get }

  /// Whether source frames may be HLG or PQ. If not, they are converted to BT.709. The default is
  /// `false`.
  var supportsHDRSourceFrames: Bool { get }

  /// The pixel formats that source frames may have, the best first. `nil`, the default, means the
  /// decoder's format.
  var sourcePixelBufferAttributes: PixelBufferAttributes? { get }

  /// The pixel formats that results may have. `nil`, the default, means the source frames' format.
  /// Buffers of the render context have the first format.
  var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? { get }

  /// Returns the size of results for source frames of this size. The default is the same size.
  ///
  /// - Throws: an error if frames of this size and format cannot be composed.
  func renderSize(
    forSource size: VideoDimensions, format: PixelFormat
  ) throws -> VideoDimensions

  /// Returns the shape of a sample in the results. The default is the shape in the source.
  ///
  /// - Parameter ratio: width and height of a source sample, or `nil` if not declared.
  func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, forSource size: VideoDimensions
  ) -> PixelAspectRatio?

  /// Returns the active area of the results: the frame without black bars. `nil`, the default,
  /// means the whole frame. Dolby Vision's level 5 declares this area, and light is measured inside
  /// it.
  ///
  /// - Parameter area: the active area of the source frame.
  func activeArea(
    of area: PixelRectangle, forSource size: VideoDimensions
  ) -> PixelRectangle?

  /// Makes a frame of the render context's size, in one of the required formats. The frame must be
  /// in the composition's working space. Buffers of the render context are already tagged with it.
  func compose(_ request: CompositionRequest) throws -> PixelBuffer

  /// What the compositor does, as text, one step a line.
  var stepDescriptions: [String] { get }
}

extension VideoCompositing {
  /// By default `false`: wide-gamut frames are converted before they come here.
  public var supportsWideColorSourceFrames: Bool { false }
  /// By default `false`: HDR frames are converted before they come here.
  public var supportsHDRSourceFrames: Bool { false }
  /// By default `nil`: frames come in the decoder's format.
  public var sourcePixelBufferAttributes: PixelBufferAttributes? { nil }
  /// By default `nil`: results have the source frames' format.
  public var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? { nil }
  /// By default, results have the source's size.
  public func renderSize(
    forSource size: VideoDimensions, format: PixelFormat
  ) throws -> VideoDimensions { size }
  /// By default, samples keep the source's shape.
  public func sampleAspectRatio(
    _ ratio: PixelAspectRatio?, forSource size: VideoDimensions
  ) -> PixelAspectRatio? { ratio }
  /// By default `nil`, the whole frame, because it is unknown where a compositor paints.
  public func activeArea(
    of area: PixelRectangle, forSource size: VideoDimensions
  ) -> PixelRectangle? { nil }
  /// By default, one line names the compositor.
  public var stepDescriptions: [String] { ["compose with \(Self.self)"] }
}

/// The formats that pixel buffers may have.
public struct PixelBufferAttributes: Hashable, Sendable {
  /// The formats (`kCVPixelBufferPixelFormatTypeKey`), the best first. An empty list means the
  /// source's format.
  public let pixelFormats: [PixelFormat]

  /// Makes attributes from a list of formats, the best first.
  public init(pixelFormats: [PixelFormat]) {
    self.pixelFormats = pixelFormats
  }
}

/// A frame to compose, like `AVAsynchronousVideoCompositionRequest`.
public struct CompositionRequest: Sendable {
  /// The source frame, in the working space.
  public let sourceFrame: PixelBuffer
  /// The presentation time in the track's media timeline.
  public let compositionTime: MediaTime
  /// Makes buffers for the result.
  public let renderContext: RenderContext
}

/// Makes buffers for results, like `AVVideoCompositionRenderContext`.
public struct RenderContext: Sendable {
  /// The size of results in luma samples.
  public let size: VideoDimensions
  /// The pixel format of new buffers.
  public let pixelFormat: PixelFormat
  /// The working space with its range and chroma location. New buffers are tagged with it.
  public let signal: SignalDescription

  private let pool: PixelBufferPool

  init(size: VideoDimensions, pixelFormat: PixelFormat, signal: SignalDescription) {
    self.size = size
    self.pixelFormat = pixelFormat
    self.signal = signal
    pool = PixelBufferPool(pixelFormat, width: size.width, height: size.height)
  }

  /// Makes a result. `write` is called once and must set every sample, because the memory contains
  /// old data.
  ///
  /// The result gets the source frame's attachments that propagate, and is tagged with the
  /// working space.
  public func newPixelBuffer<Failure: Error>(
    from source: PixelBuffer, write: ([PixelBuffer.MutablePlane]) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try unsafe pool.makeBuffer(attachments: attachments(from: source), write: write)
  }

  /// Makes a result like ``newPixelBuffer(from:write:)``, but calls `write` for each row, plane by
  /// plane.
  ///
  /// - Parameter type: the type of the samples: `UInt8`, `UInt16` or `Float16`.
  public func newPixelBuffer<Sample: SIMDScalar & BitwiseCopyable, Failure: Error>(
    from source: PixelBuffer, rowsOf type: Sample.Type,
    write: (_ plane: Int, _ y: Int, _ row: inout MutableSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> PixelBuffer {
    try pool.makeBuffer(attachments: attachments(from: source), rowsOf: type, write: write)
  }

  private func attachments(from source: PixelBuffer) -> Attachments {
    var attachments = source.attachments.propagated
    attachments.signal = signal
    return attachments
  }
}
