// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import NALUnits

/// HDR10+ of a frame (SMPTE ST 2094-40): registered user data in an SEI message.
package struct HDR10Plus: DynamicHDRMetadataKind {
  package static let key = "hdr10Plus"
  package static let name = "HDR10+"

  package let payload: [UInt8]
  package let peakLuminance: Double?

  package init(payload: [UInt8]) {
    self.payload = payload
    peakLuminance = SEIMessage(registeredUserData: payload).hdr10PlusPeak
  }

  package static func payload(in units: ArraySlice<NALUnit>) -> [UInt8]? {
    SEIMessage.registeredUserData(SEIMessage.hdr10PlusPrefix, in: units)
  }

  package var nalUnit: NALUnit { NALUnit(registeredUserData: payload) }

  /// It maps light that PQ states.
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool { transfer == .pq }

  /// It counts every pixel of a frame: cut or padded, a frame has others.
  package static func isTrue(after change: PictureChange) -> Bool {
    change == .none || change == .size
  }

  package static let faults = (
    missing: Notice.fault("hdr10PlusMissing", [:], "HDR10+ is missing"),
    notPromised: Notice.fault(
      "hdr10PlusNotPromised", [:], "HDR10+ is there, which is not of its frames")
  )
}
