// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser

/// Options for the keys of presets that are changed most often.
struct KeyShortcuts: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp("The codec: hevc, h264 or passthrough.", valueName: "name"),
    completion: .codecs)
  var codec: String?

  @Option(help: ArgumentHelp("The quality as a rate factor; lower is better.", valueName: "0…51"))
  var crf: String?

  @Option(
    help: ArgumentHelp("The encoder's speed, from ultrafast to placebo.", valueName: "name"),
    completion: .speeds)
  var speed: String?

  @Option(help: ArgumentHelp("The width; the height keeps the aspect ratio.", valueName: "pixels"))
  var width: String?

  @Option(help: ArgumentHelp("The height; the width keeps the aspect ratio.", valueName: "pixels"))
  var height: String?

  @Option(
    help: ArgumentHelp(
      "The limit for the longer side; frames are never enlarged.", valueName: "pixels"))
  var maxSize: String?

  @Option(
    help: ArgumentHelp(
      "What to do with audio: auto, passthrough, none, or a codec: aac, opus, flac …",
      valueName: "name"), completion: .audio)
  var audio: String?

  /// Refuses values that are not numbers, and sizes that exclude each other.
  func validate() throws {
    for (option, value) in [("width", width), ("height", height), ("max-size", maxSize)] {
      guard let value, Double(value) == nil else { continue }
      throw ValidationError("--\(option) must be a number of pixels, such as 1280, not '\(value)'")
    }
    if let crf, Double(crf) == nil {
      throw ValidationError("--crf must be a number from 0 to 51, such as 22, not '\(crf)'")
    }
    // Both set the same keys, so one of them would silently win.
    guard maxSize != nil, let other = width != nil ? "width" : height != nil ? "height" : nil else {
      return
    }
    throw ValidationError("--\(other) and --max-size cannot be combined: use one")
  }

  /// The changes of settings that the options stand for.
  var changes: [String] {
    var changes: [String] = []
    func set(_ key: String, _ value: String?) {
      if let value { changes.append("\(key)=\(value)") }
    }
    set("video.codec", codec)
    set("video.compressionProperties.constantRateFactor", crf)
    set("video.compressionProperties.speed", speed)
    set("video.width", width ?? maxSize)
    set("video.height", height ?? maxSize)
    // Any other word is a codec, which the key takes as part of an object.
    let isWord = ["auto", "passthrough", "copy", "none"].contains(audio)
    set("audio", audio.map { isWord ? $0 : "{\"codec\": \"\($0)\"}" })
    return changes
  }
}
