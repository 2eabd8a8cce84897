// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// What a preset does to each frame before encoding: it crops, scales and pads the frame and lays a
/// still image over it.
///
/// The steps happen in this order. Sizes are in luma samples, 2…16 384. In each direction in which
/// chroma is subsampled, sizes and the position of the crop must be even.
public struct CompositionSettings: Hashable, Sendable {
  /// The color space in which frames are composed, or `nil` for the source's color space.
  public var colorProperties: ColorDescription?
  /// The part of the frame to keep, or `nil` for all of it.
  public var crop: PixelRectangle?
  /// The size to scale the kept part to, or `nil` to keep its size.
  public var scale: VideoDimensions?
  /// The size of the black canvas on which the part is centered, or `nil` for none.
  public var pad: VideoDimensions?
  /// A still image over the frame.
  public var overlay: OverlaySettings?

  /// A PNG file and its position.
  public struct OverlaySettings: Hashable, Sendable {
    /// The path of the PNG file.
    public var file: String
    /// The left edge, in luma samples of the frame. It may be outside the frame.
    public var x = 0
    /// The upper edge, in luma rows of the frame. It may be outside the frame.
    public var y = 0
    /// The opacity, from 0 (invisible) to 1 (hides what is below).
    public var opacity = 1.0

    /// Creates an overlay in the upper left corner.
    public init(file: String) { self.file = file }
  }

  /// Creates a composition that changes nothing.
  public init() {}

  /// Whether the frame keeps its size and every sample stays at its place.
  package var keepsRaster: Bool { crop == nil && scale == nil && pad == nil }
}

// Key paths need something to write to, so setting one number creates the whole rectangle or size.
// Its width and height begin as 0 and are always set later: both keys are required, and a preset
// without them is refused.
extension CompositionSettings {
  var statedColor: ColorDescription {
    get { colorProperties ?? .unspecified }
    set { colorProperties = newValue }
  }

  var part: PixelRectangle {
    get { crop ?? PixelRectangle(x: 0, y: 0, width: 0, height: 0) }
    set { crop = newValue }
  }

  var scaled: VideoDimensions {
    get { scale ?? VideoDimensions(width: 0, height: 0) }
    set { scale = newValue }
  }

  var padded: VideoDimensions {
    get { pad ?? VideoDimensions(width: 0, height: 0) }
    set { pad = newValue }
  }

  var laidOver: OverlaySettings {
    get { overlay ?? OverlaySettings(file: "") }
    set { overlay = newValue }
  }
}
