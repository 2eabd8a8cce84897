// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// For every file in some folders of shared media, the commands make a correct output or refuse the
/// file for the expected reason.
@Suite(.needsSharedMedia, .takesLong) struct MediaSweepTests {
  static let files = ["hdr", "sdr", "damaged", "found", "found/crafted"]
    .flatMap(SharedMedia.names).filter { !$0.hasSuffix("crafted") }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func facts(_ path: String) throws -> (vui: [Int], colr: [String]) {
    let facts = try HDRCheck.facts(path)
    let vui = (facts["vui"] as? [Any] ?? []).prefix(3).compactMap { $0 as? Int }
    return (vui, facts["colr"] as? [String] ?? [])
  }

  @Test(arguments: files) func plan(name: String) throws {
    let outcome = try BuiltCandela.run("plan", SharedMedia.path(name))
    if let reason = Self.unplannable[name] {
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    } else {
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test(arguments: files) func retag(name: String) throws {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run("retag", SharedMedia.path(name), output, "--color", "p3")
    if let reason = Self.unretaggable[name] {
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      return
    }
    #expect(outcome.status == 0, "\(outcome.errors)")
    let found = try facts(output)
    #expect(found.colr.allSatisfy { $0.contains("12 1 1") } && found.colr.count == 1)
    let codec = try Tool.probe(output, "stream=codec_name").first
    if codec == "h264" || codec == "hevc" {
      #expect(found.vui == [12, 1, 1])
    } else {
      // The bitstreams of other codecs are not changed. If one contradicts the new tags, a message
      // says so.
      let seen = try Tool.probe(output, "stream=color_primaries").first
      #expect(
        ["smpte432", "unknown"].contains(seen)
          || outcome.errors.contains("not changed: colorPrimaries"))
    }
    // The frames of damaged files are not compared.
    guard !name.hasPrefix("damaged/") && !name.hasPrefix("found/crafted/") else { return }
    // The new tags say that R'G'B' samples are Y'CbCr, so ffmpeg makes a different gray from them.
    guard !name.contains("_rgb") else { return }
    #expect(
      try Tool.frameDigests(output, format: "gray", ignoringEdits: true)
        == Tool.frameDigests(SharedMedia.path(name), format: "gray", ignoringEdits: true))
  }

  /// Color tags get into HEVC outputs. `plan` reports the color that it finds in the source's
  /// container and bitstream, and an independent reader finds the same color in the output.
  @Test(arguments: files) func propagation(name: String) throws {
    guard Self.unplannable[name] == nil else { return }
    let report = try BuiltCandela.run("plan", SharedMedia.path(name), "--json").json()
    guard let encoding = (report["video"] as? [String: Any])?["encoding"] as? [String: Any] else {
      return
    }
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path(name), output, "--set",
      "video.compressionProperties.speed=ultrafast", "--set", "audio=none")
    #expect(outcome.status == (Self.incomplete.contains(name) ? 2 : 0), "\(outcome.errors)")
    guard outcome.status == 0 else { return }
    let source = try #require(encoding["source"] as? [String: Any])
    let wanted = ["colorPrimaries", "transferFunction", "yCbCrMatrix"].map { field -> Int in
      guard let point = source[field] as? [String: Any] else { return 2 }
      return point["code"] as? Int ?? -1
    }
    let found = try facts(output)
    let isTagged = wanted != [2, 2, 2]
    #expect((found.vui.isEmpty ? [2, 2, 2] : found.vui) == wanted)
    let box = "nclc " + wanted.map(String.init).joined(separator: " ") + " None"
    #expect(found.colr == (isTagged ? [box] : []))
  }
}
