// SPDX-License-Identifier: GPL-2.0-or-later
/// HDR10+ metadata of a frame: SMPTE ST 2094-40 as user data registered by ITU-T T.35.
///
/// Light is in units of 0.1 cd/m², so 100 000 stands for the 10 000 cd/m² at which PQ ends.
package struct HDR10PlusMetadata: Hashable, Sendable {
  /// `application_version`: 0 or 1.
  package var applicationVersion: UInt8 = 1
  /// `targeted_system_display_maximum_luminance` in cd/m²; 0 without a tone curve.
  package var targetedSystemDisplayMaximumLuminance: UInt32 = 0
  /// `targeted_system_display_actual_peak_luminance`: a number from 0 to 15 for each part of the
  /// targeted display.
  package var targetedPeaks: PeakGrid?
  /// `mastering_display_actual_peak_luminance`: a number from 0 to 15 for each part of the
  /// mastering display.
  package var masteringPeaks: PeakGrid?
  /// The processing windows, at most 3. The first one is the whole frame.
  package var windows: [Window]

  /// Makes metadata of version 1 without anything about displays.
  package init(windows: [Window]) { self.windows = windows }

  /// Peaks of the parts of a display, row by row.
  package struct PeakGrid: Hashable, Sendable {
    package var rowCount: UInt8
    package var columnCount: UInt8
    package var peaks: [UInt8]
  }

  /// A part of the frame, with its light and its tone curve.
  package struct Window: Hashable, Sendable {
    /// Where the window is; `nil` for the whole frame.
    package var shape: Shape?
    /// `maxscl`: the largest R, the largest G and the largest B in the window.
    package var maxSCL: [UInt32]
    /// `average_maxrgb`: the average of every pixel's largest component, in linear light.
    package var averageMaxRGB: UInt32
    /// `distribution_maxrgb_percentages` and `_percentiles`. If there are nine slots, writers store
    /// other figures in the second and third slot, whatever the percentages there say.
    package var distribution: [Percentile]
    /// `fraction_bright_pixels` in thousandths.
    package var fractionBrightPixels: UInt16
    package var toneCurve: ToneCurve?
    /// `color_saturation_weight` in eighths.
    package var colorSaturationWeight: UInt8?

    package init(
      shape: Shape?, maxSCL: [UInt32], averageMaxRGB: UInt32, distribution: [Percentile],
      fractionBrightPixels: UInt16, toneCurve: ToneCurve?, colorSaturationWeight: UInt8?
    ) {
      (self.shape, self.maxSCL, self.averageMaxRGB) = (shape, maxSCL, averageMaxRGB)
      (self.distribution, self.fractionBrightPixels) = (distribution, fractionBrightPixels)
      (self.toneCurve, self.colorSaturationWeight) = (toneCurve, colorSaturationWeight)
    }
  }

  /// A percentile of maxRGB: a percentage and a value. A pixel's maxRGB is its largest component.
  package struct Percentile: Hashable, Sendable {
    package var percentage: UInt8
    package var value: UInt32

    package init(_ percentage: UInt8, _ value: UInt32) {
      (self.percentage, self.value) = (percentage, value)
    }
  }

  /// A rectangle with an inner and an outer ellipse, in luma samples and degrees.
  package struct Shape: Hashable, Sendable {
    /// Left, top, right and bottom of the rectangle.
    package var corners: [UInt16]
    /// x and y of the center of both ellipses.
    package var center: [UInt16]
    package var rotationAngle: UInt8
    /// The semimajor axes of the inner and outer ellipse, and the semiminor axis of the outer one.
    package var axes: [UInt16]
    /// `overlap_process_option`: whether windows that overlap are layered, not averaged.
    package var isLayered: Bool
  }

  /// A line up to a knee, and a Bézier curve above it.
  package struct ToneCurve: Hashable, Sendable {
    /// `knee_point_x` in 4095ths.
    package var kneeX: UInt16
    /// `knee_point_y` in 4095ths.
    package var kneeY: UInt16
    /// `bezier_curve_anchors` in 1023rds.
    package var anchors: [UInt16]
  }
}

extension HDR10PlusMetadata {
  /// The largest R, G or B of the frame in cd/m²; `nil` if it is not stated.
  package var peakLuminance: Double? {
    // PQ ends at 10 000 cd/m², and 0 means that the writer did not know the light.
    let largest = windows.first?.maxSCL.max() ?? 0
    return largest > 0 ? Double(min(largest, Self.brightest)) / 10 : nil
  }

  /// 10 000 cd/m² in the unit of light.
  package static let brightest: UInt32 = 100_000
}
