// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// The beginning of `vui_parameters`: aspect ratio, overscan, video signal type and chroma
/// location.
package struct VideoUsabilityInformation: Hashable, Sendable {
  // H.264 (E.1.1) and H.265 (E.2.1) share the syntax up to the chroma location, so one type reads
  // both.

  /// `aspect_ratio_idc`, if present.
  package var aspectRatioIdc: UInt8?
  /// `sar_width`, for an `aspect_ratio_idc` of 255.
  package var sarWidth: UInt16 = 0
  /// `sar_height`, for an `aspect_ratio_idc` of 255.
  package var sarHeight: UInt16 = 0
  /// `video_format`; `nil` if the video signal type is not present.
  package var videoFormat: UInt8?
  /// `video_full_range_flag`; `nil` if the video signal type is not present.
  package var videoFullRangeFlag: Bool?
  /// The color description, if present.
  package var color: ColorDescription?
  /// `chroma_sample_loc_type_top_field`, if present.
  package var chromaSampleLocTypeTopField: UInt64?
  /// `chroma_sample_loc_type_bottom_field`, if present.
  package var chromaSampleLocTypeBottomField: UInt64?

  // When tags are changed, the bits of the signal are replaced, and all bits after them are copied.
  /// The bits from `video_signal_type_present_flag` to the chroma location.
  let signalPosition: Range<Int>

  /// Reads the fields up to the chroma location.
  package init(_ reader: inout BitReader) throws(BitstreamError) {
    if try reader.flag() {
      let idc = UInt8(try reader.u(8))
      aspectRatioIdc = idc
      if idc == 255 {
        sarWidth = UInt16(try reader.u(16))
        sarHeight = UInt16(try reader.u(16))
      }
    }
    if try reader.flag() { try reader.skip(1) }
    let start = reader.position
    if try reader.flag() {
      videoFormat = UInt8(try reader.u(3))
      videoFullRangeFlag = try reader.flag()
      if try reader.flag() {
        color = ColorDescription(
          ColorPrimaries(rawValue: UInt16(try reader.u(8))),
          TransferCharacteristics(rawValue: UInt16(try reader.u(8))),
          MatrixCoefficients(rawValue: UInt16(try reader.u(8))))
      }
    }
    if try reader.flag() {
      chromaSampleLocTypeTopField = try reader.ue()
      chromaSampleLocTypeBottomField = try reader.ue()
    }
    signalPosition = start..<reader.position
  }

  /// Color, range and chroma location, as the bitstream declares them.
  package var signal: SignalDescription {
    SignalDescription(
      color: color ?? .unspecified, videoFullRangeFlag: videoFullRangeFlag,
      // If the two fields have different locations, the top field's location counts for both.
      chromaLocation: chromaSampleLocTypeTopField.map {
        ChromaLocation(rawValue: UInt8(clamping: $0))
      })
  }
}
