// SPDX-License-Identifier: GPL-2.0-or-later
/// The function between light and signal: `TransferCharacteristics` of H.273, table 3.
///
/// A function that is not in the table has a name instead of a number, and its ``rawValue`` is 2,
/// "unspecified".
public struct TransferCharacteristics: CodePoint {
  // Functions without a number are the logarithmic curves of cameras, and the power functions that
  // QuickTime's `gama` and ICC profiles state. A place that can contain only numbers states 2 for
  // them.

  /// The number in H.273.
  public let rawValue: UInt16
  /// The name of a function without a number; `nil` for functions with a number.
  package let unnumberedName: String?
  /// The exponent of a power function without a number; `nil` for other functions.
  package let gamma: Double?
  private let isUnnumberedHDR: Bool

  /// Makes transfer characteristics from their number, assigned or not.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
    (unnumberedName, gamma, isUnnumberedHDR) = (nil, nil, false)
  }

  /// Makes a power function without a number. Its name has the exponent to two decimals:
  /// `gamma 1.8`.
  ///
  /// - Parameter gamma: the exponent from signal to light, above 0.
  package init(unnumberedGamma gamma: Double) {
    rawValue = 2
    // `gama` is 16.16 fixed point, so 1.8 comes back as 1.800003. Rounding keeps the name readable.
    unnumberedName = "gamma \((gamma * 100).rounded() / 100)"
    (self.gamma, isUnnumberedHDR) = (gamma, false)
  }

  /// Makes a function without a number.
  ///
  /// - Parameters:
  ///   - name: the name in settings and reports. It must not contain `/`, which separates the parts
  ///     of a color such as `9/16/9`.
  ///   - isHDR: whether the function has high dynamic range.
  package init(unnumbered name: String, isHDR: Bool = false) {
    rawValue = 2
    (unnumberedName, gamma, isUnnumberedHDR) = (name, nil, isHDR)
  }

  // H.273, table 3: 1, 6, 14 and 15 are the same function. Changing one for another changes tags
  // and no pixels.
  /// BT.709; the same function as ``smpte170M``, ``bt2020TenBit`` and ``bt2020TwelveBit``.
  public static let bt709 = Self(rawValue: 1)
  /// Display gamma 2.2 (BT.470 System M).
  public static let gamma22 = Self(rawValue: 4)
  /// Display gamma 2.8 (BT.470 System B, G).
  public static let gamma28 = Self(rawValue: 5)
  /// BT.601, SMPTE ST 170; the same function as ``bt709``.
  public static let smpte170M = Self(rawValue: 6)
  /// SMPTE ST 240.
  public static let smpte240M = Self(rawValue: 7)
  /// Light itself, without a curve.
  public static let linear = Self(rawValue: 8)
  /// A logarithmic function with a range of 100 : 1.
  public static let log100 = Self(rawValue: 9)
  /// A logarithmic function with a range of 100·√10 : 1.
  public static let log316 = Self(rawValue: 10)
  /// IEC 61966-2-4 (xvYCC).
  public static let xvYCC = Self(rawValue: 11)
  /// BT.1361 with extended color gamut.
  public static let bt1361 = Self(rawValue: 12)
  /// sRGB and sYCC, IEC 61966-2-1.
  public static let sRGB = Self(rawValue: 13)
  /// BT.2020 for 10 bits; the same function as ``bt709``.
  public static let bt2020TenBit = Self(rawValue: 14)
  /// BT.2020 for 12 bits; the same function as ``bt709``.
  public static let bt2020TwelveBit = Self(rawValue: 15)
  /// PQ, BT.2100 and SMPTE ST 2084.
  public static let pq = Self(rawValue: 16)
  /// Gamma 2.6 of digital cinema, SMPTE ST 428-1.
  public static let smpte428 = Self(rawValue: 17)
  /// HLG, BT.2100 and ARIB STD-B67.
  public static let hlg = Self(rawValue: 18)

  /// Whether the value says anything. Only the number 2 without a name says nothing.
  package var isSpecified: Bool { rawValue != 2 || unnumberedName != nil }

  /// The value for a place that can contain only numbers. A function without a number becomes 2.
  package var numbered: Self { Self(rawValue: rawValue) }

  /// Whether number, name and gamma are the same.
  public static func == (one: Self, other: Self) -> Bool {
    // The `==` of `RawRepresentable` compares only the numbers, so all functions without a number
    // would be equal.
    one.rawValue == other.rawValue && one.unnumberedName == other.unnumberedName
      && one.gamma == other.gamma
  }

  /// Whether number, name or gamma differ.
  public static func != (one: Self, other: Self) -> Bool { !(one == other) }

  /// Adds number, name and gamma to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
    hasher.combine(unnumberedName)
    hasher.combine(gamma)
  }

  /// The name and the number, `PQ (16)`, or the name of a function that has no number, `gamma 1.8`.
  public var description: String { unnumberedName ?? "\(title) (\(rawValue))" }

  /// The name alone, to display: `HLG`.
  package var title: String { unnumberedName ?? numberTitle }

  /// How settings spell the function: by its number, or by its name if it has no number.
  package var spelling: String {
    // Write the exponent in full, because the rounded name would not give the same function again.
    gamma.map { "gamma \($0)" } ?? unnumberedName ?? "\(rawValue)"
  }

  /// Whether the function has high dynamic range, like PQ and HLG.
  public var isHDR: Bool {
    unnumberedName == nil ? name?.isHDR == true : isUnnumberedHDR
  }

  /// The dynamic range, to display: `SDR`, `HDR (HLG)`, `HDR (PQ)`.
  package var dynamicRangeText: String { isHDR ? "HDR (\(title))" : "SDR" }

  /// What these code points describe, for messages.
  package static let kind = "transfer function"

  // `AVCOL_TRC_V_LOG` of FFmpeg 8.1.
  package static let otherTitles: [UInt16: String] = [256: "FFmpeg's V-Log"]

  /// The spellings of every assigned value.
  package static let names: [CodePointName] = [
    .init(1, "BT.709", apple: "ITU_R_709_2", ffmpeg: "bt709"),
    .init(2, "unspecified", ffmpeg: "unknown"),
    .init(4, "gamma 2.2", ffmpeg: "bt470m"),
    .init(5, "gamma 2.8", ffmpeg: "bt470bg"),
    .init(6, "BT.601", ffmpeg: "smpte170m"),
    .init(7, "ST 240", apple: "SMPTE_240M_1995", ffmpeg: "smpte240m"),
    .init(8, "linear", apple: "Linear", ffmpeg: "linear"),
    .init(9, "log 100", ffmpeg: "log100"),
    .init(10, "log 316", ffmpeg: "log316"),
    .init(11, "xvYCC", ffmpeg: "iec61966-2-4"),
    .init(12, "BT.1361", ffmpeg: "bt1361e"),
    .init(13, "sRGB", apple: "IEC_sRGB", ffmpeg: "iec61966-2-1"),
    // Apple has one constant for BT.2020. It means the number for 10 bits.
    .init(14, "BT.2020 10 bit", apple: "ITU_R_2020", ffmpeg: "bt2020-10"),
    .init(15, "BT.2020 12 bit", ffmpeg: "bt2020-12"),
    .init(16, "PQ", apple: "SMPTE_ST_2084_PQ", ffmpeg: "smpte2084", isHDR: true),
    .init(17, "ST 428", apple: "SMPTE_ST_428_1", ffmpeg: "smpte428"),
    .init(18, "HLG", apple: "ITU_R_2100_HLG", ffmpeg: "arib-std-b67", isHDR: true),
  ]
}
