// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import NALUnits

/// The HDR10+ metadata of a frame (SMPTE ST 2094-40), which is registered user data in an SEI
/// message.
package struct HDR10Plus: DynamicHDRMetadataKind {
  package static let key = "hdr10Plus"
  package static let name = "HDR10+"

  package let payload: [UInt8]
  /// The parsed metadata; `nil` if the bytes are not ST 2094-40 or are cut off.
  package let metadata: HDR10PlusMetadata?

  package init(payload: [UInt8]) {
    self.payload = payload
    metadata = try? HDR10PlusMetadata(payload: payload)
  }

  /// Makes the metadata of a frame.
  package init(writing metadata: HDR10PlusMetadata) {
    (payload, self.metadata) = (metadata.payload, metadata)
  }

  package static func payload(in units: ArraySlice<NALUnit>) -> [UInt8]? {
    SEIMessage.registeredUserData(HDR10PlusMetadata.prefix, in: units)
  }

  package func nalUnit(_ codec: NALCodec) -> NALUnit {
    NALUnit(messages: [SEIMessage(registeredUserData: payload)], codec)
  }

  package var isReadable: Bool { metadata != nil }
  package var fault: String? { metadata?.issues.first }
  package var peakLuminance: Double? { metadata?.peakLuminance }

  /// Returns whether the metadata is valid.
  package func isUsable(beside first: HDR10Plus) -> Bool {
    // If the track's first metadata has a fault as well, the program that wrote the track makes
    // metadata like that. It is not damaged.
    isReadable && (fault == nil || first.fault != nil)
  }

  /// Returns whether the transfer function is PQ, because HDR10+ maps absolute light.
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool { transfer == .pq }

  /// Returns whether nothing was cut off from the frame or added to it.
  package static func isTrue(after change: FrameChange) -> Bool {
    // HDR10+ has percentiles of all pixels. A cropped or padded frame has other percentiles, but a
    // scaled frame has the same ones.
    change == .none || change == .size
  }
}
