// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation
import TestSupport
import Testing

@testable import Editing

/// QuickTime's `gama` is understood even if H.273 has no number for its gamma, as with the gamma of
/// old Macs.
@Suite struct GammaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie with `nclc` 1/`transfer`/1 and `gama`. With `color`, all pixels have that color;
  /// without it, each row is a ramp of gray with the luma values from 64 to 939.
  private func movie(
    _ gamma: Double, transfer: UInt8 = 2, color: (Int, Int, Int)? = nil
  ) throws -> String {
    let path = folder.path("gamma.mov")
    let (y, cb, cr) = color.map { ("\($0.0)", $0.1, $0.2) } ?? ("64+X", 512, 512)
    try Tool.ffmpeg(
      "-f", "lavfi", "-i",
      "color=black:s=876x64:r=25:d=0.08,format=yuv422p10le,"
        + "geq=lum='\(y)':cb=\(cb):cr=\(cr),"
        + "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709", "-c:v", "v210",
      "-movflags",
      "+write_colr+write_gama", "-mov_gamma", "\(gamma)", "-color_primaries", "bt709",
      "-color_trc", "bt709", "-colorspace", "bt709", path)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(data.range(of: Data("colrnclc".utf8) + [0, 1, 0, 1])).upperBound
    data[place - 1] = transfer
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  private func transcode(_ path: String, _ preset: String, to name: String = "out.mov") throws
    -> String
  {
    let output = folder.path(name)
    let outcome = try BuiltCandela.run(
      "transcode", path, output, "--preset", preset, "--overwrite", "--set",
      "video.compressionProperties={\"lossless\":true}", "--set", "video.conversion.dither=none")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  /// Returns the first 10-bit luma code values of the first frame.
  private func luma(_ path: String, count: Int) throws -> [Double] {
    let bytes = try Tool.picture(path, format: "yuv444p10le")
    return (0..<count).map { Double(Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8) }
  }

  /// Gray looks the same as before on a display with gamma 2.4: a signal V with gamma g becomes
  /// V^(g/2.4).
  @Test(arguments: [1.8, 2.6, 1.4].shortened(to: 1))
  func grayIsConverted(gamma: Double) throws {
    let path = try movie(gamma)
    let ten = try luma(try transcode(path, "hevc-sdr"), count: 876)
    let eight = try Tool.picture(
      try transcode(path, "h264-sdr", to: "out.mp4"), format: "gray", filter: "extractplanes=y")
    for code in 0..<876 {
      let light = pow(Double(code) / 876, gamma / 2.4)
      let wanted = (64 + 876 * light, 16 + 219 * light)
      #expect(abs(ten[code] - wanted.0) <= 0.55)
      #expect(abs(Double(eight[code]) - wanted.1) <= 0.55)
      if abs(ten[code] - wanted.0) > 0.55 || abs(Double(eight[code]) - wanted.1) > 0.55 { break }
    }
  }

  @Test func colorsAreConverted() throws {
    let path = try movie(1.8, color: (500, 440, 640))
    let output = try transcode(path, "hevc-sdr")
    let bytes = try Tool.picture(output, format: "yuv420p10le")
    func code(_ index: Int) -> Double {
      Double(Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8)
    }
    let (y, pb, pr) = (436.0 / 876, -72.0 / 896, 128.0 / 896)
    let (red, blue) = (y + 1.5748 * pr, y + 1.8556 * pb)
    let green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
    let rgb = [red, green, blue].map { pow($0, 1.8 / 2.4) }
    let luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
    #expect(abs(code(876 * 32 + 438) - (64 + 876 * luma)) <= 0.55)
    let plane = 876 * 64
    let quarter = plane / 4
    #expect(abs(code(plane + quarter / 2) - (512 + 896 * (rgb[2] - luma) / 1.8556)) <= 0.55)
    #expect(
      abs(code(plane + quarter + quarter / 2) - (512 + 896 * (rgb[0] - luma) / 1.5748)) <= 0.55)
  }

  /// Without color properties in the settings, a QuickTime movie keeps the gamma. MP4 cannot keep
  /// it, and a notice says so.
  @Test func itPropagates() throws {
    let path = try movie(1.8)
    let output = try transcode(path, "hevc-match-source")
    let report = try BuiltCandela.run("inspect", output).output
    #expect(report.contains("color      BT.709 (1) / gamma 1.8 / BT.709 (1)"), "\(report)")
    #expect(report.contains("gama       – / gamma 1.8 / –"), "\(report)")
    #expect(!report.contains("CONFLICT") && !report.contains("NOTE"))
    #expect(try HDRCheck.facts(output)["colr"] as? [String] == ["nclc 1 2 1 None"])
    #expect(try Tool.probe(output, "stream=color_transfer") == ["unknown"])
    let before = try Tool.digest(path), after = try luma(output, count: 876)
    #expect(!before.isEmpty && after == (0..<876).map { Double(64 + $0) })
    let plan = try BuiltCandela.run("plan", path, "--preset", "hevc-match-source", "--json")
    let lost = try BuiltCandela.run(
      "plan", path, "--preset", "hevc-match-source", "--set", "container=mp4", "--json")
    #expect(try !plan.notices().codes.contains("gammaNotCarried"), "\(plan.output)")
    let transfer = try lost.notices().arguments("gammaNotCarried")?["transferFunction"]
    #expect(transfer == "gamma 1.8", "\(lost.output)")
    let copy = try transcode(path, "hevc-match-source", to: "copy.mp4")
    #expect(try BuiltCandela.run("inspect", copy).output.contains("BT.709 (1) / – / BT.709 (1)"))
  }

  @Test func everyCommandNamesIt() throws {
    let path = try movie(1.8)
    #expect(
      try BuiltCandela.run("inspect", path).output.contains(
        "color      BT.709 (1) / gamma 1.8 / BT.709 (1)"))
    let plan = try BuiltCandela.run("plan", path, "--preset", "h264-sdr").output
    #expect(plan.contains("transferFunction: 'gama' atom"), "\(plan)")
    #expect(plan.contains("signal to light by gamma 1.8"), "\(plan)")
    let verdict = try BuiltCandela.run("validate", path, "--all").output
    #expect(verdict.contains("pass  valid code points"), "\(verdict)")
    let output = folder.path("retagged.mov")
    let retagged = try BuiltCandela.run("retag", path, output, "--color", "709")
    #expect(retagged.status == 0)
    #expect(retagged.tells(.gammaKept(isAlone: false)))
    #expect(
      try BuiltCandela.run("inspect", output).output.contains(
        "color      BT.709 (1) / BT.709 (1) / BT.709 (1)"))
    let half = try BuiltCandela.run("retag", path, output, "--color", "9/2/9", "--overwrite")
    #expect(half.tells(.gammaKept(isAlone: true)))
    #expect(
      try BuiltCandela.run("inspect", output).output.contains("BT.2020 (9) / gamma 1.8 /"))
  }

  /// What `colr` states takes precedence, and a gamma that no display has is not believed.
  @Test func othersAreBelievedBefore() throws {
    let stated = try BuiltCandela.run("inspect", try movie(1.8, transfer: 1)).output
    #expect(stated.contains("color      BT.709 (1) / BT.709 (1) / BT.709 (1)"), "\(stated)")
    let path = try movie(0.45)
    let camera = try BuiltCandela.run("inspect", path).output
    #expect(camera.contains("color      BT.709 (1) / – / BT.709 (1)"), "\(camera)")
    let notices = try BuiltCandela.run("inspect", path, "--json").notices()
    #expect(notices.codes.contains("gammaUnknown"), "\(notices)")
  }
}
