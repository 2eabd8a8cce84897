// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A composition as a preset describes it: the built-in layout in a working space.
package struct CompositionSettings: Hashable, Sendable {
  /// The working space; nil for the source's.
  package var colorProperties: ColorDescription?
  /// The part of the frame that is kept; nil for all of it.
  package var crop: PixelRectangle?
  /// The size that this part is brought to; nil for its own.
  package var scale: VideoDimensions?
  /// The canvas that it lies on; nil for none.
  package var pad: VideoDimensions?
  /// The still image over the frame; nil for none.
  package var overlay: OverlaySettings?

  /// A PNG file and its place.
  package struct OverlaySettings: Hashable, Sendable {
    /// The path of the PNG file.
    package var file: String
    /// The left edge.
    package var x = 0
    /// The upper edge.
    package var y = 0
    /// Opacity from 0, not seen, to 1, which hides what is below.
    package var opacity = 1.0
  }

  /// True if the frame's raster stays as it is.
  package var keepsRaster: Bool { crop == nil && scale == nil && pad == nil }
}

// A part of a composition begins to be where a number of it is set.
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
