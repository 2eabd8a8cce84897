// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The content of `vpcC`, which declares the color of VP8 and VP9 (VP Codec ISO Media File Format
/// Binding 1.0).
package struct VPCodecConfiguration: Hashable, Sendable {
  /// The payload, including version and flags.
  package private(set) var payload: [UInt8]

  // Version and flags, profile, level; then one byte for depth, subsampling and, in its lowest bit,
  // the range; then the three code points.
  private static let (rangePlace, primariesPlace, transferPlace, matrixPlace) = (6, 7, 8, 9)

  /// Reads a payload. Returns `nil` if it is cut off or its version is not 1.
  package init?(_ payload: [UInt8]) {
    guard payload.count > Self.matrixPlace, payload[0] == 1 else { return nil }
    self.payload = payload
  }

  /// Color and range. The box has to state a range, so a range of `nil` is written as limited.
  package var signal: SignalDescription {
    get {
      SignalDescription(
        color: ColorDescription(
          ColorPrimaries(rawValue: UInt16(payload[Self.primariesPlace])),
          TransferCharacteristics(rawValue: UInt16(payload[Self.transferPlace])),
          MatrixCoefficients(rawValue: UInt16(payload[Self.matrixPlace]))),
        videoFullRangeFlag: payload[Self.rangePlace] & 1 == 1)
    }
    set {
      payload[Self.rangePlace] =
        payload[Self.rangePlace] & 0xFE | (newValue.videoFullRangeFlag == true ? 1 : 0)
      payload[Self.primariesPlace] = newValue.color.colorPrimaries.byte
      payload[Self.transferPlace] = newValue.color.transferCharacteristics.byte
      payload[Self.matrixPlace] = newValue.color.matrixCoefficients.byte
    }
  }
}
