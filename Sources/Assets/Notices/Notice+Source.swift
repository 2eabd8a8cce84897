// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
internal import ISOBMFF
internal import MediaCore
internal import NALUnits

/// Notices about faults in a source's boxes.
extension Notice {
  /// A `colr` box ends too early.
  static func colorBoxCutOff(byteCount: Int) -> Notice {
    Notice(
      "colorBoxCutOff", severity: .warning, ["byteCount": "\(byteCount)"],
      "a 'colr' box of \(byteCount.counted("byte")) is cut off and is ignored")
  }

  /// A `colr` box (nclx) lacks its last byte, which holds the range.
  static let colorBoxWithoutRange = Notice(
    "colorBoxWithoutRange", severity: .warning, [:],
    "the 'colr' box (nclx) lacks its last byte, so its range counts as unstated")

  /// A `colr` box is of an unknown kind.
  static func colorBoxUnknown(kind: FourCC) -> Notice {
    Notice(
      "colorBoxUnknown", ["kind": "\(kind)"],
      "a 'colr' box has the unknown type '\(kind)' and is ignored")
  }

  /// An ICC profile cannot be read.
  static func profileUnreadable(byteCount: Int) -> Notice {
    Notice(
      "profileUnreadable", severity: .warning, ["byteCount": "\(byteCount)"],
      "the ICC profile of \(byteCount.counted("byte")) cannot be read and is ignored")
  }

  /// An ICC profile has unknown colors.
  ///
  /// - Parameters:
  ///   - name: the profile's name in quotes, after a space; empty if it has none.
  ///   - content: the part that is unknown.
  static func profileUnknown(_ name: String, _ content: String) -> Notice {
    Notice(
      "profileUnknown", ["content": content],
      "the ICC profile\(name) has unknown \(content), which are ignored")
  }

  /// A `gama` atom has an exponent that no display has.
  static func gammaUnknown(_ gamma: Double) -> Notice {
    Notice(
      "gammaUnknown", ["gamma": "\(gamma)"],
      "the 'gama' atom states a gamma of \(gamma), which no display has, and is ignored")
  }

  /// A box with parameter sets cannot be read.
  static func configurationUnreadable(_ box: FourCC, _ error: NALUnitError) -> Notice {
    Notice(
      "configurationUnreadable", severity: .warning, ["box": "\(box)", "fault": "\(error)"],
      "\(error); the parameter sets in '\(box)' are ignored")
  }

  /// The configuration record of AV1 contradicts the samples.
  static func configurationWrong(_ faults: [String]) -> Notice {
    let faults = faults.joined(separator: ", ")
    return Notice(
      "configurationWrong", severity: .warning, ["faults": faults],
      "the source's codec configuration (av1C) is wrong: \(faults); the sequence header is used "
        + "instead")
  }

  /// A `clap` box cannot be read.
  static let apertureUnreadable = Notice(
    "apertureUnreadable", severity: .warning, [:],
    "the 'clap' box is cut off or has invalid numbers, and is ignored")

  /// A clean aperture is completely outside the frames.
  static func apertureOutside(_ aperture: CleanAperture, of size: VideoDimensions) -> Notice {
    Notice(
      "apertureOutside", severity: .warning, ["aperture": "\(aperture)", "size": "\(size)"],
      "the clean aperture, \(aperture), is outside the frames (\(size)) and is ignored")
  }
}

/// Notices about contradictions in a source.
extension Notice {
  /// Container and bitstream declare different pixel aspect ratios.
  static func aspectConflict(container: PixelAspectRatio, bitstream: PixelAspectRatio) -> Notice {
    Notice(
      "pixelAspectRatioConflict", severity: .warning,
      ["container": "\(container)", "bitstream": "\(bitstream)"],
      "pixel aspect ratio: the container says \(container), the bitstream says \(bitstream); the "
        + "container is believed")
  }

  /// Container and frames disagree on the order of fields.
  static func fieldOrderConflict(container: FieldOrder, frames: FieldOrder) -> Notice {
    Notice(
      "fieldOrderConflict", severity: .warning,
      ["container": container.rawValue, "frames": frames.rawValue],
      "field order: the frames are \(frames.rawValue), the container says "
        + "\(container.rawValue); the frames are believed")
  }

  /// A `fiel` box declares two fields without their order, and the frames do not state it either.
  static let fieldOrderUnstated = Notice(
    "fieldOrderUnstated", severity: .warning, [:],
    "the 'fiel' box states two fields in each frame, but not which is first, so frames count as "
      + "progressive")
}

