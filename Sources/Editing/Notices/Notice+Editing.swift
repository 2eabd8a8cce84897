// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging

/// Notices about tags that were changed, and about tags that stay.
extension Notice {
  /// Every place has the new tags already.
  static let nothingChanged = Notice(
    "nothingChanged", [:], "every place says so already; nothing is changed")

  /// A code point in the settings that H.273 gives no meaning.
  ///
  /// - Parameter name: the field and its number.
  static func reservedCodePoint(_ name: String) -> Notice {
    Notice(
      "reservedCodePoint", severity: .warning, ["codePoint": name],
      "\(name): H.273 gives this number no meaning")
  }

  /// The samples are encrypted, so that tags inside of them stay.
  static let encryptedSamplesNotChanged = Notice(
    "encryptedSamplesNotChanged", severity: .warning, [:],
    "the samples are encrypted; what they say themselves is not changed")

  /// A second layer or view has parameter sets that stay.
  static let otherLayersNotChanged = Notice(
    "otherLayersNotChanged", severity: .warning, [:],
    "a second layer or view says of its colors what it said before")

  /// A `gama` atom stays beside a color that was changed.
  ///
  /// - Parameter isAlone: whether no other box has a transfer function.
  static func gammaKept(isAlone: Bool) -> Notice {
    // Readers believe `colr` before it. Only without a `colr` does the old gamma still count.
    Notice(
      "gammaKept", severity: isAlone ? .warning : .note, [:],
      isAlone
        ? "a 'gama' atom is kept, which states a transfer function"
        : "a 'gama' atom is kept; readers believe 'colr' before it")
  }

  /// An ICC profile was removed, because it describes other colors.
  static let profileRemoved = Notice(
    "profileRemoved", [:], "an ICC profile, which states other colors, is removed")

  /// The bitstream stays and contradicts the boxes.
  static func bitstreamNotChanged(_ conflict: TagConflict) -> Notice {
    let conflict = Notice.tagConflict(conflict)
    return Notice(
      "bitstreamNotChanged", severity: .warning, conflict.arguments,
      "not changed: \(conflict.text)")
  }

  /// HDR metadata was written beside a color that is not HDR.
  static let metadataWithoutHDR = Notice(
    "metadataWithoutHDR", severity: .warning, [:],
    "the color is not HDR, for which HDR metadata says nothing")

  /// HDR metadata stays beside a color that it does not suit.
  ///
  /// - Parameter kinds: each kind and its name, to display.
  static func metadataKept(
    _ kinds: [(kind: HDRMetadata.Kind, name: String)], beside transfer: TransferCharacteristics
  ) -> Notice {
    let reason = transfer.isHDR ? "it is not for \(transfer)" : "the color is not HDR now"
    return Notice(
      "metadataKept", severity: .warning,
      [
        "metadata": kinds.map(\.kind.key).joined(separator: ", "),
        "transferFunction": "\(transfer)",
      ], "kept, although \(reason): \(kinds.map(\.name).joined(separator: ", "))")
  }

  /// The file that replaces the old one lacks one of its attributes.
  static func attributeNotKept(_ attribute: FileAttribute, of path: String) -> Notice {
    Notice(
      "attributeNotKept", severity: .warning, ["attribute": attribute.rawValue, "path": path],
      "\(path): its \(attribute.rawValue) could not be kept")
  }
}

/// What a file has besides its content.
enum FileAttribute: String {
  case owner, permissions
  case extendedAttributes = "extended attributes"
}

/// Notices about RPUs that do not fit into a movie, and about what the movie lacks besides them.
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

  /// Dolby Vision 8.4 has no ambient viewing environment beside it.
  static let ambientLightMissing = Notice(
    // TN3145 demands the box: without it, Apple's players show such video too bright.
    .ambientLightMissing, severity: .warning, [:],
    "the file has no 'amve' box, which Dolby Vision 8.4 needs")
}

/// Notices about an edited file that is not as promised.
extension Notice {
  /// A track is missing.
  static let trackMissing = fault("trackMissing", [:], "a track is missing")

  /// Samples differ from those of the source.
  static func otherSamples(track: UInt32) -> Notice {
    fault(
      "otherSamples", ["track": "\(track)"],
      "the samples of track \(track) are not those of the source")
  }

  /// Tags differ from those that were asked for.
  static func otherTags(_ color: ColorDescription) -> Notice {
    fault("otherTags", ["color": "\(color)"], "its tags are \(color)")
  }

  /// A place has other HDR metadata than was asked for.
  static func otherMetadata(in place: StatementPlace) -> Notice {
    let name = if case .box(let type) = place { "box '\(type)'" } else { "\(place)" }
    return fault("otherMetadata", ["place": "\(place)"], "its \(name) is another")
  }

  /// The frames have other RPUs than were given.
  static let otherRPUs = fault("otherRPUs", [:], "its frames have other RPUs")

  /// The Dolby Vision record does not suit the RPUs.
  static let otherRecord = fault("otherRecord", [:], "its Dolby Vision configuration is another")
}

extension Notice.Code {
  /// Apple's players do not play the sample entry. Changing the codec tag helps.
  package static let sampleEntryNotHVC1: Self = "sampleEntryNotHVC1"
  /// Dolby Vision 8.4 has no ambient viewing environment beside it. Adding one helps.
  package static let ambientLightMissing: Self = "ambientLightMissing"
}
