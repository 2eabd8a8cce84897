// SPDX-License-Identifier: GPL-2.0-or-later
/// The chromaticities of red, green, blue and white: `ColourPrimaries` of H.273, table 2.
public struct ColorPrimaries: CodePoint {
  /// The number in H.273.
  public let rawValue: UInt16

  /// Makes primaries from their number, assigned or not.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// BT.709 and sRGB.
  public static let bt709 = Self(rawValue: 1)
  /// BT.470 System M (historical NTSC) with white C.
  public static let bt470M = Self(rawValue: 4)
  /// BT.470 System B, G; BT.601 with 625 lines. Apple calls it EBU 3213.
  public static let bt470BG = Self(rawValue: 5)
  /// SMPTE ST 170; BT.601 with 525 lines. Apple calls it SMPTE C.
  public static let smpte170M = Self(rawValue: 6)

  // Primaries 6 and 7 have the same chromaticities (H.273, table 2). Changing one into the other
  // changes the tag, but no pixels.
  /// SMPTE ST 240.
  public static let smpte240M = Self(rawValue: 7)
  /// Generic film with white C.
  public static let film = Self(rawValue: 8)
  /// BT.2020 and BT.2100.
  public static let bt2020 = Self(rawValue: 9)
  /// CIE 1931 XYZ, SMPTE ST 428-1.
  public static let xyz = Self(rawValue: 10)
  /// DCI P3 with the DCI white, SMPTE RP 431-2.
  public static let p3DCI = Self(rawValue: 11)
  /// P3 with white D65, SMPTE EG 432-1.
  public static let p3D65 = Self(rawValue: 12)
  /// JEDEC P22 phosphors.
  public static let jedecP22 = Self(rawValue: 22)

  /// What these code points describe, as text for messages.
  package static let kind = "color primaries"

  // `AVCOL_PRI_V_GAMUT` of FFmpeg 8.1.
  package static let otherTitles: [UInt16: String] = [256: "FFmpeg's V-Gamut"]

  /// The spellings of every assigned value.
  package static let names: [CodePointName] = [
    .init(1, "BT.709", apple: "ITU_R_709_2", ffmpeg: "bt709"),
    .init(2, "unspecified", ffmpeg: "unknown"),
    .init(4, "BT.470 M", ffmpeg: "bt470m"),
    .init(5, "BT.601 625", apple: "EBU_3213", ffmpeg: "bt470bg"),
    .init(6, "BT.601 525", apple: "SMPTE_C", ffmpeg: "smpte170m"),
    .init(7, "ST 240", ffmpeg: "smpte240m"),
    .init(8, "film", ffmpeg: "film"),
    .init(9, "BT.2020", apple: "ITU_R_2020", ffmpeg: "bt2020"),
    .init(10, "ST 428 XYZ", ffmpeg: "smpte428"),
    .init(11, "P3 DCI", apple: "DCI_P3", ffmpeg: "smpte431"),
    .init(12, "P3 D65", apple: "P3_D65", ffmpeg: "smpte432"),
    // FFmpeg calls these primaries EBU 3213, but Apple gives that name to number 5. So never take
    // Apple's EBU 3213 for FFmpeg's, although the names agree.
    .init(22, "JEDEC P22", apple: "P22", ffmpeg: "ebu3213"),
  ]

  /// Whether the gamut is wider than that of BT.709 and BT.601. `false` for reserved numbers.
  public var isWideGamut: Bool {
    [.bt470M, .film, .bt2020, .xyz, .p3DCI, .p3D65].contains(self)
  }
}
