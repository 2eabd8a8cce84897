// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Editing
internal import Host
internal import Planning
internal import Segments

/// Words of the command line for notices of the library: the fact, and the option that helps.
enum Advice {
  /// A notice with the option that helps.
  static func text(_ notice: Notice) -> String { notice.text + (option(for: notice) ?? "") }

  /// An error with the option that helps.
  static func text(_ error: TranscodingError) -> String {
    guard let code = error.code else { return error.message }
    return inPlace(of: error, code) ?? error.message + (option(for: error, code) ?? "")
  }

  /// The division of work, with the option that helps.
  static func text(_ work: WorkerCount.Division) -> String {
    work.text + (work.oneProcessIsFaster ? ": --workers 1" : "")
  }

  /// The end of a notice's sentence; nil where no option helps.
  private static func option(for notice: Notice) -> String? {
    let arguments = notice.arguments
    return switch notice.code {
    case .untaggedBecomesHDR: "; if it is SDR, say so with --source-color 709"
    case .tagsNotOfBaseLayer:
      arguments["baseLayer"].flatMap { layer in
        colors[layer].map { "; if it is \(layer), say so with --source-color \($0)" }
      }
    case .outputExists: "; it is replaced with --overwrite only"
    case .doesNotFit: "; it is tried with --force only"
    case .audioNotStorable:
      "; use " + (arguments["otherContainer"].map { ".\($0), or " } ?? "")
        + "--set audio=auto to encode it"
    case .sampleEntryNotHVC1: ": candela retag --codec-tag hvc1"
    case .ambientLightMissing:
      ": candela retag --ambient \(AmbientViewingEnvironment.usualSpelling)"
    default: nil
    }
  }

  /// Colors of Dolby Vision's base layers, as `--source-color` has them.
  private static let colors = ["HDR10": "pq", "HLG": "hlg", "SDR": "709"]

  /// The sentence for an error about an option's own value; nil where the library's is as good.
  private static func inPlace(
    of error: TranscodingError, _ code: TranscodingError.Code
  ) -> String? {
    let arguments = error.arguments
    switch code {
    case .impossibleMetadata:
      guard let name = arguments["metadata"], let option = options[name] else { return nil }
      return "\(option): \(arguments["fault"] ?? "")"
    case .unknownCodecTag:
      return "--codec-tag has no value '\(arguments["codecTag"] ?? "")': "
        + (arguments["values"] ?? "")
    case .malformedChange:
      return "--set takes key=value, such as video.width=1280, not '\(arguments["change"] ?? "")'"
    case .noSuchFrame:
      guard let frame = arguments["frame"], let last = arguments["last"],
        let path = arguments["path"]
      else { return nil }
      return "--frame \(frame): \(path) has the frames 0 to \(last)"
    default: return nil
    }
  }

  /// Options of `retag` by the metadata that they state.
  private static let options = [
    "ambientViewingEnvironment": "--ambient", "masteringDisplay": "--mastering-display",
    "contentLightLevel": "--content-light",
  ]

  /// Options of `retag` by the options of x265 that would state the same.
  private static let statements = [
    "master-display": ", or state it afterwards: candela retag --mastering-display",
    "max-cll": ", or state it afterwards: candela retag --content-light",
  ]

  /// The end of an error's sentence; nil where it has one.
  private static func option(
    for error: TranscodingError, _ code: TranscodingError.Code
  ) -> String? {
    let arguments = error.arguments
    return switch code {
    case .fragmentedMovie: ": transcode it with --set video.codec=passthrough"
    case .doesNotFit: ", or use --force to try all the same"
    case .outputExists: "; use --overwrite to replace it"
    case .conflictingStatements: "; refused by --strict"
    case .truncatedInput: "; use --on-error continue to take what is there"
    case .damagedInput: "; use --on-error continue to conceal what is damaged"
    case .hdrNeedsMoreBits:
      ": use --preset h264-sdr or hevc-sdr to convert it to SDR, or hevc-match-source to keep it"
    case .nothingToChange:
      ": --color, --range, --chroma-location, --codec-tag, --ambient, --mastering-display or "
        + "--content-light"
    case .rangeBesideColor: "; add --color none"
    case .unfitRPUs: "; --force puts them in as they are"
    case .otherRPUCount: editList(arguments)
    case .unfitSegment: "; transcode the file with --workers 1"
    case .outputIsFolder: arguments["folder"].map { ", or use --into \($0)" }
    case .unknownPreset: arguments["preset"].flatMap(OtherPrograms.adviceOnPreset)
    case .unknownKey: arguments["key"].flatMap(OtherPrograms.adviceOnKey)
    case .statedMetadata: arguments["option"].flatMap { statements[$0] }
    case .impossibleMetadata, .unknownCodecTag, .malformedChange, .noSuchFrame,
      .containerIsNotOfName, .writtenByAnother:
      nil
    }
  }

  /// Advice where the number of RPUs differs: an edit list may hide frames of one of the files.
  private static func editList(_ arguments: [String: String]) -> String? {
    guard let frames = arguments["frameCount"].flatMap({ Int($0) }),
      let rpus = arguments["rpuCount"].flatMap({ Int($0) })
    else { return nil }
    return rpus < frames
      ? "; frames that an edit list hides need theirs, too: 'rpu extract' gives them without "
        + "--presented"
      : "; where an edit list hid frames, 'rpu extract --presented' leaves theirs out"
  }
}
