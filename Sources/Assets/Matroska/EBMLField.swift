// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// An element of Matroska (RFC 9559) whose content is a number, and the range in which the number
/// is believed. A number outside the range counts as undeclared.
struct EBMLField: Sendable {
  /// The element's ID with its length marker.
  let id: UInt32
  /// The number's name and its bounds.
  let number: FileNumber

  private init(_ id: UInt32, _ name: String, _ bounds: ClosedRange<Int64>) {
    (self.id, number) = (id, FileNumber(name, bounds))
  }

  // With this limit, the sum of any two positions in a file still fits into 64 bits.
  private static let places: ClosedRange<Int64> = 0...1 << 56
  // When frames are cropped and scaled, their sides are multiplied, and the products have to fit.
  private static let side: Int64 = 1 << 24

  static let seekID = EBMLField(0x53AB, "SeekID", 1...Int64(UInt32.max))
  static let seekPosition = EBMLField(0x53AC, "SeekPosition", places)
  static let trackType = EBMLField(0x83, "TrackType", 1...254)
  static let cropBottom = EBMLField(0x54AA, "PixelCropBottom", 0...side)
  static let cropTop = EBMLField(0x54BB, "PixelCropTop", 0...side)
  static let cropLeft = EBMLField(0x54CC, "PixelCropLeft", 0...side)
  static let cropRight = EBMLField(0x54DD, "PixelCropRight", 0...side)
  static let displayWidth = EBMLField(0x54B0, "DisplayWidth", 1...side)
  static let displayHeight = EBMLField(0x54BA, "DisplayHeight", 1...side)
  static let displayUnit = EBMLField(0x54B2, "DisplayUnit", 0...4)
  static let editionHidden = EBMLField(0x45BD, "EditionFlagHidden", 0...1)
  static let editionDefault = EBMLField(0x45DB, "EditionFlagDefault", 0...1)
  static let chapterHidden = EBMLField(0x98, "ChapterFlagHidden", 0...1)
  static let chapterEnabled = EBMLField(0x4598, "ChapterFlagEnabled", 0...1)
  /// Times of chapters are in nanoseconds.
  static let chapterStart = EBMLField(0x91, "ChapterTimeStart", 0...MediaTime.mostTicks)
  static let chapterEnd = EBMLField(0x92, "ChapterTimeEnd", 0...MediaTime.mostTicks)

  /// All fields that are read.
  static let all = [
    seekID, seekPosition, trackType, cropBottom, cropTop, cropLeft, cropRight, displayWidth,
    displayHeight, displayUnit, editionHidden, editionDefault, chapterHidden, chapterEnabled,
    chapterStart, chapterEnd,
  ]
}
