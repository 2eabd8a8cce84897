// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Inspection
internal import MediaCore

extension InspectionReport {
  /// The report as text, several lines.
  var text: String {
    var head = "\(path): \(majorBrand.map { "brand '\($0)'" } ?? format)"
    if let duration { head += ", \(seconds(duration))" }
    return ([head] + summary.lines + fileLines + statements).joined(separator: "\n")
  }

  /// The lines about the whole file, without its summary.
  private var fileLines: [String] {
    var lines: [String] = []
    if let code = facts[.timeCode]?.value as? StatedTimeCode {
      lines.append(
        "  time code  \(code.start)"
          + (code.framesPerSecond.map { ", \($0) frames/s" }
            ?? ", which does not fit the frame rate")
          + (code.isDropFrame ? ", drop frame" : ""))
    }
    if let chapters = facts[.chapters] { lines.append("  chapters   \(chapters.text)") }
    return lines
  }

  /// The lines about what the file declares, without its size and summary.
  var statements: [String] {
    var lines: [String] = []
    if let missingData { lines.append("  CUT OFF    \(missingData)") }
    for track in tracks { lines += track.lines }
    if let frames {
      lines.append("    frame        time  type, RPU level 1 (min avg max in PQ), metadata")
      lines += frames.map(\.line)
    }
    return lines
  }
}

private func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) s" }

extension FileSummary {
  fileprivate var lines: [String] {
    let rate = bitRate.map {
      "\((Double($0) / 1e6).text(decimals: $0 < 10_000_000 ? 2 : 1)) Mbit/s"
    }
    var lines: [String] = []
    if let dynamicRange {
      let video = [
        dynamicRange, shownSize.map { "\($0.width)×\($0.height)" },
        frameCount.map { $0.counted("frame") },
      ]
      lines.append("  in short   \(video.compactMap { $0 }.joined(separator: ", "))")
    }
    lines.append(
      "  size       " + [size.byteCountText, rate].compactMap { $0 }.joined(separator: ", "))
    if let date { lines.append("  date       \(date)") }
    if let place { lines.append("  place      \(place)") }
    if let device { lines.append("  device     \(device)") }
    return lines
  }
}

extension TrackReport {
  fileprivate var lines: [String] {
    var head = "track \(id): \(kind.rawValue), \(facts[.codec]?.text ?? "")"
    if let profile = facts[.profile]?.text { head += " \(profile)" }
    if let level = facts[.level]?.text { head += " level \(level)" }
    if let sampleEntry = facts[.sampleEntry]?.text { head += ", '\(sampleEntry)'" }
    if let data = facts[.userDataInSamples]?.text { head += " with \(data)" }
    if let language = facts[.language]?.text { head += ", \(language)" }
    var lines = [head]
    if let rate = facts[.sampleRate]?.text, let count = facts[.channelCount]?.value as? Int {
      lines.append("  audio      \(rate) Hz, \(count.counted("channel"))")
    }
    if kind == .video { lines += videoLines }
    var time = (facts[.duration]?.value as? Double).map(seconds) ?? "unknown duration"
    if let count = facts[.sampleCount]?.value as? Int { time += ", \(count.counted("sample"))" }
    if let count = facts[.frameCount]?.text { time += ", \(count) presented" }
    if let rate = facts[.frameRate]?.value as? Double {
      time += ", \((rate * 1000).rounded() / 1000) frames/s"
      if facts[.hasVariableFrameRate]?.value as? Bool == true { time += " on average (variable)" }
    }
    lines.append("  time       \(time)")
    if let edits = facts[.edits]?.value as? [EditTimeline.Edit] { lines += editLines(edits) }
    return lines
      + notices.map { notice in
        (notice.severity == .note ? "  NOTE       " : "  WARNING    ") + notice.text
      }
  }

  private func editLines(_ edits: [EditTimeline.Edit]) -> [String] {
    // Nearly every file has a single edit that starts at the beginning, so do not mention it.
    guard edits.count != 1 || edits[0].mediaStart != .zero else { return [] }
    // A damaged file may have tens of thousands of edits.
    let most = 20
    let told = edits.prefix(most).map { edit in
      let length = edit.duration.map { "for \(seconds($0.seconds))" } ?? "to the end"
      guard let start = edit.mediaStart else { return "nothing \(length)" }
      return "media from \(seconds(start.seconds)) \(length)"
    }.joined(separator: "; ")
    let more = edits.count - most
    return ["  edits      " + (more > 0 ? "\(told); … and \(more) more" : told)]
  }

