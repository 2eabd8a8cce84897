// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Statements of an ICC profile (ICC.1, ISO 15076-1) of a display, as far as code points of H.273
/// and plain gammas can express them.
///
/// Order of belief: the tag `cicp` comes before all others. Otherwise primaries are those whose
/// colorants, with the profile's adaptation to D50, are the profile's own; a tone curve is known by
/// its values.
package struct ICCProfile: Hashable, Sendable {
  /// Name of the profile; nil where it states none that can be read.
  package let name: String?
  /// Primaries and transfer function; unspecified where they are none that is known.
  package let color: ColorDescription

  /// A profile from its bytes; nil where they are none.
  package init?(_ bytes: [UInt8]) {
    let file = ICCFile(bytes)
    guard bytes.count >= 132, file.text(at: 36) == "acsp" else { return nil }
    name = file.description
    let codes = file.tag("cicp").flatMap { $0.count >= 12 ? $0 : nil }
    var stated = ColorDescription(
      codes.map { ColorPrimaries(rawValue: $0[8]) } ?? .unspecified,
      codes.map { TransferCharacteristics(rawValue: $0[9]) } ?? .unspecified, .unspecified)
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

  /// The unknown part, for people; nil if everything is known.
  package var unknown: String? {
    switch (color.colorPrimaries.isSpecified, color.transferCharacteristics.isSpecified) {
    case (true, true): nil
    case (false, true): "primaries"
    case (true, false): "tone curves"
    case (false, false): "colors"
    }
  }

  /// The name for a message, with a space before it; empty where there is none.
  package var nameInQuotes: String { name.map { " '\($0)'" } ?? "" }
}
