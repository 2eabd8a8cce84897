// SPDX-License-Identifier: GPL-2.0-or-later
/// Headroom-adaptive gain curves of a frame: SMPTE ST 2094-50 as user data registered by ITU-T
/// T.35. The curves say how the frame is shown on displays with less, or more, headroom above
/// diffuse white than it was made for.
///
/// The properties have the same values as the fields of the payload, which ST 2094-50 calls syntax
/// elements. The layout was checked against FFmpeg's `dynamic_hdr`, Skia's `SkHdrAgtm` and
/// libsmpte2094-50, because the standard's own text was not at hand.
package struct HeadroomAdaptiveGainMetadata: Hashable, Sendable {
  /// `hdr_reference_white` in fifths of 1 cd/m²; `nil` for 203 cd/m².
  package var referenceWhite: UInt16?
  /// How the frame is adapted; `nil` if only its reference white is stated.
  package var toneMap: ToneMap?
  /// Bytes after the last field.
  package var rest: [UInt8] = []

  package init(referenceWhite: UInt16? = nil, toneMap: ToneMap?) {
    (self.referenceWhite, self.toneMap) = (referenceWhite, toneMap)
  }

  /// The frame's own headroom, and curves for other headrooms.
  package struct ToneMap: Hashable, Sendable {
    /// `baseline_hdr_headroom`: log₂ of the frame's brightest light over its reference white, in
    /// ten-thousandths.
    package var baselineHeadroom: UInt16
    /// The author's curves; `nil` if the curves are those that the standard derives from the
    /// headroom.
    package var authored: AuthoredCurves?

    package init(baselineHeadroom: UInt16, authored: AuthoredCurves? = nil) {
      (self.baselineHeadroom, self.authored) = (baselineHeadroom, authored)
    }
  }

  /// The curves of an author, at most four.
  package struct AuthoredCurves: Hashable, Sendable {
    /// `gain_application_space_chromaticities_mode`: 0 for BT.709, 1 for P3, 2 for BT.2020, and 3
    /// for ``chromaticities``.
    package var chromaticitiesMode: UInt8
    /// x and y of red, green, blue and white in 50 000ths; empty unless the mode is 3.
    package var chromaticities: [UInt16]
    /// Whether all alternates have the mixing of the first alternate, which is then stored once.
    package var hasCommonMixing: Bool
    /// Whether all alternates share the first alternate's x and its kind of slopes, which are then
    /// stored once.
    package var hasCommonPoints: Bool
    package var alternates: [Alternate]
  }

  /// How the frame is shown with another headroom.
  package struct Alternate: Hashable, Sendable {
    /// `alternate_hdr_headroom` in ten-thousandths of a stop.
    package var headroom: UInt16
    package var mixing: Mixing
    package var curve: Curve
  }

  /// How R, G and B become the number that a curve maps.
  package struct Mixing: Hashable, Sendable {
    /// `component_mixing_type`: 0 for the largest component; 1 for each component by itself; 2 for
    /// half the largest component plus half the average of all three; 3 for ``coefficients``.
    package var type: UInt8
    /// The weights of R, G, B, the largest component, the smallest component and the component
    /// itself, in 50 000ths. Weights that are `nil` are 0 and not stored. Empty unless the type is
    /// 3.
    package var coefficients: [UInt16?]
  }

  /// A curve through 1 to 32 points.
  package struct Curve: Hashable, Sendable {
    /// Whether slopes follow from the points instead of being stored in ``thetas``.
    package var derivesSlopes: Bool
    /// Light in thousandths of the reference white.
    package var x: [UInt16]
    /// The magnitude of the gain in ten-thousandths of a stop. Its sign follows from the headrooms.
    package var y: [UInt16]
    /// The angle of each slope in 36 000ths of a half turn, counted from straight down; empty if
    /// slopes are derived.
    package var thetas: [UInt16]
  }

  /// What is wrong with a payload that cannot be read.
  package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The payload ends within a field.
    case cutOff
    /// The payload has a version whose meaning is not known.
    case version(UInt8, minimum: UInt8)
    /// Bits that version 0 leaves unused are set.
    case reservedBits(after: String)
    /// The payload has more alternates than the standard allows.
    case alternateCount(Int)

    package var description: String {
      switch self {
      case .cutOff: "it is cut off"
      case .version(let version, let minimum):
        "it has version \(version) and needs a reader for version \(minimum)"
      case .reservedBits(let field): "reserved bits are set after \(field)"
      case .alternateCount(let count): "it has \(count) alternates, but only 4 are allowed"
      }
    }
  }
}
