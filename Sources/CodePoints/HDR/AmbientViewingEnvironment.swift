// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The surroundings that the video is meant to be seen in: SEI payload 148 (H.265, D.2.39), box
/// `amve` (ISO/IEC 14496-12, 12.1.9).
public struct AmbientViewingEnvironment: Hashable, Sendable {
  /// The illuminance in units of 0.0001 lux.
  public var ambientIlluminance: UInt32
  /// CIE 1931 x of the ambient light × 50 000.
  public var ambientLightX: UInt16
  /// CIE 1931 y of the ambient light × 50 000.
  public var ambientLightY: UInt16

  /// Makes an environment from its coded values.
  public init(ambientIlluminance: UInt32, ambientLightX: UInt16, ambientLightY: UInt16) {
    self.ambientIlluminance = ambientIlluminance
    self.ambientLightX = ambientLightX
    self.ambientLightY = ambientLightY
  }

  // HLG without the box looks too bright on Apple's displays (TN3145). With the values that phones
  // write, players show an output as they show a phone's clip. In 314 lux, a white surface has
  // 100 cd/m².
  /// The values that iPhones write: 314 lux, D65.
  package static let usual = AmbientViewingEnvironment(
    ambientIlluminance: 3_140_000, ambientLightX: 15_635, ambientLightY: 16_450)
  /// The same values in the form that ``init(spelling:)`` reads.
  package static let usualSpelling = "314,0.3127,0.3290"

  /// The illuminance in lux.
  public var illuminance: Double { Double(ambientIlluminance) / 10_000 }
}

extension AmbientViewingEnvironment: StaticHDRMetadataKind {
  package static let box: FourCC = "amve"
  package static let payloadType = 148
  package static let name = "ambient viewing environment"
  package static let key = "ambientViewingEnvironment"
  package static let originStandard: String? = "TN3145"
  package static let boxClause = "12.1.9"
  package static let messageClause = "D.3.39"
  // How HLG is shown depends on the viewer's surroundings. PQ is absolute and does not depend on
  // them.
  package static let transferFunctions: Set<TransferCharacteristics> = [.hlg]
  // This metadata is about the room and not about the frames, so it stays true when the frames
  // change.
  package static let describesContent = false

  package static func payloadSize(_ beginning: [UInt8]) -> Int { 8 }

  package init(payload bytes: [UInt8]) throws(BitstreamError) {
    var reader = ByteReader(bytes)
    self.init(
      ambientIlluminance: try reader.integer(), ambientLightX: try reader.integer(),
      ambientLightY: try reader.integer())
  }

  package var payload: [UInt8] {
    var writer = ByteWriter()
    writer.append(ambientIlluminance)
    writer.append(ambientLightX)
    writer.append(ambientLightY)
    return writer.bytes
  }

  package var text: String {
    "\(summary), x \(Double(ambientLightX) / 50_000), y \(Double(ambientLightY) / 50_000)"
  }

  package var summary: String { "\(illuminance) lux" }

  /// The values that cannot be true (H.265, D.3.39).
  package var faults: [Notice] {
    var faults: [Notice] = []
    if ambientIlluminance == 0 { faults.append(.noAmbientLight) }
    // Direct sunlight has about 100 000 lux. A value that is more than twice as large must be in
    // the wrong unit.
    if illuminance > 200_000 { faults.append(.ambientLightAboveSunlight(illuminance)) }
    // No light has a y of 0. x + y + z is 1 and z is not negative, so no light has x + y above 1.
    if ambientLightY == 0 || Int(ambientLightX) + Int(ambientLightY) > 50_000 {
      faults.append(
        .lightOfNoColor(x: Double(ambientLightX) / 50_000, y: Double(ambientLightY) / 50_000))
    }
    return faults
  }
}

extension AmbientViewingEnvironment: JSONObject {
  package static let meaning = "The surroundings that the video is meant to be seen in."
  package static let fields: [JSONField<AmbientViewingEnvironment>] = [
    .init("illuminance", "The illuminance, in lux.") { $0.illuminance },
    .init("x", "CIE 1931 x of the ambient light.") { Double($0.ambientLightX) / 50_000 },
    .init("y", "CIE 1931 y of the ambient light.") { Double($0.ambientLightY) / 50_000 },
  ]
}
