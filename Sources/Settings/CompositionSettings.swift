// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A composition as a preset describes it: the built-in layout, in a working color space.
package struct CompositionSettings: Hashable, Sendable {
  /// The working space, or `nil` for the source's.
  package var colorProperties: ColorDescription?
  /// The part of the frame to keep, or `nil` for all of it.
  package var crop: PixelRectangle?
  /// The size to scale this part to, or `nil` to leave it.
  package var scale: VideoDimensions?
  /// The size of the canvas around it, or `nil` for none.
  package var pad: VideoDimensions?
  /// A still image over the frame.
  package var overlay: OverlaySettings?

  /// A PNG file and its position.
  package struct OverlaySettings: Hashable, Sendable {
    package var file: String
    /// The left edge, in luma samples of the frame.
    package var x = 0
    /// The upper edge, in luma rows of the frame.
    package var y = 0
    /// The opacity, from 0 (invisible) to 1 (hides what is below).
    package var opacity = 1.0
  }

  /// Whether the frame keeps its size and its samples their places.
  package var keepsRaster: Bool { crop == nil && scale == nil && pad == nil }
}

// Key paths need something to write to, so setting one number creates the whole part. The zeros
// never remain: `width` and `height` are required keys, and a preset without them is refused.
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
