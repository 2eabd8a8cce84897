// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging

/// Notices about tags that were changed, and about tags that were not.
extension Notice {
  /// Nothing had to be changed.
  static let nothingChanged = Notice(
    "nothingChanged", [:], "every place says so already; nothing is changed")

  /// A code point that was asked for and says nothing.
  ///
  /// - Parameter name: the field with its number.
  static func reservedCodePoint(_ name: String) -> Notice {
    Notice(
      "reservedCodePoint", severity: .warning, ["codePoint": name],
      "\(name): H.273 gives this number no meaning")
  }

  /// Samples that cannot be read, and whose tags stay.
  static let encryptedSamplesNotChanged = Notice(
    "encryptedSamplesNotChanged", severity: .warning, [:],
    "the samples are encrypted; what they say themselves is not changed")

  /// Layers and views whose parameter sets stay.
  static let otherLayersNotChanged = Notice(
    "otherLayersNotChanged", severity: .warning, [:],
    "a second layer or view says of its colors what it said before")

  /// A `gama` atom beside a color that was changed.
  ///
  /// - Parameter isAlone: true if no other box states a transfer function.
  static func gammaKept(isAlone: Bool) -> Notice {
    Notice(
      "gammaKept", severity: isAlone ? .warning : .note, [:],
      isAlone
        ? "a 'gama' atom is kept, which states a transfer function"
        : "a 'gama' atom is kept; readers believe 'colr' before it")
  }

  /// An ICC profile that gave way.
  static let profileRemoved = Notice(
    "profileRemoved", [:], "an ICC profile, which states other colors, is removed")

  /// A bitstream that is not changed contradicts the boxes.
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

  /// HDR metadata is kept beside a color that it is not for.
  ///
  /// - Parameter kinds: each kind, and its name for people.
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

  /// The file in the old one's place lacks something that the old one had.
  static func attributeNotKept(_ attribute: FileAttribute, of path: String) -> Notice {
    Notice(
      "attributeNotKept", severity: .warning, ["attribute": attribute.rawValue, "path": path],
      "\(path): its \(attribute.rawValue) could not be kept")
  }
}

/// Attributes that a file has beside its content.
enum FileAttribute: String {
  case owner, permissions
  case extendedAttributes = "extended attributes"
}

/// Notices about faults of RPUs that are put into a movie, and about what the movie lacks beside
/// them.
extension Notice {
  /// An RPU with a value that should not be as it is.
  static func rpuNotValid(_ index: Int, _ issue: String) -> Notice {
    Notice(
      "rpuNotValid", severity: .warning, ["rpu": "\(index)", "issue": issue],
      "RPU \(index) is not valid: \(issue)")
  }

  /// An RPU whose mapping is for frames of another transfer function.
  static func rpuOfOtherSignal(
    _ index: Int, _ signal: String, _ transfer: TransferCharacteristics
  ) -> Notice {
    Notice(
      "rpuOfOtherSignal", severity: .warning,
      ["rpu": "\(index)", "signal": signal, "transferFunction": "\(transfer)"],
      "RPU \(index) maps \(signal) to Dolby Vision, but the video is \(transfer)")
  }

  /// A sample entry that Apple's players do not take.
  static func sampleEntryNotHVC1(_ format: FourCC) -> Notice {
    Notice(
      .sampleEntryNotHVC1, severity: .warning, ["sampleEntry": "\(format)"],
      "the sample entry is '\(format)'; Apple's players want 'hvc1'")
  }

  /// Dolby Vision 8.4 without an ambient viewing environment.
  static let ambientLightMissing = Notice(
    .ambientLightMissing, severity: .warning, [:],
    "the file has no 'amve' box, which Dolby Vision 8.4 needs")
}

/// Notices about an edited file that is not as promised.
extension Notice {
  /// A track that is missing.
  static let trackMissing = fault("trackMissing", [:], "a track is missing")

  /// Samples that are not those of the source.
  static func otherSamples(track: UInt32) -> Notice {
    fault(
      "otherSamples", ["track": "\(track)"],
      "the samples of track \(track) are not those of the source")
  }

  /// Tags that are not those that were asked for.
  static func otherTags(_ color: ColorDescription) -> Notice {
    fault("otherTags", ["color": "\(color)"], "its tags are \(color)")
  }

  /// HDR metadata that a place does not state as it was asked for.
  static func otherMetadata(in place: StatementPlace) -> Notice {
    let name = if case .box(let type) = place { "box '\(type)'" } else { "\(place)" }
    return fault("otherMetadata", ["place": "\(place)"], "its \(name) is another")
  }

  /// RPUs that are not those that were given.
  static let otherRPUs = fault("otherRPUs", [:], "its frames have other RPUs")

  /// A Dolby Vision record that is not that of the RPUs.
  static let otherRecord = fault("otherRecord", [:], "its Dolby Vision configuration is another")
}

extension Notice.Code {
  /// A sample entry that Apple's players do not take; changing the codec tag helps.
  package static let sampleEntryNotHVC1: Self = "sampleEntryNotHVC1"
  /// Dolby Vision 8.4 without an ambient viewing environment; stating one helps.
  package static let ambientLightMissing: Self = "ambientLightMissing"
}
