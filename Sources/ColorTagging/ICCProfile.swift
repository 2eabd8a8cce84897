// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// The part of a display's ICC profile (ICC.1, ISO 15076-1) that code points of H.273 and plain
/// gammas can express.
package struct ICCProfile: Hashable, Sendable {
  /// The profile's name, or `nil` if it has none that can be read.
  package let name: String?
  /// The primaries and transfer function. Unknown parts are unspecified.
  package let color: ColorDescription

  /// Reads a profile. Returns `nil` if the bytes are not a profile.
  package init?(_ bytes: [UInt8]) {
    let file = ICCFile(bytes)
    // ICC.1, 7.2.9: every profile has the signature `acsp` at byte 36.
    guard bytes.count >= 132, file.text(at: 36) == "acsp" else { return nil }
    name = file.description
    // `cicp` contains numbers of H.273, so it is preferred to colorants and tone curves, which have
    // to be recognized.
    let codes = file.tag("cicp").flatMap { $0.count >= 12 ? $0 : nil }
    var stated = ColorDescription(
      codes.map { ColorPrimaries(rawValue: UInt16($0[8])) } ?? .unspecified,
      codes.map { TransferCharacteristics(rawValue: UInt16($0[9])) } ?? .unspecified, .unspecified)
    // Only RGB profiles have colorants and tone curves. The primaries are found by comparing
    // colorants, adapted to D50 as in the profile. The transfer function is found by comparing
    // values of the tone curves.
    if file.text(at: 16) == "RGB " {
      if !stated.colorPrimaries.hasMeaning, let primaries = file.primaries {
        stated.colorPrimaries = primaries
      }
      if !stated.transferCharacteristics.hasMeaning, let transfer = file.transfer {
        stated.transferCharacteristics = transfer
      }
    }
    color = stated
  }

  /// The unknown parts, in words for a message, or `nil` if everything is known.
  package var unknown: String? {
    switch (color.colorPrimaries.isSpecified, color.transferCharacteristics.isSpecified) {
    case (true, true): nil
    case (false, true): "primaries"
    case (true, false): "tone curves"
    case (false, false): "colors"
    }
  }

  /// The name for a message, with a space before it, or empty if there is no name.
  package var nameInQuotes: String { name.map { " '\($0)'" } ?? "" }
}
