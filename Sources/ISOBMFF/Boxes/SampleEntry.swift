// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// Content of a sample entry (ISO/IEC 14496-12, 8.5.2; QuickTime: sample description), as far as it
/// matters for color.
package struct SampleEntry: Hashable, Sendable {
  /// The four characters of the format.
  package let format: FourCC
  /// The boxes inside.
  package let boxes: [Box]

  /// Content of a sample entry's box.
  package init(_ box: Box) {
    format = box.type
    boxes = box.children
  }

  /// True if the samples are encrypted, and `sinf` tells what they are (ISO/IEC 14496-12, 8.12).
  package var isEncrypted: Bool {
    // `resv` is for samples that need more than a decoder, and are not encrypted (8.15).
    Self.isEncrypted(format) || format != "resv" && boxes.contains { $0.type == "sinf" }
  }

  /// True if a sample entry's type is that of encrypted samples, Apple's FairPlay among them.
  package static func isEncrypted(_ type: FourCC) -> Bool {
    ["encv", "enca", "encs", "enct", "drmi", "drms"].contains(type)
  }

  /// The payload of the first box of a type.
  package func payload(_ type: FourCC) -> [UInt8]? { boxes.first { $0.type == type }?.fields }

  /// The payloads of all boxes of a type, in their order.
  package func payloads(_ type: FourCC) -> [[UInt8]] {
    boxes.filter { $0.type == type }.map(\.fields)
  }

  /// All `colr` boxes, in their order.
  package var colorInformation: [ColorInformation] {
    boxes.filter { $0.type == "colr" }.compactMap { try? ColorInformation($0.fields) }
  }

  /// Color and range as each `nclx` and `nclc` box states them, in their order.
  package var signals: [SignalDescription] {
    colorInformation.compactMap { information in
      switch information {
      case .nclx(let color, let full): SignalDescription(color: color, videoFullRangeFlag: full)
      case .nclc(let color): SignalDescription(color: color)
      case .profile, .other: nil
      }
    }
  }

  /// Color and range as the first `nclx` or `nclc` box states them.
  package var signal: SignalDescription { signals.first ?? SignalDescription() }

  /// QuickTime's `gama`, which states a gamma as a fixed-point number.
  package static func gammaBox(_ gamma: Double) -> Box {
    var writer = ByteWriter()
    writer.append(UInt32(min(max((gamma * 65536).rounded(), 0), Double(UInt32.max))))
    return Box("gama", fields: writer.bytes)
  }

  /// The gamma of QuickTime's `gama`, a fixed-point number; nil where there is none.
  package var gamma: Double? {
    guard let payload = payload("gama") else { return nil }
    var reader = ByteReader(payload)
    return (try? reader.integer(UInt32.self)).map { Double($0) / 65536 }
  }

  /// The bytes of the ICC profiles of `colr` boxes, in their order.
  package var profiles: [[UInt8]] {
    colorInformation.compactMap { information in
      if case .profile(let bytes) = information { bytes } else { nil }
    }
  }

  /// Static HDR metadata of the first box of each kind.
  package var staticHDRMetadata: StaticHDRMetadata { StaticHDRMetadata(boxes: payload) }
}

extension StaticHDRMetadataKind {
  /// The box that states the value in a sample entry.
  package var boxed: Box { Box(Self.box, fields: payload) }
}
