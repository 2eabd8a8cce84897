// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorScience
internal import Grafting
internal import Inspection
internal import MediaCore

extension MetadataReport {
  /// The report as text.
  var text: String {
    var lines = ["\(path): \(frameCount.counted("frame"))"]
    // Leave out the facts about frames, because the lines below count the frames.
    let ofFrames = FrameMetadata.kinds.map { FactKey.dynamicHDRMetadata($0) }
    lines += facts.filter { !ofFrames.contains($0.key) }.map { fact in
      let places = fact.places.map(\.description).joined(separator: ", ")
      return "  \(fact.key.code): \(fact.text) (\(places))"
    }
    lines += counts.map { count in
      let damage = count.damagedCount > 0 ? ", \(count.damagedCount) damaged" : ""
      let word = count.profiles.count == 1 ? "profile" : "profiles"
      let names = count.profiles.joined(separator: ", ")
      return "  \(count.name): \(count.frameCount.counted("frame"))\(damage)"
        + (names.isEmpty ? "" : ", \(word) \(names)")
    }
    if lines.count == 1 { lines.append("  no HDR metadata") }
    lines += notices.map { "  \($0.severity == .warning ? "WARNING" : "NOTE")  \($0.text)" }
    lines += frames?.map(\.text) ?? []
    return lines.joined(separator: "\n")
  }
}

extension GainReport {
  /// A short description of the curves.
  fileprivate var text: String {
    if let error { return error }
    guard let headroom else { return "white \(referenceWhite.text(decimals: 1)) cd/m²" }
    let others = alternates.map { $0.headroom.text(decimals: 3) }.joined(separator: ", ")
    return "headroom \(headroom.text(decimals: 4))"
      + (isReferenceWhiteCurve ? "" : ", curves for \(others)") + (fault.map { ", \($0)" } ?? "")
  }
}

extension MetadataFrameReport {
  /// The frame as a line.
  fileprivate var text: String {
    let number = String(frame)
    var parts = [
      String(repeating: " ", count: max(7 - number.count, 0)) + number
        + (time.map { "\($0.text(decimals: 3, width: 10)) s" } ?? "           –")
    ]
    if let level = dolbyVision?.level1 {
      parts.append(
        "level 1 \(level.minPQ) \(level.avgPQ) \(level.maxPQ), "
          + "\(level.maxLuminance.text(decimals: 1)) cd/m²"
          + (dolbyVision?.isSceneRefresh == true ? ", scene" : ""))
    } else if let rpu = dolbyVision {
      parts.append("RPU: \(rpu.error ?? "no level 1")")
    }
    if let light = hdr10Plus {
      parts.append(
        "HDR10+ max \((light.maximum.max() ?? 0).text(decimals: 1)), "
          + "avg \(light.average.text(decimals: 1)) cd/m²")
    }
    if let gain = headroomAdaptiveGain { parts.append("ST 2094-50 \(gain.text)") }
    return (parts + otherUserData).joined(separator: "  ")
  }
}

extension GraftReport {
  /// The report as text.
  var text: String {
    var lines = [
      "\(source) → \(encoded): \(frames.count) of \(sourceFrameCount.counted("frame")), paired by "
        + (way == "times" ? "their times" : "their order")
    ]
    lines.append("  gets       \(metadata.joined(separator: ", "))")
    if !replaced.isEmpty { lines.append("  replaced   \(replaced.joined(separator: ", "))") }
    if !left.isEmpty { lines.append("  left out   \(left.joined(separator: ", "))") }
    if let part {
      lines.append("  part       \(part.size) at \(part.x), \(part.y) of the source's frames")
    }
    lines += frames.map { "  \($0.text)" }
    return lines.joined(separator: "\n")
  }
}

extension GraftReport.Frame {
  fileprivate var text: String {
    "\(number) (\(time.text(decimals: 3)) s) ← \(sourceNumber) (\(sourceTime.text(decimals: 3)) s)"
      + (metadata.isEmpty ? "" : ": \(metadata.joined(separator: ", "))")
  }
}
