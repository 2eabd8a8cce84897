// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The content of a metadata unit (AV1 Bitstream & Decoding Process Specification, 5.8).
package struct MetadataOBU: Hashable, Sendable {
  /// The types of metadata that are read (6.7.1).
  package enum Kind: Int, Sendable {
    case contentLightLevel = 1
    case masteringDisplay = 2
    case registeredUserData = 4
  }

  package let kind: Kind
  /// The metadata without its type and without the trailing bits. User data begins with the
  /// country.
  package let payload: [UInt8]

  package init(_ kind: Kind, payload: [UInt8]) { (self.kind, self.payload) = (kind, payload) }

  /// Reads a unit. Returns `nil` if the unit has no metadata of a ``Kind``, or if its end is
  /// missing.
  package init?(_ unit: OBU) {
    let bytes = Array(unit.payload)
    var position = 0
    guard unit.kind == .metadata, let type = OBU.number(in: bytes, at: &position),
      let kind = Kind(rawValue: type)
    else { return nil }
    // The content ends with a bit that is 1. Zeros may follow it.
    let content = bytes[position...]
    guard let last = content.lastIndex(where: { $0 != 0 }), content[last] == 0x80 else {
      return nil
    }
    self.init(kind, payload: Array(content[..<last]))
  }

  /// Reads a unit whose end is missing: the trailing bits, and perhaps more. Returns `nil` if the
  /// unit is complete, or if it has no metadata of a ``Kind``.
  package init?(withoutEnd unit: OBU) {
    let bytes = Array(unit.payload)
    var position = 0
    guard MetadataOBU(unit) == nil, unit.kind == .metadata,
      let type = OBU.number(in: bytes, at: &position), let kind = Kind(rawValue: type)
    else { return nil }
    self.init(kind, payload: Array(bytes[position...]))
  }

  /// The metadata as a unit, with its type and the trailing bits.
  package var unit: OBU {
    OBU(.metadata, payload: OBU.leb128(kind.rawValue) + payload + [0x80])
  }
}
