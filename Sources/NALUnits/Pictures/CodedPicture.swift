// SPDX-License-Identifier: GPL-2.0-or-later
/// Coding type of a picture.
package enum PictureType: String, Hashable, Sendable {
  /// From itself alone.
  case intra = "I"
  /// From one other picture a block.
  case predicted = "P"
  /// From two other pictures a block.
  case bipredicted = "B"

  /// `slice_type` of H.264 (table 7-6); nil for reserved values.
  init?(avcSliceType: UInt64) {
    switch avcSliceType % 5 {
    case _ where avcSliceType > 9: return nil
    case 0, 3: self = .predicted
    case 1: self = .bipredicted
    default: self = .intra
    }
  }

  /// `slice_type` of H.265 (table 7-7); nil for reserved values.
  init?(hevcSliceType: UInt64) {
    switch hevcSliceType {
    case 0: self = .bipredicted
    case 1: self = .predicted
    case 2: self = .intra
    default: return nil
    }
  }
}

/// The place of a picture in the order of output (H.265, C.5.2): of two coded video sequences, all
/// of the first comes before the second, and inside of one the order count decides.
package struct PictureOrder: Hashable, Sendable, Comparable {
  /// The number of the coded video sequence in the stream.
  package let sequence: Int
  /// `PicOrderCntVal` (8.3.1).
  package let orderCount: Int

  /// True if a picture comes before another.
  package static func < (left: Self, right: Self) -> Bool {
    (left.sequence, left.orderCount) < (right.sequence, right.orderCount)
  }
}

/// Facts about a picture from the first slice of its access unit.
package struct CodedPicture: Hashable, Sendable {
  /// Coding type of the first slice; encoders code all slices of a picture with one type. Nil where
  /// it cannot be read.
  package let type: PictureType?
  /// The picture's place in the order of output; nil for H.264, and where it cannot be read.
  package let order: PictureOrder?
}
