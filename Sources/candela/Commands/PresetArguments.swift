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
    help: "A preset that candela presets lists, or the path of a JSON file.",
    completion: .presets)
  var preset = "hevc-match-source"

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Sets a key of the preset: video.range=full, crf=20. See candela presets keys.",
      valueName: "key=value"), completion: .keys)
  var changes: [String] = []

  @OptionGroup(title: "SHORTCUTS FOR KEYS") var shortcuts: KeyShortcuts

  @Option(
    help: ArgumentHelp(
      "Overrides the source's color tags: 9/18/9, hlg, 709, …",
      valueName: "color"), completion: .colors)
  var sourceColor: String?

  @Flag(help: "Refuses a file whose tags contradict each other.")
  var strict = false

  @Option(help: "What to do after damaged data: continue or stop.")
  var onError: TranscodeOptions.OnError?

  /// Returns the settings of the preset with the changes on top.
  func settings() throws -> TranscodeSettings { try TranscodeSettings(json()) }

  /// Returns the settings in the form of a preset.
  func json() throws -> JSONValue {
    // `--set` names the key itself, so it comes last and wins over the shortcuts.
    try Preset.json(preset, changes: shortcuts.changes + changes)
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
      let names = ColorDescription.shortNames.map(\.name).joined(separator: ", ")
      let nearest = ColorDescription.names.nearest(to: text)
      let hint =
        nearest.map { "did you mean '\($0)'?" } ?? "a triple such as 9/18/9, or one of \(names)"
      throw TranscodingError(.invalidSettings, "\(option) cannot be '\(text)': \(hint)")
    }
    return color
  }
}
