// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
internal import CodePoints
package import ISOBMFF
package import MediaCore

/// The shape of frames as a sample entry declares it: which part is seen, which field comes first,
/// and which shape samples have.
package struct FrameShape: Hashable, Sendable {
  /// The part that is seen, or `nil` for the whole frame.
  package var cleanAperture: CleanAperture?
  /// The order of fields, or `progressive`.
  var fieldOrder: FieldOrder
  /// The shape of a sample, if declared.
  package var pixelAspectRatio: PixelAspectRatio?

  package init(
    cleanAperture: CleanAperture? = nil, fieldOrder: FieldOrder = .progressive,
    pixelAspectRatio: PixelAspectRatio? = nil
  ) {
    self.cleanAperture = cleanAperture
    self.fieldOrder = fieldOrder
    self.pixelAspectRatio = pixelAspectRatio
  }

  /// The types of boxes that this shape replaces in a sample entry. `pasp` is not among them,
  /// because the muxer writes it whenever a sample's shape is declared.
  package static let types: [FourCC] = ["clap", "fiel"]

  /// The boxes for a sample entry.
  package var boxes: [Box] {
    var boxes: [Box] = []
    if fieldOrder != .progressive {
      let fields = FieldInformation(interleavedTopFirst: fieldOrder == .topFirst)
      boxes.append(Box("fiel", fields: fields.payload))
    }
    guard let cleanAperture else { return boxes }
    boxes.append(Box("clap", fields: cleanAperture.payload))
    // Without `pasp`, readers compute the sample's shape from the frame's size and the display
    // size. The display size is that of the aperture alone, so frames would be stretched.
    if pixelAspectRatio == nil { boxes.append(Box("pasp", fields: [0, 0, 0, 1, 0, 0, 0, 1])) }
    return boxes
  }

  /// The display size in `tkhd` (16.16 fixed point, ISO/IEC 14496-12, 12.1.4.1), or `nil` if the
  /// whole frame is seen.
  package var displaySize: HeaderFields.DisplaySize? {
    guard let cleanAperture else { return nil }
    let shape = pixelAspectRatio ?? .square
    let ratio = Double(shape.horizontalSpacing) / Double(shape.verticalSpacing)
    func fixed(_ value: Double) -> UInt32 { UInt32(min(max(value * 65_536, 0), 4_294_967_295)) }
    return HeaderFields.DisplaySize(
      width: fixed((cleanAperture.width.value * ratio * 65_536).rounded() / 65_536),
      height: fixed(cleanAperture.height.value))
  }
}
