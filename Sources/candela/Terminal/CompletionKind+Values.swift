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

  /// The keys of presets, each with a `=` after it.
  static let keys = CompletionKind.list(
    // Only a preset's file can extend another preset, or name its schema.
    PresetKey.all.map(\.path).filter { !["extends", "$schema"].contains($0) }.map { $0 + "=" })

  static let codecs = CompletionKind.list(PresetKey.words(of: "video.codec"))

  static let speeds = CompletionKind.list(
    PresetKey.words(of: "video.compressionProperties.speed"))

  static let audio = CompletionKind.list(
    PresetKey.words(of: "audio") + PresetKey.words(of: "audio.codec"))

  /// The short names of colors. Triples of numbers are not completed.
  static let colors = CompletionKind.list(ColorDescription.shortNames.map(\.name))
}
