// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import NALUnits
package import OBUs

// AV1's metadata units have the same content as H.265's messages and units. Everything that reads,
// compares and reports metadata works with H.265's form, so AV1's units are translated here.
extension OBU {
  /// The metadata in the unit, in H.265's form; `nil` if it has no metadata that is read here.
  package var metadata: NALUnit? {
    // A unit that lacks its end is read as far as it goes. The code that reads the metadata then
    // reports what is missing.
    guard let metadata = MetadataOBU(self) ?? MetadataOBU(withoutEnd: self) else { return nil }
    if let display = metadata.masteringDisplay {
      return NALUnit(messages: [SEIMessage(display)], .hevc)
    }
    if let level = metadata.contentLightLevel {
      return NALUnit(messages: [SEIMessage(level)], .hevc)
    }
    guard metadata.kind == .registeredUserData else { return metadata.cutOff }
    if let rpu = MetadataOBU.dolbyVisionRPU(in: metadata.payload) {
      return NALUnit(dolbyVisionRPU: rpu.withEmulationPrevention)
    }
    return NALUnit(messages: [SEIMessage(registeredUserData: metadata.payload)], .hevc)
  }

  /// Makes the unit for metadata in H.265's form. Returns `nil` if AV1 has no place for it.
  package init?(metadata unit: NALUnit) {
    if let rpu = unit.dolbyVisionRPU {
      self = MetadataOBU(dolbyVisionRPU: rpu.withoutEmulationPrevention).unit
      return
    }
    guard let message = SEIMessage.messages(in: unit).first, let metadata = MetadataOBU(message)
    else { return nil }
    self = metadata.unit
  }
}

extension MetadataOBU {
  /// An empty message, which stands for static metadata that is cut off. Readers report that the
  /// message is too short. `nil` for other metadata.
  fileprivate var cutOff: NALUnit? {
    StaticHDRMetadata.kinds.first { $0.metadataOBUType == kind.rawValue }.map { kind in
      NALUnit(messages: [SEIMessage(payloadType: kind.payloadType, payload: [])], .hevc)
    }
  }

  /// Makes the metadata of a message. Returns `nil` if AV1 has no place for it.
  package init?(_ message: SEIMessage) {
    if let display = try? message.value(of: MasteringDisplayColorVolume.self) {
      self.init(display)
    } else if let level = try? message.value(of: ContentLightLevel.self) {
      self.init(level)
    } else if message.registeredUserData != nil {
      self.init(.registeredUserData, payload: message.payload)
    } else {
      return nil
    }
  }
}

extension HeadroomAdaptiveGain {
  /// The bytes of the metadata as an open bitstream unit of AV1.
  package var openBitstreamUnit: [UInt8] {
    OBU(metadata: nalUnit(.hevc)).map { Array($0.bytes) } ?? []
  }
}
