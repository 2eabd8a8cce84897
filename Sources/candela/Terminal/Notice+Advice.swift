// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Editing
internal import Planning

/// The command line's words for notices of the library: the fact, and the option that helps.
extension Notice {
  /// The notice, with the option that helps if there is one.
  var advice: String { text + (option ?? "") }

  /// The end of the sentence, which names the option; `nil` if no option helps.
  private var option: String? {
    // The library names no options, because other programs that use it have none.
    switch code {
    case .untaggedBecomesHDR: "; if it is SDR, say so with --source-color 709"
    // Dolby Vision's metadata states the format of its base layer (the coded frames). If the tags
    // state another format, they may be wrong.
    case .tagsNotOfBaseLayer:
      arguments["baseLayer"].flatMap { layer in
        Self.colors[layer].map { "; if it is \(layer), say so with --source-color \($0)" }
      }
    case .outputExists: "; use --overwrite to replace it"
    case .doesNotFit: "; use --force to try anyway"
    case .audioNotStorable:
      "; use " + (arguments["otherContainer"].map { ".\($0), or " } ?? "")
        + "--set audio=auto to encode it"
    case .sampleEntryNotHVC1: ": use candela retag --codec-tag hvc1"
    case .ambientLightMissing:
      ": use candela retag --ambient \(AmbientViewingEnvironment.usualSpelling)"
    default: nil
    }
  }

  /// The colors of Dolby Vision's base layers, in the spelling of `--source-color`.
  private static let colors = ["HDR10": "pq", "HLG": "hlg", "SDR": "709"]
}