/// Notices about losses of spatial video and Dolby Vision.
extension Notice {
  /// The second eye's layer of spatial video is not decoded.
  ///
  /// - Parameter claims: the places that mention the second eye; empty if none does.
  static func secondEyeNotCarried(_ kind: String, claims: String) -> Notice {
    Notice(
      "secondEyeNotCarried", severity: .warning, ["kind": kind, "places": claims],
      "the source is spatial video (\(kind)): only the first eye is used; the second eye's layer"
        + (claims.isEmpty ? " is" : " and its description (\(claims)) are") + " not carried over")
  }

  /// The description of spatial video is lost. There is no second layer.
  static func spatialVideoNotCarried(claims: String, isPacked: Bool) -> Notice {
    Notice(
      "spatialVideoNotCarried", severity: .warning, ["places": claims],
      "the source is spatial video: its description (\(claims)) is not carried over"
        + (isPacked ? "; both eyes stay in the frames" : ""))
  }

  /// Only the base layer of a Dolby Vision profile other than 8 is taken.
  ///
  /// - Parameters:
  ///   - name: Dolby Vision with its profile.
  ///   - layer: `HDR10`, `HLG`, `SDR` or `closed`; `nil` if only the color tags say which.
  ///   - enhancement: the layer that is lost, in words; `nil` if there is none.
  static func baseLayerTaken(
    _ name: String, _ layer: String?, without enhancement: String?
  ) -> Notice {
    Notice(
      "baseLayerTaken", severity: .warning,
      ["dolbyVision": name].adding("baseLayer", layer).adding("enhancementLayer", enhancement),
      "the source is \(name): its base layer" + (layer.map { ", \($0)," } ?? "") + " is used; "
        + (enhancement.map { "\($0) and its RPUs are" } ?? "its RPUs are") + " not carried over")
  }

  /// The frames mean nothing without their RPUs, which turn them into PQ.
  ///
  /// - Parameter name: Dolby Vision with its profile.
  static func baseLayerReshaped(_ name: String) -> Notice {
    Notice(
      "baseLayerReshaped", severity: .note, ["dolbyVision": name],
      "the source is \(name): each frame's RPU turns the frame into PQ with BT.2020 primaries; "
        + "trims for less capable displays are not applied")
  }

  /// All RPUs at the beginning are damaged.
  static let rpusDamaged = Notice(
    "rpusDamaged", severity: .warning, [:],
    "the first Dolby Vision RPUs of the source are all damaged, so RPUs are not carried over")

  /// The RPUs have a profile other than 8.
  ///
  /// - Parameters:
  ///   - profile: the RPUs' profile; `nil` if unknown.
  ///   - record: the source's record in words; `nil` if there is none.
  static func rpusOfOtherProfile(_ profile: UInt8?, record: String?) -> Notice {
    Notice(
      "rpusOfOtherProfile", severity: .warning,
      profile.map { ["profile": "\($0)"] } ?? [:],
      (record.map { "the source's record says Dolby Vision \($0), but its RPUs have" }
        ?? "the source's Dolby Vision RPUs have")
        + (profile.map { " profile \($0)" } ?? " an unknown profile")
        + ", so they are not carried over")
  }

  /// Samples contain an enhancement layer, the record states a profile without one, and no RPU says
  /// which is right.
  ///
  /// - Parameter record: the record in words.
  static func layerNotOfRecord(_ record: String) -> Notice {
    Notice(
      "layerNotOfRecord", severity: .warning, ["record": record],
      "the Dolby Vision record states \(record), which has one layer, but the samples also contain "
        + "an enhancement layer; the record is believed, because no RPU that states a profile can "
        + "be read")
  }

  /// Tags contradict Dolby Vision's base layer.
  ///
  /// - Parameters:
  ///   - name: Dolby Vision with its profile.
  ///   - layer: the format that the base layer should have: `HDR10`, `HLG` or `SDR`.
  static func tagsNotOfBaseLayer(
    _ name: String, _ layer: String, _ transfer: TransferCharacteristics
  ) -> Notice {
    Notice(
      .tagsNotOfBaseLayer, severity: .warning,
      ["dolbyVision": name, "baseLayer": layer, "transferFunction": "\(transfer)"],
      "the base layer of \(name) should be \(layer), but the source's tags say "
        + "\(transfer); the tags are used")
  }
}

extension Notice.Code {
  /// Tags contradict Dolby Vision's base layer.
  package static let tagsNotOfBaseLayer: Self = "tagsNotOfBaseLayer"
}

extension [String: String] {
  /// Returns the arguments with one more, if it has a value.
  func adding(_ name: String, _ value: String?) -> [String: String] {
    guard let value else { return self }
    return merging([name: value]) { $1 }
  }
}
