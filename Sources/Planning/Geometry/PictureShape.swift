// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import ISOBMFF
package import MediaCore

/// Statements of a sample entry about the shape of frames: which part of them is seen, and which
/// field is first.
package struct PictureShape: Hashable, Sendable {
  /// The part that is seen; nil for the whole.
  package var cleanAperture: CleanAperture?
  /// Order of fields; `progressive` for whole frames.
  var fieldOrder: FieldOrder
  /// The shape of a sample; nil if unstated.
  package var pixelAspectRatio: PixelAspectRatio?

  package init(
    cleanAperture: CleanAperture? = nil, fieldOrder: FieldOrder = .progressive,
    pixelAspectRatio: PixelAspectRatio? = nil
  ) {
    self.cleanAperture = cleanAperture
    self.fieldOrder = fieldOrder
    self.pixelAspectRatio = pixelAspectRatio
  }

  /// The boxes that say so where there is something to say, beside `pasp`, which the muxer writes
  /// for a shape that is stated.
  package static let types: [FourCC] = ["clap", "fiel"]

  /// The boxes that say so.
  package var boxes: [Box] {
    var boxes: [Box] = []
    if fieldOrder != .progressive {
      let fields = FieldInformation(interleavedTopFirst: fieldOrder == .topFirst)
      boxes.append(Box("fiel", fields: fields.payload))
    }
    guard let cleanAperture else { return boxes }
    boxes.append(Box("clap", fields: cleanAperture.payload))
    // Without, readers take the shape of samples from the size on the screen, which is a part's.
    if pixelAspectRatio == nil { boxes.append(Box("pasp", fields: [0, 0, 0, 1, 0, 0, 0, 1])) }
    return boxes
  }

  /// The size on the screen, 16.16 fixed point, of a part (ISO/IEC 14496-12, 12.1.4.1); nil where
  /// the whole is seen.
  package var displaySize: HeaderFields.DisplaySize? {
    guard let cleanAperture else { return nil }
    let shape = pixelAspectRatio ?? .square
    let ratio = Double(shape.horizontalSpacing) / Double(shape.verticalSpacing)
    func fixed(_ value: Double) -> UInt32 { UInt32(min(max(value * 65_536, 0), 4_294_967_295)) }
    return HeaderFields.DisplaySize(
      width: fixed((cleanAperture.width.value * ratio * 65_536).rounded() / 65_536),
      height: fixed(cleanAperture.height.value))
  }

  /// Notices about each statement of a file's sample entry that differs from this.
  package func faults(in entry: SampleEntry?) -> [Notice] {
    var faults: [Notice] = []
    if entry?.cleanAperture != cleanAperture { faults.append(.otherCleanAperture) }
    let isTopFirst = fieldOrder == .progressive ? nil : fieldOrder == .topFirst
    if entry?.fieldInformation?.isTopFirst != isTopFirst { faults.append(.otherFieldOrder) }
    return faults
  }
}
