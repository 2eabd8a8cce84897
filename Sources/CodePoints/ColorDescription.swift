// SPDX-License-Identifier: GPL-2.0-or-later
/// The three code points that say what the colors of a video signal mean (H.273, 8.1 to 8.3):
/// `colour_description` in H.264 and H.265, `nclc` and `nclx` in a `colr` box.
public struct ColorDescription: Hashable, Sendable, CustomStringConvertible {
  /// The chromaticities of red, green, blue and white.
  public var colorPrimaries: ColorPrimaries
  /// The function between light and signal.
  public var transferCharacteristics: TransferCharacteristics
  /// How R′G′B′ becomes Y′CbCr.
  public var matrixCoefficients: MatrixCoefficients

  /// Makes a description from its three parts.
  public init(
    _ colorPrimaries: ColorPrimaries, _ transferCharacteristics: TransferCharacteristics,
    _ matrixCoefficients: MatrixCoefficients
  ) {
    self.colorPrimaries = colorPrimaries
    self.transferCharacteristics = transferCharacteristics
    self.matrixCoefficients = matrixCoefficients
  }

  /// No tags: 2/2/2.
  public static let unspecified = Self(.unspecified, .unspecified, .unspecified)
  /// BT.709: 1/1/1.
  public static let bt709 = Self(.bt709, .bt709, .bt709)
  /// The R′G′B′ of screens, IEC 61966-2-1: 1/13/0.
  public static let sRGB = Self(.bt709, .sRGB, .identity)

  // The transfer function is tagged 1 and not 6. Both are the same curve, and Apple documents SD
  // video as SMPTE C primaries with the transfer function of 709.
  /// BT.601 with 525 lines: 6/1/6.
  public static let bt601With525Lines = Self(.smpte170M, .bt709, .smpte170M)
  /// BT.601 with 625 lines: 5/1/6.
  public static let bt601With625Lines = Self(.bt470BG, .bt709, .smpte170M)
  /// P3 with white D65, and the transfer function and matrix of BT.709: 12/1/1.
  public static let p3D65 = Self(.p3D65, .bt709, .bt709)
  /// Apple's Display P3, with the curve of sRGB: 12/13/1.
  package static let displayP3 = Self(.p3D65, .sRGB, .bt709)

  // Transfer functions 14 and 15 are the same curve as 1. A file that has one of them keeps it.
  /// BT.2020 with standard dynamic range: 9/1/9.
  public static let bt2020 = Self(.bt2020, .bt709, .bt2020NonConstant)
  /// BT.2100 HLG: 9/18/9.
  public static let hlg = Self(.bt2020, .hlg, .bt2020NonConstant)
  /// BT.2100 PQ: 9/16/9.
  public static let pq = Self(.bt2020, .pq, .bt2020NonConstant)

  /// The description for a place that can contain only numbers of H.273.
  package var numbered: Self {
    // A function without a number becomes 2, because any other number would be wrong.
    Self(colorPrimaries, transferCharacteristics.numbered, matrixCoefficients)
  }

  /// Whether all three parts are tagged.
  package var isComplete: Bool {
    colorPrimaries.isSpecified && transferCharacteristics.isSpecified
      && matrixCoefficients.isSpecified
  }

  /// Whether no part is tagged.
  public var isUnspecified: Bool { self == .unspecified }

  /// Returns the description with its untagged parts filled in from another description. Parts that
  /// are untagged there, too, become BT.709 and the usual matrix for the primaries.
  package func completed(from other: Self = .unspecified) -> Self {
    var color = self
    if !color.colorPrimaries.isSpecified {
      color.colorPrimaries = other.colorPrimaries.isSpecified ? other.colorPrimaries : .bt709
    }
    if !color.transferCharacteristics.isSpecified {
      let transfer = other.transferCharacteristics
      color.transferCharacteristics = transfer.isSpecified ? transfer : .bt709
    }
    // R′G′B′ must be tagged explicitly. Video without a matrix tag is taken for Y′CbCr, whatever
    // the other description says.
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

  /// The three numbers, with the name of a function that has no number: `1/gamma 1.8/1`.
  package var spelling: String {
    "\(colorPrimaries.rawValue)/\(transferCharacteristics.spelling)/\(matrixCoefficients.rawValue)"
  }

  /// The names and numbers as text for people: `BT.2020 (9) / HLG (18) / BT.2020 (9)`.
  public var description: String {
    "\(colorPrimaries) / \(transferCharacteristics) / \(matrixCoefficients)"
  }

  /// The short names that a command line takes, and what they mean.
  package static let shortNames: [(name: String, value: ColorDescription)] = [
    ("709", .bt709), ("601-525", .bt601With525Lines), ("601-625", .bt601With625Lines),
    ("p3", .p3D65), ("display-p3", .displayP3), ("2020", .bt2020), ("hlg", .hlg), ("pq", .pq),
    ("none", .unspecified),
  ]
}

/// What the tags of a video signal say: colors, range and chroma location.
///
/// `nil` means that there is no tag. It does not stand for the value that readers assume.
public struct SignalDescription: Hashable, Sendable {
  // Readers assume limited range and the chroma location "left". If such a guess were written into
  // an output, it would become a claim. So a part without a tag in the source stays without a tag.

  /// The color description. Parts without a tag are unspecified (2).
  public var color: ColorDescription
  /// `VideoFullRangeFlag` of H.273, 8.3: `true` for full range, `false` for limited.
  public var videoFullRangeFlag: Bool?
  /// The chroma location of 4:2:0 video.
  public var chromaLocation: ChromaLocation?

  /// Makes a description from its parts. By default, no part is tagged.
  public init(
    color: ColorDescription = .unspecified, videoFullRangeFlag: Bool? = nil,
    chromaLocation: ChromaLocation? = nil
  ) {
    self.color = color
    self.videoFullRangeFlag = videoFullRangeFlag
    self.chromaLocation = chromaLocation
  }
}

/// Code points with their names. Undeclared parts are left out.
extension SignalDescription: JSONObject {
  package static let meaning =
    "What a video signal means. Parts that are not declared are absent."
  package static let fields: [JSONField<SignalDescription>] = [
    .init("colorPrimaries", "The color primaries (H.273, 8.1).") {
      $0.color.colorPrimaries.isSpecified ? NamedCode($0.color.colorPrimaries) : nil
    },
    .init("transferFunction", "The transfer function (H.273, 8.2).") {
      let transfer = $0.color.transferCharacteristics
      return transfer.isSpecified ? NamedCode(transfer) : nil
    },
    .init("yCbCrMatrix", "The matrix (H.273, 8.3).") {
      $0.color.matrixCoefficients.isSpecified ? NamedCode($0.color.matrixCoefficients) : nil
    },
    .init(
      "range", "The range of code values.", JSONSchema(.words(["limited", "full"]))
    ) { $0.videoFullRangeFlag.map { $0 ? "full" : "limited" } },
    .init("chromaLocation", "Where chroma samples are (H.273, 8.7).") {
      $0.chromaLocation.map { NamedCode($0) }
    },
  ]
}
