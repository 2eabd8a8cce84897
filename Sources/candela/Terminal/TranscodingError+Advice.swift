// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import VideoEncoders

/// The command line's words for errors of the library: the fact, and the option that helps.
extension TranscodingError {
  /// The error, with the option that helps if there is one.
  var advice: String {
    // The library names no options, because other programs that use it have none.
    guard let code else { return message }
    return sentence(code) ?? message + (option(code) ?? "")
  }

  /// Returns a sentence that replaces the library's, for errors about the value of an option; `nil`
  /// if the library's sentence is good enough.
  private func sentence(_ code: Code) -> String? {
    switch code {
    case .impossibleMetadata:
      guard let name = arguments["metadata"], let option = Self.options[name] else { return nil }
      return "\(option): \(arguments["fault"] ?? "")"
    case .unknownCodecTag:
      return "--codec-tag cannot be '\(arguments["codecTag"] ?? "")': use "
        + (arguments["values"] ?? "")
    case .malformedChange:
      return "--set takes key=value, such as video.width=1280, not '\(arguments["change"] ?? "")'"
    case .noSuchFrame:
      guard let frame = arguments["frame"], let last = arguments["last"],
        let path = arguments["path"]
      else { return nil }
      return "--frame \(frame): \(path) has frames 0 to \(last)"
    case .statedMetadata:
      guard let name = arguments["option"], let statement = Self.statements[name] else {
        return nil
      }
      return
        "preset: Candela writes '\(name)' itself: keep the source's value, or set your own with "
        + "--set \(statement)"
    case .unknownKey:
      // `preset` is an option, but whoever sets the key means ffmpeg's, which is the speed.
      guard let key = arguments["key"], Self.adviceOnKey(key) == nil else { return nil }
      let option = key.lowercased()
      return Self.optionsOfTranscode.contains(option)
        ? "preset: \(key) is not a key, but an option of transcode: --\(option)" : nil
    default: return nil
    }
  }

  /// Options of `transcode` that people try to set as keys.
  private static let optionsOfTranscode: Set = [
    "threads", "workers", "memory", "jobs", "overwrite", "force", "strict", "into", "recursive",
    "existing", "only", "encode", "from", "to", "progress", "report", "verify", "compare",
  ]

  /// The options of `retag`, keyed by the metadata that they set.
  private static let options = [
    "ambientViewingEnvironment": "--ambient", "masteringDisplay": "--mastering-display",
    "contentLightLevel": "--content-light",
  ]

  /// Examples of preset keys to use instead of x265's options for metadata, keyed by the name of
  /// the option.
  private static let statements = [
    "master-display": "video.masteringDisplay=p3,1000,0.0001",
    "max-cll": "video.compressionProperties.contentLightLevel=1000,400",
  ]

  /// Returns what to append to the error's message; `nil` if there is nothing to append.
  private func option(_ code: Code) -> String? {
    switch code {
    case .fragmentedMovie: ": transcode it with --set video.codec=passthrough"
    case .doesNotFit: ", or use --force to try anyway"
    case .outputExists: "; use --overwrite to replace it"
    case .conflictingStatements: "; refused by --strict"
    case .truncatedInput: "; use --on-error continue to use what is there"
    case .damagedInput: "; use --on-error continue to conceal what is damaged"
    case .hdrNeedsMoreBits:
      ": use --preset h264-sdr or hevc-sdr to convert it to SDR, or hevc-match-source to keep it"
    case .nothingToChange:
      ": --color, --range, --chroma-location, --codec-tag, --ambient, --mastering-display or "
        + "--content-light"
    case .rangeBesideColor: "; add --color none"
    case .unfitRPUs: "; --force puts them in unchanged"
    case .otherRPUCount: editList
    case .unfitSegment: "; transcode the file with --workers 1"
    case .outputIsFolder: arguments["folder"].map { ", or use --into \($0)" }
    case .unknownPreset: arguments["preset"].flatMap(Self.adviceOnPreset)
    case .unknownKey: arguments["key"].flatMap(Self.adviceOnKey)
    case .impossibleMetadata, .unknownCodecTag, .malformedChange, .noSuchFrame,
      .containerIsNotOfName, .writtenByAnother, .statedMetadata:
      nil
    }
  }

  /// What to do if the number of RPUs differs from the number of frames.
  private var editList: String? {
    guard let frames = arguments["frameCount"].flatMap({ Int($0) }),
      let rpus = arguments["rpuCount"].flatMap({ Int($0) })
    else { return nil }
    // An edit list may hide some of the movie's frames, and a file of RPUs may or may not include
    // the RPUs of those frames.
    return rpus < frames
      ? "; frames that an edit list hides need RPUs too: 'rpu extract' without --presented "
        + "includes them"
      : "; if an edit list hides frames, 'rpu extract --presented' leaves out their RPUs"
  }

  /// Returns the end of the sentence about an unknown preset, if its name is a value of another
  /// option.
  private static func adviceOnPreset(_ name: String) -> String? {
    // The parser reads `-qp 20` as `-q -p 20`.
    if Double(name) != nil { return "; for the quality, use --crf \(name)" }
    // ffmpeg's `-preset slow` is what people type first.
    let isSpeed = VideoCodec.allCases.contains { $0.encoder.speeds.contains(name.lowercased()) }
    return isSpeed ? "; for the encoder's speed, use --speed \(name.lowercased())" : nil
  }

  /// Returns the end of the sentence about an unknown key, if an option has the name of the key.
  private static func adviceOnKey(_ name: String) -> String? {
    name.lowercased() == "preset" ? " Choose a preset with --preset, a speed with --speed" : nil
  }
}
