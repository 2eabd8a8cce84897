// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// A sample entry (ISO/IEC 14496-12, 8.5.2; QuickTime: sample description) and its boxes.
package struct SampleEntry: Hashable, Sendable {
  /// The four-character code of the format.
  package let format: FourCC
  /// The boxes inside the entry.
  package let boxes: [Box]

  /// Reads a sample entry's box.
  package init(_ box: Box) {
    format = box.type
    boxes = box.children
  }

  /// Whether the samples are encrypted (ISO/IEC 14496-12, 8.12).
  package var isEncrypted: Bool {
    // A `sinf` usually means encryption. But a `resv` entry may also have one, and its samples only
    // need an additional step after decoding (8.15).
    Self.isEncrypted(format) || format != "resv" && boxes.contains { $0.type == "sinf" }
  }

  /// Whether a sample entry type means encrypted samples, including Apple's FairPlay.
  package static func isEncrypted(_ type: FourCC) -> Bool {
    ["encv", "enca", "encs", "enct", "drmi", "drms"].contains(type)
  }

  /// Returns the payload of the first box of a type.
  package func payload(_ type: FourCC) -> [UInt8]? { boxes.first { $0.type == type }?.fields }

  /// Returns the payloads of all boxes of a type, in order.
  package func payloads(_ type: FourCC) -> [[UInt8]] {
    boxes.filter { $0.type == type }.map(\.fields)
  }

  /// All `colr` boxes that can be read, in order.
  package var colorInformation: [ColorInformation] {
    boxes.filter { $0.type == "colr" }.compactMap { try? ColorInformation($0.fields) }
  }

  /// The color and range of each `nclx` and `nclc` box, in order.
  package var signals: [SignalDescription] {
    // An entry may have several `colr` boxes (12.1.5), and they need not agree.
    colorInformation.compactMap { information in
      switch information {
      case .nclx(let color, let full): SignalDescription(color: color, videoFullRangeFlag: full)
      case .nclc(let color): SignalDescription(color: color)
      case .profile, .other: nil
      }
    }
  }

  /// The color and range of the first `nclx` or `nclc` box.
  package var signal: SignalDescription { signals.first ?? SignalDescription() }

  /// Makes a QuickTime `gama` box, which contains a gamma in 16.16 fixed point.
  package static func gammaBox(_ gamma: Double) -> Box {
    var writer = ByteWriter()
    writer.append(UInt32(min(max((gamma * 65536).rounded(), 0), Double(UInt32.max))))
    return Box("gama", fields: writer.bytes)
  }

  /// The gamma of QuickTime's `gama` box.
  package var gamma: Double? {
    guard let payload = payload("gama") else { return nil }
    var reader = ByteReader(payload)
    return (try? reader.integer(UInt32.self)).map { Double($0) / 65536 }
  }

  /// The ICC profiles of the `colr` boxes, in order.
  package var profiles: [[UInt8]] {
    colorInformation.compactMap { information in
      if case .profile(let bytes) = information { bytes } else { nil }
    }
  }

  /// The static HDR metadata, from the first box of each kind.
  package var staticHDRMetadata: StaticHDRMetadata { StaticHDRMetadata(boxes: payload) }
}

extension StaticHDRMetadataKind {
  /// The box that carries this value in a sample entry.
  package var boxed: Box { Box(Self.box, fields: payload) }
}
