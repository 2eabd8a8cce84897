// SPDX-License-Identifier: GPL-2.0-or-later
/// How R′G′B′ becomes Y′CbCr: `MatrixCoefficients` of H.273, table 4.
public struct MatrixCoefficients: CodePoint {
  /// The number in H.273.
  public let rawValue: UInt16

  /// Makes matrix coefficients from their number, assigned or not.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  // G takes the place of Y, B that of Cb, and R that of Cr (H.273, 8.3).
  /// No matrix: the planes contain G, B and R.
  public static let identity = Self(rawValue: 0)
  /// BT.709: Kr 0.2126, Kb 0.0722.
  public static let bt709 = Self(rawValue: 1)
  /// FCC Title 47: Kr 0.30, Kb 0.11.
  public static let fcc = Self(rawValue: 4)
  /// BT.470 System B, G, and BT.601: Kr 0.299, Kb 0.114.
  public static let bt470BG = Self(rawValue: 5)

  // Matrices 5 and 6 have the same coefficients. Both are listed, because a file that says 5 must
  // not come out as 6.
  /// SMPTE ST 170 and BT.601: Kr 0.299, Kb 0.114.
  public static let smpte170M = Self(rawValue: 6)
  /// SMPTE ST 240: Kr 0.212, Kb 0.087.
  public static let smpte240M = Self(rawValue: 7)
  /// YCgCo: luma, and green and orange chroma.
  public static let yCgCo = Self(rawValue: 8)
  /// BT.2020 with non-constant luminance, and BT.2100 Y′CbCr.
  public static let bt2020NonConstant = Self(rawValue: 9)
  /// BT.2020 with constant luminance.
  public static let bt2020Constant = Self(rawValue: 10)
  /// Y′D′zD′x, SMPTE ST 2085.
  public static let smpte2085 = Self(rawValue: 11)
  /// Non-constant luminance, with coefficients computed from the primaries.
  public static let derivedNonConstant = Self(rawValue: 12)
  /// Constant luminance, with coefficients computed from the primaries.
  public static let derivedConstant = Self(rawValue: 13)
  /// BT.2100 ICtCp.
  public static let iCtCp = Self(rawValue: 14)

  /// What these code points describe, for messages.
  package static let kind = "matrix"

  /// The spellings of all assigned values.
  package static let names: [CodePointName] = [
    .init(0, "identity", ffmpeg: "gbr"),
    .init(1, "BT.709", apple: "ITU_R_709_2", ffmpeg: "bt709"),
    .init(2, "unspecified", ffmpeg: "unknown"),
    .init(4, "FCC", ffmpeg: "fcc"),
    .init(5, "BT.601 625", ffmpeg: "bt470bg"),
    .init(6, "BT.601", apple: "ITU_R_601_4", ffmpeg: "smpte170m"),
    .init(7, "ST 240", apple: "SMPTE_240M_1995", ffmpeg: "smpte240m"),
    .init(8, "YCgCo", ffmpeg: "ycgco"),
    .init(9, "BT.2020", apple: "ITU_R_2020", ffmpeg: "bt2020nc"),
    .init(10, "BT.2020 constant luminance", ffmpeg: "bt2020c"),
    .init(11, "ST 2085", ffmpeg: "smpte2085"),
    .init(12, "derived", ffmpeg: "chroma-derived-nc"),
    .init(13, "derived constant luminance", ffmpeg: "chroma-derived-c"),
    .init(14, "ICtCp", ffmpeg: "ictcp"),
    .init(15, "IPT-PQ-C2", ffmpeg: "ipt-c2"),
    .init(16, "YCgCo-Re", ffmpeg: "ycgco-re"),
    .init(17, "YCgCo-Ro", ffmpeg: "ycgco-ro"),
  ]
}
