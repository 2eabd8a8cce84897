// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Number and order of the fields of a sample: the content of a `fiel` box (QuickTime File Format).
package struct FieldInformation: Hashable, Sendable {
  /// Fields of a sample: 1 for whole frames, 2.
  package let count: UInt8
  /// The order: 1 and 9 have the upper field first in time, 6 and 14 the lower; 1 and 6 store
  /// fields one after the other, 9 and 14 line by line. 0 is unknown.
  package let detail: UInt8

  /// Two fields in the lines of one frame.
  package init(interleavedTopFirst: Bool) {
    count = 2
    detail = interleavedTopFirst ? 9 : 14
  }

  /// Reads a payload.
  ///
  /// - Throws: ``ISOBMFFError`` where it is too short, or has another number of fields than 1 or 2.
  package init(_ payload: [UInt8]) throws(ISOBMFFError) {
    var reader = ByteReader(payload)
    do throws(BitstreamError) {
      (count, detail) = (try reader.integer(), try reader.integer())
    } catch {
      throw .shortPayload("fiel", error)
    }
    guard count == 1 || count == 2 else {
      throw .invalidField("fiel", field: "fields", observed: Int64(count), expected: "1 or 2")
    }
  }

  /// The payload.
  package var payload: [UInt8] { [count, detail] }

  /// True if the upper of two fields is the first in time; nil for whole frames and where it is
  /// not stated.
  package var isTopFirst: Bool? {
    guard count == 2 else { return nil }
    switch detail {
    case 1, 9: return true
    case 6, 14: return false
    default: return nil
    }
  }
}

extension SampleEntry {
  /// `fiel`.
  package var fieldInformation: FieldInformation? {
    payload("fiel").flatMap { try? FieldInformation($0) }
  }
}
