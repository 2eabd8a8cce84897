// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Why a movie file (ISO/IEC 14496-12, QuickTime File Format) cannot be read or rewritten.
package enum ISOBMFFError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin with a box that movie files begin with.
  case notISOBaseMedia
  /// A required box is missing.
  case missingBox(FourCC, in: String)
  /// A box is in a parent in which the standard does not allow it.
  case misplacedBox(FourCC, in: FourCC)
  /// A box ends past the end of its parent or of the file.
  case truncatedBox(FourCC, offset: UInt64, size: UInt64, available: UInt64)
  /// A box's payload is too short for its fields.
  case shortPayload(FourCC, BitstreamError)
  /// A number in a box's payload is out of range.
  case invalidField(FourCC, field: String, observed: Int64, expected: String)
  /// A number of entries, samples or fragments is too high: the bytes cannot hold so many, or this
  /// code does not read so many.
  case excessiveCount(FourCC, UInt64, of: String, bytes: UInt64)
  /// A box's size is smaller than its own header, or larger than this code reads.
  case invalidSize(FourCC, offset: UInt64, size: UInt64)
  /// Sample data is past the end of the file.
  case missingSamples(end: UInt64, fileSize: UInt64)
  /// A box's header is cut off.
  case truncatedHeader(offset: UInt64)
  /// An offset in the movie points outside all boxes.
  case strayOffset(UInt64)
  /// Two samples share some but not all of their bytes, or a change crosses a sample's border.
  case overlappingSamples(offset: UInt64)
  /// This code cannot adapt the box to media data that is moved or changed.
  case unmovable(FourCC)
  /// The movie is in fragments, but only a movie in one piece can be used.
  case fragmented
  /// A checkpoint stopped the work.
  case interrupted
  /// Reading or writing failed.
  case inputOutput(String)

  /// Says what is wrong and where.
  package var description: String {
    switch self {
    case .notISOBaseMedia:
      "it does not begin with a box of a movie file"
    case .missingBox(let type, let parent):
      "the box '\(type)' is missing from \(parent)"
    case .misplacedBox(let type, let parent):
      "the box '\(type)' is in '\(parent)', where it does not belong"
    case .truncatedBox(let type, let offset, let size, let available):
      "the box '\(type)' at byte \(offset) should have \(size) bytes, but has only "
        + "\(available)"
    case .shortPayload(let type, let error):
      "the box '\(type)' is too short: \(error)"
    case .invalidField(let type, let field, let observed, let expected):
      "the box '\(type)' has \(observed) as its \(field); expected \(expected)"
    case .excessiveCount(let type, let count, let things, let bytes):
      "the box '\(type)' has an impossible count: \(count) \(things) in \(bytes) bytes"
    case .invalidSize(let type, let offset, let size):
      "the box '\(type)' at byte \(offset) has the impossible size \(size)"
    case .missingSamples(let end, let fileSize):
      "its samples reach to byte \(end), but the file ends at byte \(fileSize)"
    case .truncatedHeader(let offset):
      "the header of a box at byte \(offset) is cut off"
    case .strayOffset(let offset):
      "an offset in its index points to byte \(offset), where there is no media data"
    case .overlappingSamples(let offset):
      "samples at byte \(offset) overlap"
    case .unmovable(let type):
      "the box '\(type)' cannot be adapted to media data that is moved or changed"
    case .fragmented:
      "the movie is in fragments ('moof')"
    case .interrupted:
      "interrupted"
    case .inputOutput(let reason):
      reason
    }
  }
}
