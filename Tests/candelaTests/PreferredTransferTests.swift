// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Broadcasters signal HLG in two places (ETSI TS 101 154; H.265, D.3.38). The VUI states the
/// transfer function 14 (BT.2020), for receivers that do not know HLG. SEI 147 states that 18 (HLG)
/// is preferred.
@Suite struct PreferredTransferTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func broadcast() throws -> String {
    let path = folder.path("broadcast.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "5", "-vf",
      "format=yuv420p10le,"
        + "setparams=color_primaries=bt2020:color_trc=bt2020-10:colorspace=bt2020nc",
      "-color_primaries", "bt2020", "-color_trc", "bt2020-10", "-colorspace", "bt2020nc", "-c:v",
      "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:atc-sei=18", "-tag:v",
      "hvc1", path)
    return path
  }

  private func transcode(_ preset: String, _ changes: String...) throws -> String {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      ["transcode", try broadcast(), output, "--preset", preset, "--overwrite"]
        + changes.flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    let validated = try BuiltCandela.run("validate", output)
    #expect(validated.status == 0, "\(validated.output)")
    return output
  }

  /// Returns the transfer function in the VUI, the content of `colr`, and the different transfer
  /// functions that SEI 147 prefers anywhere in the file.
  private func stated(_ path: String) throws -> (vui: Int?, colr: String?, preferred: [Int]) {
    let bitstream = try #require(HDRCheck.video(path)["bitstream"] as? [String: Any])
    let messages =
      (bitstream["sei_values"] as? [String: Any])?["147 alternative_transfer"] as? [[String: Any]]
    let facts = try HDRCheck.facts(path)
    return (
      (facts["vui"] as? [Int])?[1], (facts["colr"] as? [String])?.first,
      (messages ?? []).compactMap { ($0["value"] as? [String: Any])?["preferred_transfer"] as? Int }
    )
  }

  private func transferOfPlayers(_ path: String) throws -> [String] {
    try Tool.probe(path, "stream=color_transfer").map { $0.components(separatedBy: ",")[0] }
  }

  /// If tags propagate, VUI and SEI 147 stay the same, and `colr` states HLG, so players see HLG.
  @Test func bothPropagate() throws {
    let plan = try BuiltCandela.run(
      "plan", try broadcast(), "--preset", "hevc-match-source", "--json")
    let video = try #require(plan.json()["video"] as? [String: Any])
    let metadata = (video["encoding"] as? [String: Any])?["hdrMetadata"] as? [String: Any]
    let preferred = metadata?["preferredTransferFunction"] as? [String: Any]
    #expect(preferred?["code"] as? Int == 18 && preferred?["name"] as? String == "HLG")
    #expect(try !plan.notices().codes.contains("tagConflict"))
    let output = try transcode("hevc-match-source")
    let stated = try stated(output)
    #expect(stated.vui == 14 && stated.colr == "nclc 9 18 9 None" && stated.preferred == [18])
    #expect(try transferOfPlayers(output) == ["arib-std-b67"])
    #expect(try BuiltCandela.run("inspect", output, "--json").notices().isEmpty)
    // If the output is transcoded again, both statements stay.
    let again = try BuiltCandela.run("plan", output, "--preset", "hevc-match-source", "--strict")
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("preferred transfer function: HLG (18)"))
  }

  /// If the settings state HLG, the VUI states HLG, too, so SEI 147 is not needed. H.264 has no
  /// place for SEI 147 in its parameter sets. Outputs in SDR and PQ never have SEI 147.
  @Test(
    arguments: [
      ("hevc-hlg", [String](), 18, "arib-std-b67"), ("hevc-sdr", [], 1, "bt709"),
      ("h264-sdr", [], 1, "bt709"),
      (
        "hevc-hlg", ["video.colorProperties.transferFunction=SMPTE_ST_2084_PQ"], 16, "smpte2084"
      ),
    ])
  func settingsStateOneFunction(
    preset: String, changes: [String], vui: Int, players: String
  ) throws {
    let output =
      changes.isEmpty ? try transcode(preset) : try transcode(preset, changes[0])
    let stated = try stated(output)
    #expect(stated.vui == vui && stated.preferred.isEmpty)
    #expect(try transferOfPlayers(output) == [players])
  }
}
