// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ColorScience
internal import FoundationEssentials

extension StillColor {
  /// The bytes of an ICC profile (ICC.1:2010, version 4.3) of a display with three primaries and a
  /// curve; `nil` if the primaries have no chromaticities.
  var profile: [UInt8]? {
    guard let space = RGBSpace(color.colorPrimaries) else { return nil }
    // The profile connection space has the white point D50, so the primaries are adapted to it.
    let adaptation = space.adaptationToD50
    let columns = (adaptation * space.toXYZ).columns
    let curve = Self.bytes(of: curve)
    let tags: [(name: String, data: [UInt8])] = [
      ("desc", Self.text(profileName)), ("cprt", Self.text("No copyright, use freely")),
      // Display profiles of version 4 give D50 as the medium's white; `chad` says how the real
      // white was adapted to it.
      ("wtpt", Self.xyz([0.9642, 1, 0.8249])),
      ("chad", Self.numbers("sf32", adaptation.rows.flatMap(\.numbers))),
      ("rXYZ", Self.xyz(columns[0])), ("gXYZ", Self.xyz(columns[1])),
      ("bXYZ", Self.xyz(columns[2])), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    return Self.profile(tags)
  }

  /// Joins a header, a table of tags and their data. Tags with equal data share it.
  private static func profile(_ tags: [(name: String, data: [UInt8])]) -> [UInt8] {
    var (table, data) = (ByteWriter(), [UInt8]())
    var places: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    table.append(UInt32(tags.count))
    for (name, content) in tags {
      let place = places[content] ?? start + data.count
      if places[content] == nil {
        data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
        places[content] = place
      }
      table.append(Array(name.utf8))
      table.append(UInt32(place))
      table.append(UInt32(content.count))
    }
    return header(size: start + data.count) + table.bytes + data
  }

  private static func header(size: Int) -> [UInt8] {
    var header = ByteWriter()
    header.append(UInt32(size))
    header.append(UInt32(0))
    header.append(UInt32(0x0430_0000))
    header.append(Array("mntrRGB XYZ ".utf8))
    // The date is fixed, so that making the same still again gives the same file.
    for part: UInt16 in [2025, 1, 1, 0, 0, 0] { header.append(part) }
    header.append(Array("acsp".utf8))
    header.append([UInt8](repeating: 0, count: 28))
    header.append(Array(xyz([0.9642, 1, 0.8249]).dropFirst(8)))
    header.append([UInt8](repeating: 0, count: 48))
    return header.bytes
  }

  private static func numbers(_ type: String, _ values: [Double]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(Array(type.utf8) + [0, 0, 0, 0])
    for value in values { writer.append(UInt32(bitPattern: Int32((value * 65_536).rounded()))) }
    return writer.bytes
  }

  private static func xyz(_ values: [Double]) -> [UInt8] { numbers("XYZ ", values) }

  private static func bytes(of curve: (type: UInt16, parameters: [Double])) -> [UInt8] {
    var bytes = numbers("para", [0] + curve.parameters)
    bytes.replaceSubrange(8..<12, with: [0, UInt8(curve.type), 0, 0])
    return bytes
  }

  /// Returns an English text (`mluc`).
  private static func text(_ text: String) -> [UInt8] {
    let units = Array(text.utf16)
    var writer = ByteWriter()
    writer.append(Array("mluc".utf8) + [0, 0, 0, 0])
    for value: UInt32 in [1, 12] { writer.append(value) }
    writer.append(Array("enUS".utf8))
    for value in [UInt32(units.count * 2), 28] { writer.append(value) }
    for unit in units { writer.append(unit) }
    return writer.bytes
  }
}

extension Matrix3x3 {
  fileprivate var columns: [[Double]] {
    let rows = rows.map(\.numbers)
    return (0..<3).map { column in rows.map { $0[column] } }
  }
}

extension Triple {
  fileprivate var numbers: [Double] { [self[0], self[1], self[2]] }
}
