// SPDX-License-Identifier: GPL-2.0-or-later
/// A code point of Rec. ITU-T H.273 (ISO/IEC 23091-2), as files store it.
///
/// A value has up to three spellings: the number of H.273, the string in Apple's constant
/// (`ITU_R_2020`) and FFmpeg's name (`bt2020`). A reserved value has only its number.
package protocol CodePoint: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == UInt16 {
  // Types that conform are structs and not enums, because a reserved or unknown number must survive
  // from the source to the output.

  /// What the code points of this type describe, for messages.
  static var kind: String { get }

  /// All code points that H.273 defines, in the order of their numbers.
  static var names: [CodePointName] { get }

  // H.273 has numbers up to 255. Some places have room for more, and FFmpeg has numbers of its own
  // there.
  /// The meanings of numbers that are not from H.273.
  static var otherTitles: [UInt16: String] { get }

  /// Makes a code point from its number, which need not be assigned.
  init(rawValue: UInt16)

  /// Whether the value says anything. The number 2 says nothing, unless a name comes with it. Every
  /// other number says something, even a reserved one.
  var isSpecified: Bool { get }
}

/// The spellings of one code point.
package struct CodePointName: Hashable, Sendable {
  /// The number in H.273.
  package let rawValue: UInt16

  /// The standard's name as text for people: `BT.2020`.
  package let title: String

  /// The value of Apple's constant: `ITU_R_2020`. `nil` if Apple has none.
  package let apple: String?

  /// The name that FFmpeg prints and reads: `bt2020`.
  package let ffmpeg: String

  /// Whether this is a transfer function of high dynamic range.
  let isHDR: Bool

  init(
    _ rawValue: UInt16, _ title: String, apple: String? = nil, ffmpeg: String, isHDR: Bool = false
  ) {
    self.rawValue = rawValue
    self.title = title
    self.apple = apple
    self.ffmpeg = ffmpeg
    self.isHDR = isHDR
  }
}

extension CodePoint {
  // Some writers leave a tag out, and others write 2. Both mean the same, so both become this
  // value.
  /// Value 2: "unspecified" in all three tables of H.273.
  package static var unspecified: Self { Self(rawValue: 2) }

  /// Whether the number is not 2, which H.273 calls unspecified.
  package var isSpecified: Bool { rawValue != 2 }

  // When samples are copied, a reserved number is kept. When a file's color is determined, it
  // counts as a missing tag, and the next place in the file is read.
  /// Whether H.273 gives the number no meaning.
  package var isReserved: Bool { name == nil }

  /// Whether the value has a meaning: from H.273, other than "unspecified", or from its name.
  package var hasMeaning: Bool { isSpecified && !isReserved }

  /// The spellings of this code point; `nil` for a reserved number.
  package var name: CodePointName? { Self.names.first { $0.rawValue == rawValue } }

  package static var otherTitles: [UInt16: String] { [:] }

  /// The standard's name, or the name of a number that is not from H.273: `BT.2020`,
  /// `FFmpeg's V-Log`, `reserved`.
  package var numberTitle: String {
    name?.title ?? Self.otherTitles[rawValue] ?? "reserved"
  }

  /// The number for a place with 8 bits; 2, "unspecified", if the number needs more.
  package var byte: UInt8 { UInt8(exactly: rawValue) ?? 2 }

  /// The standard's name and the number as text for people: `BT.2020 (9)`, `reserved (99)`.
  public var description: String { "\(numberTitle) (\(rawValue))" }
}
