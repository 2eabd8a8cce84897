// SPDX-License-Identifier: GPL-2.0-or-later
/// The coding type of a picture.
package enum PictureType: String, Hashable, Sendable {
  /// The picture is predicted from itself alone.
  case intra = "I"
  /// Each block is predicted from at most one other picture.
  case predicted = "P"
  /// Each block is predicted from at most two other pictures.
  case bipredicted = "B"

  /// Reads `slice_type` of H.264 (table 7-6). Returns `nil` for reserved values.
  init?(avcSliceType: UInt64) {
    // The values 5 to 9 mean the same as 0 to 4, and also say that all slices of the picture have
    // this type. SP and SI slices (3 and 4) count as P and I.
    switch avcSliceType % 5 {
    case _ where avcSliceType > 9: return nil
    case 0, 3: self = .predicted
    case 1: self = .bipredicted
    default: self = .intra
    }
  }

  /// Reads `slice_type` of H.265 (table 7-7). Returns `nil` for reserved values.
  init?(hevcSliceType: UInt64) {
    switch hevcSliceType {
    case 0: self = .bipredicted
    case 1: self = .predicted
    case 2: self = .intra
    default: return nil
    }
  }
}

/// The place of a picture in output order (H.265, C.5.2).
package struct PictureOrder: Hashable, Sendable, Comparable {
  // Order counts start again with each coded video sequence, so the sequence is compared first.

  /// The number of the coded video sequence that contains the picture.
  package let sequence: Int
  /// `PicOrderCntVal` (8.3.1).
  package let orderCount: Int

  /// Returns whether a picture comes before another.
  package static func < (left: Self, right: Self) -> Bool {
    (left.sequence, left.orderCount) < (right.sequence, right.orderCount)
  }
}

/// What the first slice of an access unit says about its picture.
package struct CodedPicture: Hashable, Sendable {
  // Encoders usually code all slices of a picture with one type, so the first slice is enough.
  /// The coding type of the first slice; `nil` if it cannot be read.
  package let type: PictureType?
  /// The picture's place in output order; `nil` for H.264, and if it cannot be read.
  package let order: PictureOrder?
}
