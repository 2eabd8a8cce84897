// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host
internal import Settings

/// Completions for options whose values the program knows.
extension CompletionKind {
  /// The names of presets. A word with a slash is completed to folders and JSON files.
  static let presets = CompletionKind.custom { _, _, prefix in
    // The user may have added presets since the completion script was made, so the shell asks for
    // the names each time.
    guard prefix.contains("/") else {
      return Set((Preset.shipped + Preset.own).map(\.name)).sorted()
    }
    let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let folder = String(prefix[..<end])
    return PosixPath.names(in: folder).sorted().compactMap { name in
      let path = folder + name
      if PosixPath.kind(of: path) == .directory { return path + "/" }
      return name.hasSuffix(".json") ? path : nil
    }
  }

  /// The keys of presets, each with a `=` after it; if only one is left, also its values.
  static let keys = CompletionKind.custom { words, index, _ in
    // The parser takes the last word for the word at the cursor, but more words may follow it.
    let prefix = words.indices.contains(index) ? words[index] : ""
    let keys = PresetKey.all.filter { key in
      let name = key.path + "="
      // Only a preset's file can extend another preset, or name its schema.
      return !["extends", "$schema"].contains(key.path)
        && (name.hasPrefix(prefix) || prefix.hasPrefix(name))
    }
    // Shells type a space after the only completion, but no space may follow `KEY=`. So a key whose
    // values are known is never the only completion.
    guard keys.count == 1, let key = keys.first, !key.words.isEmpty else {
      return keys.map { $0.path + "=" }
    }
    return key.words.map { "\(key.path)=\($0)" }
  }

  static let codecs = CompletionKind.list(PresetKey.words(of: "video.codec"))

  static let speeds = CompletionKind.list(
    PresetKey.words(of: "video.compressionProperties.speed"))

  static let audio = CompletionKind.list(
    PresetKey.words(of: "audio") + PresetKey.words(of: "audio.codec"))

  /// The short names of colors. Triples of numbers are not completed.
  static let colors = CompletionKind.list(ColorDescription.shortNames.map(\.name))
}
