// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The content of `av1C` (AV1 Codec ISO Media File Format Binding, 2.3).
package struct AV1ConfigurationRecord: Hashable, Sendable {
  /// The units that apply to all samples. The first one is a sequence header, but some files have
  /// no units here.
  package private(set) var units: [OBU]
  /// The bytes before the units. Empty if there is neither a record that states them nor a sequence
  /// header to make them from.
  private var head: [UInt8]

  /// The record without its units. AVIF needs only this, because the image itself has a sequence
  /// header.
  package var fields: [UInt8] { head }

  private static let marker: UInt8 = 0x81
  /// How many bytes come before the units.
  static let size = 4

  /// Makes a record for a bitstream.
  package init(_ units: [OBU]) {
    self.units = units
    head = AV1SequenceHeader(in: units).map(Self.head(of:)) ?? []
  }

  /// Reads a record, or units without the bytes before them.
  package init(_ bytes: [UInt8]) {
    let hasHead = Self.isRecord(bytes)
    self.init(OBU.split(hasHead ? Array(bytes.dropFirst(Self.size)) : bytes))
    if hasHead { head = Array(bytes.prefix(Self.size)) }
  }

  /// Whether bytes begin like a record of version 1, the only known version.
  static func isRecord(_ bytes: [UInt8]) -> Bool {
    bytes.first == marker && bytes.count >= size
  }

  /// Copies the delay before presentation from a record, because no unit states it.
  mutating func takeDelay(from record: [UInt8]) {
    if head.count == Self.size { head[3] = record[3] }
  }

  /// The content of the box.
  package var bytes: [UInt8] {
    var head = head
    // Of the fields before the units, only the chroma location depends on color tags. Some files
    // have no units. Then all fields stay as they are.
    if let header = AV1SequenceHeader(in: units), head.count == Self.size {
      head[2] = head[2] & 0xFC | UInt8(header.chromaSamplePosition)
    }
    return head + units.flatMap(\.bytes)
  }

  private static func head(of header: AV1SequenceHeader) -> [UInt8] {
    var writer = BitWriter()
    writer.u(UInt64(Self.marker), 8)
    writer.u(UInt64(header.profile), 3)
    writer.u(UInt64(header.levelIndex), 5)
    writer.u(UInt64(header.tier), 1)
    writer.flag(header.bitDepth > 8)
    writer.flag(header.bitDepth == 12)
    writer.flag(header.chromaFormatIdc == 0)
    // Monochrome is coded as if it had the chroma of 4:2:0.
    writer.flag(header.chromaFormatIdc < 3)
    writer.flag(header.chromaFormatIdc < 2)
    writer.u(UInt64(header.chromaSamplePosition), 2)
    // The delay before presentation is not stated.
    writer.u(0, 8)
    return writer.bytes
  }

  /// Leaves out units that do not meet a condition.
  package mutating func keepUnits(where isKept: (OBU) throws -> Bool) rethrows {
    units = try units.filter(isKept)
  }

  /// Changes each unit, or removes it if `change` returns `nil`.
  package mutating func replaceUnits(_ change: (OBU) throws -> OBU?) rethrows {
    units = try units.compactMap(change)
  }
}
