// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The number and order of a sample's fields: the content of a `fiel` box (QuickTime File Format).
package struct FieldInformation: Hashable, Sendable {
  /// 1 for whole frames, 2 for two fields.
  package let count: UInt8
  /// The order of the fields; 0 if unknown. The values 1 and 9 mean that the upper field is first
  /// in time. The values 6 and 14 mean that the lower field is first. With 1 and 6, one field is
  /// stored after the other. With 9 and 14, their lines are interleaved.
  package let detail: UInt8

  /// Makes the value for two fields that share the lines of one frame.
  package init(interleavedTopFirst: Bool) {
    count = 2
    detail = interleavedTopFirst ? 9 : 14
  }

  /// Reads the payload of a `fiel` box.
  ///
  /// - Throws: ``ISOBMFFError`` if it is too short or has a number of fields other than 1 or 2.
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

  /// The payload of a `fiel` box.
  package var payload: [UInt8] { [count, detail] }

  /// Whether the upper field is first in time; `nil` for whole frames or an unknown order.
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
  /// The fields of the `fiel` box; `nil` if there is no such box or if it is invalid.
  package var fieldInformation: FieldInformation? {
    payload("fiel").flatMap { try? FieldInformation($0) }
  }
}
