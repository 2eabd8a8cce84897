// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import MediaCore
internal import VideoEncoders

/// Notices about how a source's tags are used.
extension Notice {
  /// The source declares its matrix, but too little for a color conversion. `ignored` lists the
  /// other fields that it declares.
  static func onlyMatrixStated(
    _ matrix: MatrixCoefficients, ignored: [SignalField]
  ) -> Notice {
    let others =
      ignored.isEmpty ? "" : " (it also states \(words(ignored)), which is not enough)"
    return Notice(
      "onlyMatrixStated", severity: .warning,
      ["yCbCrMatrix": "\(matrix)", "ignored": list(ignored)],
      "the source states its matrix, \(matrix), but its color is incomplete\(others): Y'CbCr is "
        + "decoded with that matrix; primaries and transfer function count as untagged, and R'G'B' "
        + "is not converted")
  }

  /// The source declares too little for a conversion.
  static func incompleteTagsIgnored(_ fields: [SignalField]) -> Notice {
    Notice(
      "incompleteTagsIgnored", severity: .warning, ["ignored": list(fields)],
      "the source states only \(words(fields)): it counts as untagged, and its "
        + "colors are not converted")
  }

  /// Missing fields are taken from BT.2100, which implies them.
  static func tagsInferred(_ fields: [SignalField]) -> Notice {
    Notice(
      "tagsInferred", ["inferred": list(fields)],
      "not stated by the source but implied by BT.2100: \(list(fields))")
  }

  /// An untagged source becomes HDR.
  static func untaggedBecomesHDR(_ transfer: TransferCharacteristics) -> Notice {
    Notice(
      .untaggedBecomesHDR, severity: .warning, ["transferFunction": "\(transfer)"],
      "the source is untagged: the output is tagged \(transfer), and colors are not converted")
  }

  /// A sample description has a different color from the first one.
  static func otherSampleDescription(
    _ number: Int, _ color: ColorDescription, first: ColorDescription
  ) -> Notice {
    Notice(
      "otherSampleDescription", severity: .warning,
      ["number": "\(number)", "color": "\(color)", "firstColor": "\(first)"],
      "sample description \(number) is \(color), but the first is \(first): the run stops when "
        + "frames change from one to the other")
  }

  private static func list(_ fields: [SignalField]) -> String {
    fields.map(\.rawValue).joined(separator: ", ")
  }

  /// The fields in words, for a sentence.
  private static func words(_ fields: [SignalField]) -> String {
    let names: [SignalField: String] = [
      .colorPrimaries: "primaries", .transferFunction: "a transfer function",
      .yCbCrMatrix: "a matrix", .range: "a range", .chromaLocation: "a chroma location",
    ]
    return fields.compactMap { names[$0] }.joined(separator: " and ")
  }
}

/// Notices about what the output lacks.
extension Notice {
  /// A track is not carried over.
  static func trackNotCarried(_ id: Int, kind: String) -> Notice {
    Notice(
      "trackNotCarried", severity: .warning, ["track": "\(id)", "kind": kind],
      "track \(id) (\(kind)) is not carried over")
  }

  /// A track has no samples in the requested range.
  static func trackNotInRange(_ id: Int) -> Notice {
    Notice(
      "trackNotInRange", ["track": "\(id)"],
      "track \(id) is left out: it has nothing in the range")
  }

  /// The time code is lost.
  static func timeCodeNotCarried(_ timeCode: String) -> Notice {
    Notice(
      "timeCodeNotCarried", severity: .warning, ["timeCode": timeCode],
      "the time code, \(timeCode), is not carried over")
  }

  /// Chapters are lost.
  static let chaptersNotCarried = Notice(
    "chaptersNotCarried", severity: .warning, [:], "chapters are not carried over")

  /// Chapters that players do not show are left out.
  static func chaptersLeftOut(_ count: Int) -> Notice {
    Notice(
      "chaptersLeftOut", ["chapterCount": "\(count)"],
      "\(count.counted("chapter")) \(count == 1 ? "is" : "are") left out: chapters are not kept if "
        + "they are hidden or disabled, are outside the default edition, or start at the same time "
        + "as another one")
  }

  /// Only the bitstream has a place for the ambient viewing environment.
  static let ambientLightInBitstream = Notice(
    "ambientLightInBitstream", [:],
    "the ambient viewing environment is only in the bitstream (SEI 148), because .mkv has no place "
      + "for it")

  /// A track has no readable samples.
  package static func trackWithoutSamples(_ id: Int, kind: String) -> Notice {
    Notice(
      "trackWithoutSamples", severity: .warning, ["track": "\(id)", "kind": kind],
      "track \(id) (\(kind)) is left out: it has no samples that can be read")
  }

  /// A video track other than the encoded one is damaged.
  package static func carriedVideoDamaged(_ id: Int) -> Notice {
    Notice(
      "carriedVideoDamaged", severity: .warning, ["track": "\(id)"],
      "track \(id) (video) is left out: it is damaged")
  }

