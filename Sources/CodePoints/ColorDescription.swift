// SPDX-License-Identifier: GPL-2.0-or-later
/// `colour_description` of H.264 and H.265, `nclc` and `nclx` of a `colr` box: the three code
/// points that say what a video signal's colors mean (H.273, 8.1 to 8.3).
public struct ColorDescription: Hashable, Sendable, CustomStringConvertible {
  /// The color primaries.
  public var colorPrimaries: ColorPrimaries
  /// The transfer characteristics.
  public var transferCharacteristics: TransferCharacteristics
  /// The matrix coefficients.
  public var matrixCoefficients: MatrixCoefficients

  /// A description from its three parts.
  public init(
    _ colorPrimaries: ColorPrimaries, _ transferCharacteristics: TransferCharacteristics,
    _ matrixCoefficients: MatrixCoefficients
  ) {
    self.colorPrimaries = colorPrimaries
    self.transferCharacteristics = transferCharacteristics
    self.matrixCoefficients = matrixCoefficients
  }

  /// Nothing is stated: 2/2/2.
  public static let unspecified = Self(.unspecified, .unspecified, .unspecified)
  /// BT.709: 1/1/1.
  public static let bt709 = Self(.bt709, .bt709, .bt709)
  /// The R'G'B' of screens, IEC 61966-2-1: 1/13/0.
  public static let sRGB = Self(.bt709, .sRGB, .identity)
  /// BT.601 with 525 lines: 6/1/6.
  public static let bt601With525Lines = Self(.smpte170M, .bt709, .smpte170M)
  /// BT.601 with 625 lines: 5/1/6.
  public static let bt601With625Lines = Self(.bt470BG, .bt709, .smpte170M)
  /// P3 with white D65, the transfer function and matrix of BT.709: 12/1/1.
  public static let p3D65 = Self(.p3D65, .bt709, .bt709)
  /// Apple's Display P3, with the curve of sRGB: 12/13/1.
  package static let displayP3 = Self(.p3D65, .sRGB, .bt709)
  /// BT.2020, standard dynamic range: 9/1/9.
  public static let bt2020 = Self(.bt2020, .bt709, .bt2020NonConstant)
  /// BT.2100 HLG: 9/18/9.
  public static let hlg = Self(.bt2020, .hlg, .bt2020NonConstant)
  /// BT.2100 PQ: 9/16/9.
  public static let pq = Self(.bt2020, .pq, .bt2020NonConstant)

  /// The description for a place that holds only numbers of H.273. A transfer function without a
  /// number is left out.
  package var numbered: Self {
    Self(colorPrimaries, transferCharacteristics.numbered, matrixCoefficients)
  }

  /// True if all three parts are stated.
  package var isComplete: Bool {
    colorPrimaries.isSpecified && transferCharacteristics.isSpecified
      && matrixCoefficients.isSpecified
  }

  /// True if no part is stated.
  public var isUnspecified: Bool { self == .unspecified }

  /// The description with nothing unspecified: what it leaves open is as another description has
  /// it, or else BT.709's, with the matrix that is usual for the primaries.
  package func completed(from other: Self = .unspecified) -> Self {
    var color = self
    if !color.colorPrimaries.isSpecified {
      color.colorPrimaries = other.colorPrimaries.isSpecified ? other.colorPrimaries : .bt709
    }
    if !color.transferCharacteristics.isSpecified {
      let transfer = other.transferCharacteristics
      color.transferCharacteristics = transfer.isSpecified ? transfer : .bt709
    }
    // R'G'B' is never left open.
    if !color.matrixCoefficients.isSpecified && other.matrixCoefficients != .identity {
      color.matrixCoefficients = other.matrixCoefficients
    }
    if !color.matrixCoefficients.isSpecified {
      color.matrixCoefficients = color.colorPrimaries == .bt2020 ? .bt2020NonConstant : .bt709
    }
    return color
  }

  /// The three numbers: `9/18/9`.
  package var triple: String {
    "\(colorPrimaries.rawValue)/\(transferCharacteristics.rawValue)/\(matrixCoefficients.rawValue)"
  }

  /// The triple with the name of a function that has no number: `1/gamma 1.8/1`.
  package var spelling: String {
    "\(colorPrimaries.rawValue)/\(transferCharacteristics.spelling)/\(matrixCoefficients.rawValue)"
  }

  /// Names and numbers, for people: `BT.2020 (9) / HLG (18) / BT.2020 (9)`.
  public var description: String {
    "\(colorPrimaries) / \(transferCharacteristics) / \(matrixCoefficients)"
  }

  /// The short names that a command line takes, with their meanings.
  package static let shortNames: [(name: String, value: ColorDescription)] = [
    ("709", .bt709), ("601-525", .bt601With525Lines), ("601-625", .bt601With625Lines),
    ("p3", .p3D65), ("display-p3", .displayP3), ("2020", .bt2020), ("hlg", .hlg), ("pq", .pq),
    ("none", .unspecified),
  ]
}

/// The stated meaning of a video signal: colors, range and chroma location.
///
/// A nil says that nothing is stated, which is not the same as the default that a reader assumes
/// (limited range, chroma location left): what is not stated stays unstated on the way through.
public struct SignalDescription: Hashable, Sendable {
  /// The color description; parts that are not stated are unspecified (2).
  public var color: ColorDescription
  /// `VideoFullRangeFlag` of H.273, 8.3: true for full range, false for limited; nil if unstated.
  public var videoFullRangeFlag: Bool?
  /// The chroma location of 4:2:0 video; nil if unstated.
  public var chromaLocation: ChromaLocation?

  /// A description from its parts; everything unstated by default.
  public init(
    color: ColorDescription = .unspecified, videoFullRangeFlag: Bool? = nil,
    chromaLocation: ChromaLocation? = nil
  ) {
    self.color = color
    self.videoFullRangeFlag = videoFullRangeFlag
    self.chromaLocation = chromaLocation
  }
}
