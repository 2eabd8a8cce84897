// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The content of `vpcC`, which states the color of VP8 and VP9 (VP Codec ISO Media File Format
/// Binding 1.0): profile, level, then depth, subsampling and the range in a byte, then the three
/// code points.
package struct VPCodecConfiguration: Hashable, Sendable {
  /// The payload, with version and flags.
  package private(set) var payload: [UInt8]

  // Places in the payload.
  private static let (rangePlace, primariesPlace, transferPlace, matrixPlace) = (6, 7, 8, 9)

  /// Reads a payload; nil where it is cut off, or of another version than 1.
  package init?(_ payload: [UInt8]) {
    guard payload.count > Self.matrixPlace, payload[0] == 1 else { return nil }
    self.payload = payload
  }

  /// Color and range; a range that is not stated counts as limited.
  package var signal: SignalDescription {
    get {
      SignalDescription(
        color: ColorDescription(
          ColorPrimaries(rawValue: payload[Self.primariesPlace]),
          TransferCharacteristics(rawValue: payload[Self.transferPlace]),
          MatrixCoefficients(rawValue: payload[Self.matrixPlace])),
        videoFullRangeFlag: payload[Self.rangePlace] & 1 == 1)
    }
    set {
      payload[Self.rangePlace] =
        payload[Self.rangePlace] & 0xFE | (newValue.videoFullRangeFlag == true ? 1 : 0)
      payload[Self.primariesPlace] = newValue.color.colorPrimaries.rawValue
      payload[Self.transferPlace] = newValue.color.transferCharacteristics.rawValue
      payload[Self.matrixPlace] = newValue.color.matrixCoefficients.rawValue
    }
  }
}
