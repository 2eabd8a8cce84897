// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import MediaCore
internal import Planning
internal import Reading
internal import Shots

extension PlanReport {
  /// What happens to the frames, in a few words; `nil` if they are copied.
  var change: String? {
    guard let encoding = video?.encoding else { return nil }
    let (old, new) = (encoding.sourceDynamicRange, encoding.dynamicRange)
    return "\(Self.change(old, new)), \(encoding.width)×\(encoding.height) in \(encoding.codec)"
  }

  /// Returns what becomes of a dynamic range. Each argument also names Dolby Vision, if there is
  /// any: "HDR (HLG), Dolby Vision 8.4".
  private static func change(_ old: String, _ new: String) -> String {
    let parts = [old, new].map { $0.split(separator: ", ", maxSplits: 1) }
    guard old != new, let range = parts[0].first, parts[1].first == range else {
      return old == new ? "stays \(new)" : "\(old) becomes \(new)"
    }
    return switch (parts[0].last, parts[1].last) {
    case (let lost?, range): "stays \(range) without \(lost)"
    case (range, let gained?): "stays \(range) and gets \(gained)"
    case (let lost, let gained): "stays \(range), \(lost ?? "") becomes \(gained ?? "")"
    }
  }

  /// What happens to the file, in one line for somebody in a hurry.
  private var sentence: String {
    var parts: [String] = []
    if let change, let encoding = video?.encoding {
      parts.append(change)
      if let chroma = encoding.chromaSentence { parts.append(chroma) }
    } else {
      parts.append(video == nil ? "no video" : "video is copied")
    }
    let encoded = audio.count { $0.encoding != nil }
    if audio.isEmpty {
      parts.append("no audio")
    } else {
      let copied = audio.count - encoded
      parts.append(
        encoded == 0
          ? "audio is copied"
          : copied == 0 ? "audio is encoded" : "some audio is encoded, and some is copied")
    }
    let losses = notices.count { $0.severity == .warning }
    if losses > 0 { parts.append("\(losses.counted("warning")), below") }
    return parts.joined(separator: "; ")
  }

  /// Returns the report as text. The caller chooses the words for notices.
  func text(of words: (Notice) -> String) -> String {
    var lines = ["\(input) → .\(container), preset '\(preset)'", "  in short   \(sentence)"]
    if let range { lines.append("  range      \(range.text)") }
    lines += video?.lines ?? ["  video      none"]
    lines += audio.map { "  audio      \($0.text)" }
    for track in otherTracks {
      let work =
        track.track.map { "track \($0): \(track.kind), copied" }
        ?? (track.kind == CarriedTrack.timeCodeKind
          ? "time code, as a separate track" : "\(track.kind), as a text track")
      lines.append("  other      \(work)")
    }
    lines.append("  metadata   \(keepsMetadata ? "dates, places and names are kept" : "left out")")
    lines += notices.map {
      "  \($0.severity == .note ? "NOTE       " : "WARNING    ")\(words($0))"
    }
    return lines.joined(separator: "\n")
  }
}

extension VideoPlanReport.Encoding {
  /// What happens to chroma, in a few words. `nil` if the source is gray, or if it is 4:2:0 and
  /// stays 4:2:0.
  fileprivate var chromaSentence: String? {
    if sourceChroma == .cs400 || [sourceChroma, chroma] == [.cs420, .cs420] { return nil }
    return sourceChroma == chroma
      ? "chroma stays \(chroma.rawValue)"
      : "\(sourceChroma.rawValue) chroma becomes \(chroma.rawValue)"
  }
}

extension VideoPlanReport {
  fileprivate var lines: [String] {
    guard let encoding else {
      let kind = isMVHEVC ? ", MV-HEVC, with both eyes" : ""
      let metadata = copiedMetadata.map { $0.lines.isEmpty ? ["none"] : $0.lines } ?? []
      return ["  video      track \(track): samples are copied\(kind)"]
        + metadata.map { "    HDR        \($0)" }
    }
    let evidence = SignalField.allCases.compactMap { field in
      encoding.evidence[field.rawValue].map { "\(field.rawValue): \($0)" }
    }
    var lines = shape.map { "  shape      \($0)" }
    if let bars { lines.append("  crop       \(bars.text)") }
    if let composition {
      lines.append("  compose    in \(composition.workingSpace.text)")
      lines += composition.steps.map { "    step       \($0)" }
    }
    lines.append("  source     \(encoding.source.text)")
    if !evidence.isEmpty { lines.append("    stated by  \(evidence.joined(separator: ", "))") }
    lines.append("  rule       \(encoding.explanation)")
    lines.append(
      "  video      \(encoding.sourceFormat) → \(encoding.codec), \(encoding.format), "
        + "\(encoding.width)×\(encoding.height), \(encoding.encoder.text)")
    lines += encoding.steps.map { "    step       \($0)" }
    lines += ShotReport.lines(encoding.shots).map { "    shot       \($0)" }
    if encoding.steps.isEmpty {
      lines.append("    no step    pixels reach the encoder unchanged")
    }
    lines.append("  output     \(encoding.bitstream.text)")
    lines.append("    colr       \(encoding.colr.map { "\($0)" } ?? "none")")
    if let gamma = encoding.gamma { lines.append("    gama       \(gamma)") }
    lines += encoding.hdrMetadata.lines.map { "    HDR        \($0)" }
    return lines
  }
}
