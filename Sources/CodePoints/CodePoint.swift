// SPDX-License-Identifier: GPL-2.0-or-later
/// A numeric code point of Rec. ITU-T H.273 (ISO/IEC 23091-2), as files state it.
///
/// Conforming types are structs, not enums, so that a reserved or unknown value survives a round
/// trip. The same value is spelled in three ways, and all are read everywhere: the number of
/// H.273, the string that Apple's constants hold (`ITU_R_2020`), and FFmpeg's name (`bt2020`).
package protocol CodePoint: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == UInt8 {
  /// Name of what the code points of this type describe, for messages.
  static var kind: String { get }

  /// Every code point with a meaning of its own, in the order of its number.
  static var names: [CodePointName] { get }

  /// A code point from its number, which need not be assigned.
  init(rawValue: UInt8)

  /// True if the value says anything: every number but 2, reserved numbers included.
  var isSpecified: Bool { get }
}

/// The spellings of one code point.
package struct CodePointName: Hashable, Sendable {
  /// The number of H.273.
  package let rawValue: UInt8

  /// The name that standards use, for people to read: `BT.2020`.
  package let title: String

  /// The value of Apple's constant, where there is one: `ITU_R_2020`.
  package let apple: String?

  /// The name that FFmpeg prints and reads: `bt2020`.
  package let ffmpeg: String

  /// True for a transfer function of high dynamic range.
  let isHDR: Bool

  init(
    _ rawValue: UInt8, _ title: String, apple: String? = nil, ffmpeg: String, isHDR: Bool = false
  ) {
    self.rawValue = rawValue
    self.title = title
    self.apple = apple
    self.ffmpeg = ffmpeg
    self.isHDR = isHDR
  }
}

extension CodePoint {
  /// Value 2: "unspecified" in all three tables of H.273, the same as no statement at all.
  package static var unspecified: Self { Self(rawValue: 2) }

  /// True unless the number is 2, which H.273 calls unspecified.
  package var isSpecified: Bool { rawValue != 2 }

  /// True if H.273 gives the number no meaning. A file that states it states nothing.
  package var isReserved: Bool { name == nil }

  /// True if H.273 gives the number a meaning other than unspecified.
  package var hasMeaning: Bool { isSpecified && !isReserved }

  /// The spellings of this code point, or nil for a reserved number.
  package var name: CodePointName? { Self.names.first { $0.rawValue == rawValue } }

  /// The standard's name with the number, for people: `BT.2020 (9)`, `reserved (99)`.
  public var description: String { "\(name?.title ?? "reserved") (\(rawValue))" }
}
