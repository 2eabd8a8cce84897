// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging

/// Notices about tags that were changed, and about tags that stay.
extension Notice {
  /// All places in the file already have the new tags.
  static let nothingChanged = Notice(
    "nothingChanged", [:], "the tags already have these values")

  /// The settings contain a code point that H.273 does not define.
  ///
  /// - Parameter name: the field and its number.
  static func reservedCodePoint(_ name: String) -> Notice {
    Notice(
      "reservedCodePoint", severity: .warning, ["codePoint": name],
      "\(name): H.273 does not define this number")
  }

  /// The samples are encrypted, so the tags inside them cannot be changed.
  static let encryptedSamplesNotChanged = Notice(
    "encryptedSamplesNotChanged", severity: .warning, [:],
    "the samples are encrypted, so the tags inside them cannot be changed")

  /// The parameter sets of a second layer or view are not changed.
  static let otherLayersNotChanged = Notice(
    "otherLayersNotChanged", severity: .warning, [:],
    "a second layer or view keeps its own color tags")

  /// The color was changed, but a `gama` atom stays.
  ///
  /// - Parameter isAlone: whether the atom is the only box with a transfer function.
  static func gammaKept(isAlone: Bool) -> Notice {
    // Readers prefer `colr` to `gama`. The old gamma counts only if `colr` has no transfer
    // function.
    Notice(
      "gammaKept", severity: isAlone ? .warning : .note, [:],
      isAlone
        ? "a 'gama' atom is kept, and its gamma counts, because no 'colr' box states a transfer "
          + "function"
        : "a 'gama' atom is kept; readers prefer 'colr' to it")
  }

  /// An ICC profile was removed, because it describes other colors.
  static let profileRemoved = Notice(
    "profileRemoved", [:], "an ICC profile is removed because it states different colors")

  /// The bitstream was not changed and contradicts the boxes.
  static func bitstreamNotChanged(_ conflict: TagConflict) -> Notice {
    let conflict = Notice.tagConflict(conflict)
    return Notice(
      "bitstreamNotChanged", severity: .warning, conflict.arguments,
      "the bitstream is not changed: \(conflict.text)")
  }

  /// HDR metadata was written although the color is not HDR.
  static let metadataWithoutHDR = Notice(
    "metadataWithoutHDR", severity: .warning, [:],
    "HDR metadata means nothing for this color, which is not HDR")

  /// HDR metadata stays although it does not suit the new color.
  ///
  /// - Parameter kinds: each kind, and its name for display.
  static func metadataKept(
    _ kinds: [(kind: HDRMetadata.Kind, name: String)], beside transfer: TransferCharacteristics
  ) -> Notice {
    let reason = transfer.isHDR ? "it is not for \(transfer)" : "the color is no longer HDR"
    return Notice(
      "metadataKept", severity: .warning,
      [
        "metadata": kinds.map(\.kind.key).joined(separator: ", "),
        "transferFunction": "\(transfer)",
      ], "HDR metadata is kept although \(reason): \(kinds.map(\.name).joined(separator: ", "))")
  }

  /// The new file lacks an attribute of the file that it replaces.
  ///
  /// - Parameter attribute: what is lost, in words: `owner`, `permissions`, `extended attributes`.
  static func attributeNotKept(_ attribute: String, of path: String) -> Notice {
    Notice(
      "attributeNotKept", severity: .warning, ["attribute": attribute, "path": path],
      "\(path): its \(attribute) could not be kept")
  }
}

/// Notices about RPUs that do not suit a movie, and about other things that the movie lacks for
/// Dolby Vision.
extension Notice {
  /// An RPU has a value that is not valid.
  static func rpuNotValid(_ index: Int, _ issue: String) -> Notice {
    Notice(
      "rpuNotValid", severity: .warning, ["rpu": "\(index)", "issue": issue],
      "RPU \(index) is not valid: \(issue)")
  }

  /// The mapping of an RPU is for frames with another transfer function.
  static func rpuOfOtherSignal(
    _ index: Int, _ signal: String, _ transfer: TransferCharacteristics
  ) -> Notice {
    Notice(
      "rpuOfOtherSignal", severity: .warning,
      ["rpu": "\(index)", "signal": signal, "transferFunction": "\(transfer)"],
      "RPU \(index) maps \(signal) to Dolby Vision, but the video is \(transfer)")
  }

  /// Apple's players do not play this sample entry.
  static func sampleEntryNotHVC1(_ format: FourCC) -> Notice {
    Notice(
      .sampleEntryNotHVC1, severity: .warning, ["sampleEntry": "\(format)"],
      "the sample entry is '\(format)'; Apple's players want 'hvc1'")
  }

  /// The file has Dolby Vision 8.4 but no ambient viewing environment.
  static let ambientLightMissing = Notice(
    // TN3145 demands an `amve` box. Without it, Apple's players show profile 8.4 too bright.
    .ambientLightMissing, severity: .warning, [:],
    "the file has no 'amve' box, which Dolby Vision 8.4 needs")
}

/// Notices about an edited file that is not as promised.
extension Notice {
  /// A track is missing.
  static let trackMissing = fault("trackMissing", [:], "a track is missing")

  /// Samples differ from the source's.
  static func otherSamples(track: UInt32) -> Notice {
    fault(
      "otherSamples", ["track": "\(track)"],
      "the samples of track \(track) differ from the source's")
  }

  /// Tags differ from the requested ones.
  static func otherTags(_ color: ColorDescription) -> Notice {
    fault("otherTags", ["color": "\(color)"], "its tags are \(color), not the requested ones")
  }

  /// A box or a message does not have the requested HDR metadata.
  static func otherMetadata(in place: StatementPlace) -> Notice {
    let name = if case .box(let type) = place { "box '\(type)'" } else { "\(place)" }
    return fault("otherMetadata", ["place": "\(place)"], "its \(name) is not as requested")
  }

  /// The frames do not have the RPUs that were given.
  static let otherRPUs = fault(
    "otherRPUs", [:], "the RPUs of its frames differ from those that were given")

  /// A sample entry does not have the Dolby Vision record that was written, or has others, too.
  static let otherRecord = fault(
    "otherRecord", [:], "its Dolby Vision configuration differs from what was written")
}

extension Notice.Code {
  /// Apple's players do not play the sample entry. Changing the codec tag helps.
  package static let sampleEntryNotHVC1: Self = "sampleEntryNotHVC1"
  /// The file has Dolby Vision 8.4 but no ambient viewing environment. Adding one helps.
  package static let ambientLightMissing: Self = "ambientLightMissing"
}