  /// Frames are measured before they are copied, and some of them are damaged.
  package static func damagedFramesMeasured(_ count: Int) -> Notice {
    Notice(
      "damagedFramesMeasured", severity: .warning, ["count": "\(count)"],
      "\(count.counted("frame is", "frames are")) damaged: metadata measured there might be "
        + "wrong, and frames that cannot be decoded get the metadata of the frame before")
  }

  /// The source's sample tables state facts that the output has no place for.
  static func sampleTablesNotCarried(_ id: Int, _ tables: [FourCC]) -> Notice {
    let names = tables.map { "\($0)" }.joined(separator: ", ")
    return Notice(
      "sampleTablesNotCarried", ["track": "\(id)", "tables": names],
      "track \(id): these sample tables are not carried over: \(names)")
  }

  /// An edit plays faster or slower than normal.
  static let editRateNotKept = Notice(
    "editRateNotKept", severity: .warning, [:],
    "an edit changes the playback speed, which is not kept")
}

/// Notices about HDR metadata and Dolby Vision.
extension Notice {
  /// HDR metadata is kept although it makes no sense.
  ///
  /// - Parameter key: the name of its kind in JSON.
  static func metadataImplausible(_ name: String, key: String, _ fault: String) -> Notice {
    Notice(
      "metadataImplausible", severity: .warning, ["metadata": key, "fault": fault],
      "the source's \(name) is copied unchanged, but cannot be right: \(fault)")
  }

  /// A wrong Dolby Vision record is replaced.
  ///
  /// - Parameter profile: profile and compatibility ID of the new record, such as `8.4`.
  static func recordCorrected(_ faults: [String], profile: String) -> Notice {
    let faults = faults.joined(separator: ", ")
    return Notice(
      "recordCorrected", severity: .warning, ["faults": faults, "profile": profile],
      "the source's Dolby Vision record is wrong (\(faults)): a correct one is written, for "
        + "profile \(profile)")
  }

  /// RPUs are computed from the output's frames, and replace the source's RPUs.
  static func rpusComputed(because reason: String) -> Notice {
    Notice(
      "rpusComputed", ["reason": reason],
      "the Dolby Vision RPUs are recomputed from the output's frames: \(reason)")
  }

  /// RPUs without a Dolby Vision record get one.
  static func recordAdded(profile: String) -> Notice {
    Notice(
      "recordAdded", ["profile": profile],
      "the source has RPUs but no Dolby Vision record: one is written, for profile \(profile)")
  }

  /// RPUs have no Dolby Vision record and get none.
  ///
  /// - Parameter profile: the profile of the RPUs, if known.
  static func recordMissing(profile: UInt8?) -> Notice {
    let name = profile.map { "profile \($0)" } ?? "an unknown profile"
    return Notice(
      "recordMissing", severity: .warning, profile.map { ["profile": "\($0)"] } ?? [:],
      "the samples have Dolby Vision RPUs of \(name), but the source has no Dolby Vision record, "
        + "so none is written")
  }

  /// Copied RPUs lose their Dolby Vision record.
  static func recordNotCarried(profile: String, in container: FileType) -> Notice {
    Notice(
      "recordNotCarried", severity: .warning,
      ["container": container.rawValue, "profile": profile],
      "not carried over: the record of Dolby Vision \(profile), for which .\(container.rawValue) "
        + "has no place; RPUs stay in the samples, but players ignore them without the record")
  }

  /// Computed RPUs are for a display that is assumed, because none is stated or the stated one
  /// cannot exist.
  static func masteringDisplayAssumed(_ display: MasteringDisplayColorVolume) -> Notice {
    Notice(
      "masteringDisplayAssumed",
      [
        "minimumLuminance": "\(display.minimumLuminance)",
        "maximumLuminance": "\(display.maximumLuminance)",
      ],
      "assumed for Dolby Vision RPUs: a mastering display of \(display.text), because none is "
        + "stated or the stated one cannot exist")
  }

  /// An ambient viewing environment is assumed, because the source declares none.
  static let ambientLightAssumed = Notice(
    "ambientLightAssumed", [:],
    "assumed: an ambient viewing environment of "
      + "\(Int(AmbientViewingEnvironment.usual.illuminance)) lux, D65; the source states none")
}

/// Notices about changes to frames, except changes of color.
extension Notice {
  /// Encoding loses captions in the samples (CEA-608, CEA-708).
  package static let captionsNotCarried = Notice(
    "captionsNotCarried", severity: .warning, [:],
    "the captions in the samples of the video (CEA-608, CEA-708) are left out")

  /// R'G'B' becomes Y'CbCr with a matrix that was not declared.
  static let matrixAssumed = Notice(
    "matrixAssumed", [:],
    "no matrix is stated: R'G'B' becomes Y'CbCr with the usual matrix for its primaries")

