// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Fault of a file that is not as ISO/IEC 14496-12 (or the QuickTime File Format) demands.
package enum ISOBMFFError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin with boxes of this family.
  case notISOBaseMedia
  /// A box that must be there is not.
  case missingBox(FourCC, in: String)
  /// A box stands in one of another kind than the standard says.
  case misplacedBox(FourCC, in: FourCC)
  /// A box ends after the data that holds it.
  case truncatedBox(FourCC, offset: UInt64, size: UInt64, available: UInt64)
  /// A box's payload is too short for its fields.
  case shortPayload(FourCC, BitstreamError)
  /// A number in a box's payload has no meaning.
  case invalidField(FourCC, field: String, observed: Int64, expected: String)
  /// A table states more entries than its bytes, or more samples than the file's, can hold.
  case excessiveCount(FourCC, UInt64, of: String, bytes: UInt64)
  /// A box's size is smaller than its own header.
  case invalidSize(FourCC, offset: UInt64, size: UInt64)
  /// The data of samples lies behind the end of the file.
  case missingSamples(end: UInt64, fileSize: UInt64)
  /// A box's header is cut off.
  case truncatedHeader(offset: UInt64)
  /// An offset of a movie points outside of all boxes.
  case strayOffset(UInt64)
  /// Two samples have some bytes, but not all, in common.
  case overlappingSamples(offset: UInt64)
  /// A box whose offsets are not understood, so that what they point to cannot be moved.
  case unmovable(FourCC)
  /// A movie in fragments where one in a single piece is needed.
  case fragmented
  /// Whoever asked does not want to wait any longer.
  case interrupted
  /// Reading or writing failed.
  case inputOutput(String)

  /// Description of the fault and its place.
  package var description: String {
    switch self {
    case .notISOBaseMedia:
      "it does not begin with a box of a movie file"
    case .missingBox(let type, let parent):
      "the box '\(type)' is missing in \(parent)"
    case .misplacedBox(let type, let parent):
      "the box '\(type)' stands in '\(parent)', where it does not belong"
    case .truncatedBox(let type, let offset, let size, let available):
      "the box '\(type)' at byte \(offset) should have \(size) bytes, but only \(available) "
        + "are there"
    case .shortPayload(let type, let error):
      "the box '\(type)' is too short: \(error)"
    case .invalidField(let type, let field, let observed, let expected):
      "the box '\(type)' has \(observed) as \(field), and \(expected) is expected"
    case .excessiveCount(let type, let count, let things, let bytes):
      "the box '\(type)' states \(count) \(things) in \(bytes) bytes"
    case .invalidSize(let type, let offset, let size):
      "the box '\(type)' at byte \(offset) has the impossible size \(size)"
    case .missingSamples(let end, let fileSize):
      "its samples reach to byte \(end), but the file ends at byte \(fileSize)"
    case .truncatedHeader(let offset):
      "the header of a box at byte \(offset) is cut off"
    case .strayOffset(let offset):
      "an offset in its index points to byte \(offset), where no media data is"
    case .overlappingSamples(let offset):
      "samples at byte \(offset) overlap"
    case .unmovable(let type):
      "the box '\(type)' points into the media data, which would have to move"
    case .fragmented:
      "the movie is in fragments ('moof')"
    case .interrupted:
      "interrupted"
    case .inputOutput(let reason):
      reason
    }
  }
}
