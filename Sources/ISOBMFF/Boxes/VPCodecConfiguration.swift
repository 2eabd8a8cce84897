// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The content of `vpcC`, which states the color of VP8 and VP9 (VP Codec ISO Media File Format
/// Binding 1.0): profile, level, then depth, subsampling and the range in a byte, then the three
/// code points.
package struct VPCodecConfiguration: Hashable, Sendable {
  /// The payload, with version and flags.
  package private(set) var payload: [UInt8]

  /// Places in the payload.
  private enum Place {
    static let range = 6, primaries = 7, transfer = 8, matrix = 9
  }

  /// Reads a payload; nil where it is cut off, or of another version than 1.
  package init?(_ payload: [UInt8]) {
    guard payload.count > Place.matrix, payload[0] == 1 else { return nil }
    self.payload = payload
  }

  /// Color and range; a range that is not stated counts as limited.
  package var signal: SignalDescription {
    get {
      SignalDescription(
        color: ColorDescription(
          ColorPrimaries(rawValue: payload[Place.primaries]),
          TransferCharacteristics(rawValue: payload[Place.transfer]),
          MatrixCoefficients(rawValue: payload[Place.matrix])),
        videoFullRangeFlag: payload[Place.range] & 1 == 1)
    }
    set {
      payload[Place.range] =
        payload[Place.range] & 0xFE | (newValue.videoFullRangeFlag == true ? 1 : 0)
      payload[Place.primaries] = newValue.color.colorPrimaries.rawValue
      payload[Place.transfer] = newValue.color.transferCharacteristics.rawValue
      payload[Place.matrix] = newValue.color.matrixCoefficients.rawValue
    }
  }
}
