// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import NALUnits

/// The HDR10+ metadata of a frame (SMPTE ST 2094-40). It is stored as registered user data, in an
/// SEI message or in a metadata unit of AV1.
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

  /// Makes the value and its bytes from metadata that is to be written.
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

  /// Returns whether the metadata can be read and has no fault. Faults are allowed if the track's
  /// first metadata has one, too.
  package func isUsable(beside first: HDR10Plus) -> Bool {
    // If the first metadata is faulty as well, the program that wrote the track writes metadata
    // like that. So the fault does not mean that this metadata was damaged later.
    isReadable && (fault == nil || first.fault != nil)
  }

  /// Returns the brand of AV1 with HDR10+ (HDR10+ AV1 Metadata Handling Specification).
  package static func brand(forSamplesOf codecName: String) -> FourCC? {
    codecName == "av1" ? "cdm4" : nil
  }

  /// Returns whether the transfer function is PQ. HDR10+ maps absolute light, so it needs PQ.
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool { transfer == .pq }

  /// Returns whether the change cut nothing off, added nothing, and left the colors as they were.
  package static func isTrue(after change: FrameChange) -> Bool {
    // HDR10+ states percentiles of all pixels. Cropping, padding and new colors change the
    // percentiles, but scaling does not.
    change == .none || change == .size
  }
}
