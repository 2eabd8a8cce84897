// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// How bright the content is: SEI payload 144 (H.265, D.2.35), box `clli` (ISO/IEC 14496-12,
/// 12.1.6), CTA-861.3.
public struct ContentLightLevel: Hashable, Sendable {
  /// MaxCLL: the largest component of the brightest pixel in cd/m²; 0 if unknown.
  public var maxContentLightLevel: UInt16
  /// MaxFALL: the average of the brightest frame in cd/m²; 0 if unknown.
  public var maxPicAverageLightLevel: UInt16

  /// Makes light levels in cd/m².
  public init(maxContentLightLevel: UInt16, maxPicAverageLightLevel: UInt16) {
    self.maxContentLightLevel = maxContentLightLevel
    self.maxPicAverageLightLevel = maxPicAverageLightLevel
  }
}

extension ContentLightLevel: StaticHDRMetadataKind {
  package static let box: FourCC = "clli"
  package static let payloadType = 144
  package static let metadataOBUType: Int? = 1
  package static let name = "content light level"
  package static let key = "contentLightLevel"
  package static let originStandard: String? = "CTA-861.3"
  package static let boxClause = "12.1.6"
  package static let messageClause = "D.3.35"
  package static let transferFunctions: Set<TransferCharacteristics> = [.hlg, .pq]
  package static let describesContent = true
  package static let isPartOfHDR10 = true

  package static func payloadSize(_ beginning: [UInt8]) -> Int { 4 }

  package init(payload bytes: [UInt8]) throws(BitstreamError) {
    var reader = ByteReader(bytes)
    self.init(
      maxContentLightLevel: try reader.integer(), maxPicAverageLightLevel: try reader.integer())
  }

  package var payload: [UInt8] {
    var writer = ByteWriter()
    writer.append(maxContentLightLevel)
    writer.append(maxPicAverageLightLevel)
    return writer.bytes
  }

  package var text: String {
    "MaxCLL \(maxContentLightLevel), MaxFALL \(maxPicAverageLightLevel) cd/m²"
  }

  /// Notices of values that cannot be true (CTA-861.3; H.265, D.3.35).
  package var faults: [Notice] {
    var faults: [Notice] = []
    // The fields go up to 65 535, but no signal is brighter than PQ can represent.
    if max(maxContentLightLevel, maxPicAverageLightLevel) > 10_000 {
      faults.append(.lightLevelAbovePQ)
    }
    // A MaxCLL of 0 means "unknown", so it does not contradict a known average.
    if maxContentLightLevel > 0 && maxPicAverageLightLevel > maxContentLightLevel {
      faults.append(.lightLevelsOutOfOrder)
    }
    return faults
  }

  /// Notices of values that are possible but probably not intended.
  package var doubts: [Notice] {
    maxContentLightLevel == 0 || maxPicAverageLightLevel == 0 ? [.lightLevelUnknown] : []
  }

  /// The reasons why settings cannot ask for these values.
  package var refusals: [Notice] {
    // A file may say that both levels are unknown. Settings that ask for this make no sense,
    // because the box would say nothing.
    maxContentLightLevel == 0 && maxPicAverageLightLevel == 0 ? [.lightLevelsEmpty] : faults
  }
}

extension ContentLightLevel: JSONObject {
  package static let meaning = "How bright the content is."
  package static let fields: [JSONField<ContentLightLevel>] = [
    .init("maxCLL", "The largest component of the brightest pixel, in cd/m²; 0 if unknown.") {
      $0.maxContentLightLevel
    },
    .init("maxFALL", "The average of the brightest frame, in cd/m²; 0 if unknown.") {
      $0.maxPicAverageLightLevel
    },
  ]
}