  /// The output has fewer chroma samples.
  static func chromaReduced(to subsampling: ChromaSubsampling) -> Notice {
    Notice(
      "chromaReduced", ["chromaSubsampling": subsampling.rawValue],
      "chroma is reduced to \(subsampling.rawValue)")
  }

  /// Gray frames get chroma.
  static func chromaAdded(to subsampling: ChromaSubsampling) -> Notice {
    Notice(
      "chromaAdded", ["chromaSubsampling": subsampling.rawValue],
      "gray frames are encoded as \(subsampling.rawValue), with neutral chroma")
  }

  /// The output's samples have fewer bits.
  static func depthReduced(from old: Int, to new: Int) -> Notice {
    Notice(
      "depthReduced", ["from": "\(old)", "to": "\(new)"],
      "bit depth is reduced from \(old) to \(new) bits")
  }

  /// A requested data rate is so low that something else was probably meant.
  ///
  /// - Parameters:
  ///   - key: the key of the preset.
  ///   - bitRate: the rate in bits per second.
  static func rateTooLow(_ key: String, _ bitRate: Double) -> Notice {
    let rate = bitRate.text(decimals: 0)
    return Notice(
      "rateTooLow", severity: .warning, ["key": key, "bitRate": rate],
      "\(key) asks for \(rate) bits per second, less than 0.002 for each pixel: if kilobits are "
        + "meant, multiply it by 1000")
  }

  /// Interlaced frames are coded as if they were progressive.
  static func fieldsNotStated(because obstacle: String) -> Notice {
    Notice(
      "fieldsNotStated", severity: .warning, ["reason": "\(obstacle)"],
      "interlaced video is encoded as progressive frames and not signaled as interlaced: "
        + "\(obstacle)")
  }

  /// Rows of both fields are mixed.
  static let fieldsMixed = Notice(
    "fieldsMixed", severity: .warning, [:],
    "interlaced video is scaled as whole frames, which blends its fields")

  /// Frames are cropped to their clean aperture.
  static func cropped(
    to aperture: CleanAperture, _ part: PixelRectangle, of size: VideoDimensions
  ) -> Notice {
    let place = "\(part.size) at \(part.x), \(part.y)"
    return Notice(
      "croppedToCleanAperture", ["aperture": "\(aperture)", "part": place, "size": "\(size)"],
      "the frames are cropped to their clean aperture, \(aperture): \(place) of \(size); "
        + "video.cleanAperture 'keep' keeps them whole")
  }

  /// A column or row is cut off because chroma is subsampled.
  static func oddSideCut(_ old: VideoDimensions, to new: VideoDimensions) -> Notice {
    Notice(
      "oddSideCut", ["from": "\(old)", "to": "\(new)"],
      "a column or row is cut off to make the sides even: \(old) → \(new)")
  }
}

/// Notices about copied samples, before or while they are read.
extension Notice {
  /// The requested part of the presentation needs frames from outside that part.
  static func framesHidden(_ count: Int) -> Notice {
    Notice(
      "framesHidden", ["frameCount": "\(count)"],
      "\(count.counted("frame")) outside the range \(count == 1 ? "is" : "are") copied too, "
        + "because frames inside depend on \(count == 1 ? "it" : "them"): an edit list hides "
        + "\(count == 1 ? "it" : "them")")
  }

  /// Parameter sets change in the middle of a track, so they cannot all be in the sample entry.
  static func parameterSetsChange(_ entry: VideoSampleEntry) -> Notice {
    let whole = VideoSampleEntry(entry.codec).rawValue
    return Notice(
      "parameterSetsChange", severity: .warning, [:],
      "parameter sets change midway and stay in the samples: the sample entry is "
        + "'\(entry.rawValue)', which Apple's players refuse; encode the video to get '\(whole)'")
  }

  /// Parameter sets are missing.
  static let parameterSetsMissing = Notice(
    "parameterSetsMissing", severity: .warning, [:],
    "some parameter sets were not found: 'hvcC' lacks them, and players might fail")
}

/// Notices about what a run refuses unless an option allows it.
extension Notice {
  /// A file exists at the output's path.
  static func outputExists(_ path: String) -> Notice {
    Notice(.outputExists, severity: .error, ["path": path], "\(path) exists already")
  }

  /// By estimate, the output does not fit on its disk.
  static func doesNotFit(_ shortage: SpaceShortage) -> Notice {
    Notice(
      .doesNotFit, severity: .error,
      [
        "path": shortage.destination, "needed": "\(shortage.needed)", "free": "\(shortage.free)",
      ], "\(shortage)")
  }
}

extension Notice.Code {
  /// An untagged source becomes HDR. Declaring its color helps.
  package static let untaggedBecomesHDR: Self = "untaggedBecomesHDR"
  /// A file exists at the output's path. Overwriting helps.
  package static let outputExists: Self = "outputExists"
  /// By estimate, the output does not fit on its disk. The estimate may be wrong, so a run that
  /// ignores it may succeed.
  package static let doesNotFit: Self = "doesNotFit"
}
