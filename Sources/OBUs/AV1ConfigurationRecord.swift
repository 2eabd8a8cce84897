// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The content of `av1C` (AV1 Codec ISO Media File Format Binding, 2.3).
package struct AV1ConfigurationRecord: Hashable, Sendable {
  /// The units that apply to all samples. The first one is a sequence header.
  package private(set) var units: [OBU]

  private static let marker: UInt8 = 0x81
  private static let size = 4

  /// Makes a record for a bitstream.
  package init(_ units: [OBU]) { self.units = units }

  /// Reads a record, or the units alone.
  package init(_ bytes: [UInt8]) {
    units = OBU.split(Array(bytes.first == Self.marker ? bytes.dropFirst(Self.size) : bytes[...]))
  }

  /// The bytes, or only those of the units if there is no sequence header.
  package var bytes: [UInt8] {
    let content = units.flatMap(\.bytes)
    guard let header = AV1SequenceHeader(in: units) else { return content }
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
    return writer.bytes + content
  }

  /// Changes each unit.
  package mutating func replaceUnits(_ change: (OBU) -> OBU) { units = units.map(change) }
}
