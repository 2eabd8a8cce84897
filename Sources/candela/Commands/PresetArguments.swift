// SPDX-License-Identifier: GPL-2.0-or-later
public import ArgumentParser
internal import CodePoints
internal import ColorScience
internal import Host
public import Planning
internal import Settings

extension TranscodeOptions.OnError: ExpressibleByArgument {}

/// The arguments that determine the output of a file.
struct PresetArguments: ParsableArguments, Sendable {
  @Option(
    name: [.long, .customShort("p")],
    help: "The name of a preset ('candela presets' lists them), or the path of a JSON file.",
    completion: .presets)
  var preset = "hevc-match-source"

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Sets a key of the preset: video.range=full, crf=20. 'candela presets keys' lists them.",
      valueName: "key=value"), completion: .keys)
  var changes: [String] = []

  // Options for the keys that are changed most often. They do not form a separate group, because
  // debug builds check nested groups over and over. That took longer than transcoding a short file.

  @Option(
    help: ArgumentHelp("The codec: hevc, h264, av1 or passthrough.", valueName: "name"),
    completion: .codecs)
  var codec: String?

  @Option(
    help: ArgumentHelp(
      "The quality as a rate factor, 0 to 51 (AV1: 1 to 63); lower is better.", valueName: "number")
  )
  var crf: String?

  @Option(
    help: ArgumentHelp("The encoder's speed, from ultrafast to placebo.", valueName: "name"),
    completion: .speeds)
  var speed: String?

  @Option(
    help: ArgumentHelp(
      "The width. The height follows from the aspect ratio.", valueName: "pixels"))
  var width: String?

  @Option(
    help: ArgumentHelp(
      "The height. The width follows from the aspect ratio.", valueName: "pixels"))
  var height: String?

  @Option(
    help: ArgumentHelp(
      "The limit for the longer side; frames are never enlarged.", valueName: "pixels"))
  var maxSize: String?

  @Option(
    help: ArgumentHelp(
      "What to do with audio: auto, passthrough, none, or a codec such as aac, opus or flac.",
      valueName: "name"), completion: .audio)
  var audio: String?

  @Option(
    help: ArgumentHelp(
      "Overrides the source's color tags: 709, hlg, …, or primaries/transfer/matrix as in 9/18/9.",
      valueName: "color"), completion: .colors)
  var sourceColor: String?

  @Flag(help: "Refuses a file whose tags contradict each other.")
  var strict = false

  @Option(help: "What to do about damaged data.")
  var onError: TranscodeOptions.OnError?

  /// Refuses values that are not numbers, options that change nothing if frames are copied, and
  /// sizes that exclude each other.
  func validate() throws {
    for (option, value) in [("width", width), ("height", height), ("max-size", maxSize)] {
      guard let value, Double(value) == nil else { continue }
      throw ValidationError("--\(option) must be a number of pixels, such as 1280, not '\(value)'")
    }
    if let crf, Double(crf) == nil {
      throw ValidationError(
        "--crf must be a number from 0 to 51 (AV1: 1 to 63), such as 22, not '\(crf)'")
    }
    let unused = [
      ("crf", crf), ("speed", speed), ("width", width), ("height", height), ("max-size", maxSize),
    ].first { $0.1 != nil }
    if let unused, let codec, ["passthrough", "copy"].contains(codec.lowercased()) {
      throw ValidationError(
        "--\(unused.0) changes nothing with --codec \(codec), which copies frames: leave one out")
    }
    // `--max-size` sets the same keys as `--width` and `--height`, so one of them would silently
    // win.
    guard maxSize != nil, let other = width != nil ? "width" : height != nil ? "height" : nil else {
      return
    }
    throw ValidationError("--\(other) and --max-size cannot be combined: use one")
  }

  /// The changes that `--codec`, `--crf` and the other options for single keys make.
  private var shortcuts: [String] {
    var changes: [String] = []
    func set(_ key: String, _ value: String?) {
      if let value { changes.append("\(key)=\(value)") }
    }
    set("video.codec", codec)
    set("video.compressionProperties.constantRateFactor", crf)
    set("video.compressionProperties.speed", speed)
    set("video.width", width ?? maxSize)
    set("video.height", height ?? maxSize)
    // The name of a codec stands for an object with that codec. Any other word, such as `auto`, is
    // passed on unchanged. If it is wrong, the check of the key says so.
    let codecs = PresetKey.words(of: "audio.codec")
    set("audio", audio.map { codecs.match(for: $0).map { "{\"codec\": \"\($0)\"}" } ?? $0 })
    return changes
  }

  /// Returns the settings in the form of a preset.
  func json() throws -> JSONValue {
    // `--set` names the key itself, so it comes last and wins over the shortcuts.
    try Preset.json(preset, changes: shortcuts + changes)
  }

  /// Returns options with what the user says about the source, and with the files of the run.
  func options(reading input: String) throws -> TranscodeOptions {
    var options = TranscodeOptions()
    options.strict = strict
    options.onError = onError
    options.files = files(reading: input)
    options.sourceColor = try sourceColor.map { try Self.color($0, option: "--source-color") }
    return options
  }

  /// Returns the files of a run: its input, and the files that the preset is read from.
  func files(reading input: String) -> RunFiles {
    // No output may replace the preset that makes it.
    RunFiles(reading: input, Preset.files(preset))
  }

  /// Returns the color that a short name or a triple stands for.
  static func color(_ text: String, option: String) throws -> ColorDescription {
    guard let color = ColorDescription(spelling: text) else {
      throw TranscodingError(
        .invalidSettings, "\(option) cannot be '\(text)': \(ColorDescription.hint(for: text))")
    }
    return color
  }
}
