// SPDX-License-Identifier: GPL-2.0-or-later

/// A code point by its number and its name: `{"code": 9, "name": "BT.2020"}`.
package struct NamedCode: Hashable, Sendable, JSONObject, CustomStringConvertible {
  package let code: Int?
  package let name: String

  package static let meaning = "A code point of Rec. ITU-T H.273 with its name."
  package static let fields: [JSONField<NamedCode>] = [
    .init(
      "code",
      "The number in Rec. ITU-T H.273; numbers above 255 are FFmpeg's. Absent if there is none.",
      JSONSchema(.integer(0...65_535))
    ) { $0.code },
    .init("name", "The name; 'reserved' if the number has no meaning.") { $0.name },
  ]

  /// The name and the number as text for people: `BT.2020 (9)`.
  package var description: String { code.map { "\(name) (\($0))" } ?? name }

  package init(code: Int?, name: String) { (self.code, self.name) = (code, name) }

  package init(_ point: some CodePoint) {
    self.init(code: Int(point.rawValue), name: point.numberTitle)
  }

  package init(_ transfer: TransferCharacteristics) {
    self.init(
      code: transfer.unnumberedName == nil ? Int(transfer.rawValue) : nil, name: transfer.title)
  }

  package init(_ location: ChromaLocation) {
    self.init(code: Int(location.rawValue), name: location.title)
  }
}