  private var videoLines: [String] {
    var format = facts[.size]?.text ?? ""
    if let depth = facts[.bitDepth]?.text, let chroma = facts[.chromaSubsampling]?.text {
      format += ", \(depth) bit \(chroma)"
    }
    if let fields = facts[.fieldOrder]?.text, fields != "progressive" {
      format += ", interlaced (\(fields))"
    }
    if let matrix = facts[.matrix]?.value as? DisplayMatrix {
      format += matrix.rotation.map { ", shown rotated by \($0)°" } ?? ", shown transformed"
    }
    let square = facts[.pixelAspectRatio]?.text == "1:1"
    let shape = [
      square ? nil : facts[.pixelAspectRatio].map { "pixels \($0.text)" },
      facts[.cleanAperture].map { "clean aperture \($0.text)" },
    ].compactMap { $0 }
    if facts[.filmGrain] != nil { format += ", film grain" }
    if let count = facts[.operatingPoints]?.text { format += ", \(count) operating points" }
    var lines = ["  video      \(format)"]
    if !shape.isEmpty { lines.append("  shape      \(shape.joined(separator: ", "))") }
    if let spatial = facts[.spatialVideo]?.value as? StatedSpatialVideo {
      let places = spatial.places.joined(separator: ", ")
      let view = spatial.horizontalFieldOfView.map { ", field of view \($0)°" } ?? ""
      lines.append("  spatial    \(spatial.kind)\(places.isEmpty ? "" : " (\(places))")\(view)")
    }
    return lines + colorLines + metadataLines
  }

  private var colorLines: [String] {
    guard isDecoded else {
      let reason =
        hasFloatingPointFrames ? ": frames with floating-point samples are not supported" : ""
      return ["  color      unknown: no frame could be decoded\(reason)"]
    }
    let color = facts.filter { $0.key.section == .color }
    var lines = ["  color      \(color.signalText)"]
    for (name, key) in [
      ("container", FactKey.containerColor), ("bitstream", .bitstreamColor),
      ("decoder  ", .decoderColor),
    ] {
      lines.append("    \(name)  \(facts[key]?.text ?? "not read for this codec")")
    }
    if let preferred = facts[.preferredTransferFunction] {
      lines.append("    \(StatementPlace.preferredTransfer)    prefers \(preferred.text)")
    }
    for (name, key) in [("ICC      ", FactKey.profileColor), ("gama     ", .gammaColor)] {
      if let text = facts[key]?.text { lines.append("    \(name)  \(text)") }
    }
    return lines
  }

  private var metadataLines: [String] {
    let metadata = facts.filter { $0.key.section == .hdrMetadata }
    return metadata.map { fact in
      let places = fact.places.map(\.description).joined(separator: ", ")
      return "  HDR        \(fact.key.code): \(fact.text) (\(places))"
    }
  }
}

extension [Fact] {
  /// What the color tags say, in one line.
  fileprivate var signalText: String {
    let parts = [FactKey.colorPrimaries, .transferFunction, .yCbCrMatrix].map { self[$0]?.text }
    // For a file without tags, three dashes would look like a fault of the report.
    let color =
      parts.contains { $0 != nil }
      ? parts.map { $0 ?? "–" }.joined(separator: " / ") : "no color"
    return [
      color, self[.range].map { "\($0.text) range" } ?? "range unstated",
      self[.chromaLocation].map { "chroma \($0.text)" } ?? "chroma location unstated",
    ].joined(separator: ", ")
  }
}

extension FrameReport {
  /// The report's line: number, time, type, level 1, types of metadata.
  fileprivate var line: String {
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(width - text.count, 0)) + text
    }
    let time = time.map(seconds) ?? "–"
    var line =
      right("\(frame)", 9) + right(time, 12) + "  \(type ?? "–")\(isSync ? " sync" : "     ")"
    if let level1 { line += "  L1 \(level1.minPQ) \(level1.avgPQ) \(level1.maxPQ)" }
    if let rpuError { line += "  RPU: \(rpuError)" }
    for (name, types) in [("SEI", sei), ("OBU", metadataOBUs)] where !types.isEmpty {
      line += "  \(name) \(types.map(String.init).joined(separator: " "))"
    }
    return line
  }
}
