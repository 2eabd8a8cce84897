// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// If x264 and x265 do not accept something, the program does it in another way, or refuses it
/// before any work begins.
@Suite struct EncoderLimitsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, size: String, _ arguments: String...) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=\(size):d=0.12:r=25"] + arguments + [path])
    return path
  }

  private func interlaced(_ size: String) throws -> String {
    try make(
      "interlaced.mov", size: size, "-vf", "setfield=tff", "-c:v", "prores_ks", "-flags",
      "+ildct+ilme", "-pix_fmt", "yuv422p10le", "-color_primaries", "smpte170m", "-color_trc",
      "bt709", "-colorspace", "smpte170m")
  }

  /// In 4:2:0 with fields, H.264 cannot crop to 486 rows, the height of NTSC D1 (7.4.2.1.1). So the
  /// frames are coded as progressive, and a notice says so.
  @Test func oddFieldsOfNTSCAreCodedAsFrames() throws {
    let input = try interlaced("720x486")
    let output = folder.path("out.mp4")
    let (outcome, notices) = try BuiltCandela.transcode(
      [input, output, "--preset", "h264-sdr", "--set", "video.deinterlace=off"])
    #expect(outcome.status == 0)
    #expect(notices.codes.contains("fieldsNotStated"), "\(notices)")
    #expect(
      try Tool.probe(output, "stream=width,height,field_order") == ["720,486,progressive"])
    // In 4:2:2, fields do not have this limit.
    let wide = folder.path("wide.mp4")
    let (other, others) = try BuiltCandela.transcode(
      [
        input, wide, "--preset", "h264-sdr", "--set", "video.pixelFormat=x422", "--set",
        "video.deinterlace=off",
      ])
    #expect(other.status == 0 && !others.codes.contains("fieldsNotStated"), "\(other.errors)")
    #expect(try Tool.probe(wide, "stream=height,field_order") == ["486,tb"])
  }

  @Test func theBaselineProfileHasNoFields() throws {
    let input = try interlaced("720x480")
    let plain = try BuiltCandela.run(
      "plan", input, "--preset", "h264-sdr", "--set", "video.deinterlace=off", "--json")
    #expect(try plain.status == 0 && !plain.notices().codes.contains("fieldsNotStated"))
    let output = folder.path("out.mp4")
    let (outcome, notices) = try BuiltCandela.transcode([
      input, output, "--preset", "h264-sdr", "--set", "video.profileLevel=H264_Baseline_AutoLevel",
      "--set", "video.deinterlace=off",
    ])
    #expect(outcome.status == 0)
    #expect(notices.codes.contains("fieldsNotStated"), "\(notices)")
    #expect(!outcome.errors.contains("x264 [error]"))
  }

  /// Code points of H.273 that x264 and x265 do not know are still stated in the output: EBU 3213,
  /// and IPT-PQ-C2, which the program does not convert.
  @Test(arguments: ["hevc", "h264"])
  func codePointsThatEncodersDoNotKnow(codec: String) throws {
    let input = try make("in.mov", size: "128x96", "-c:v", "libx264", "-pix_fmt", "yuv420p")
    for color in ["22/1/1", "22/1/15"] {
      let output = folder.path("out.mp4")
      let outcome = try BuiltCandela.run(
        "transcode", input, output, "--overwrite", "--source-color", color, "--set",
        "video.codec=\(codec)")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let fields = try headers(output)
      let numbers = ["colour_primaries", "transfer_characteristics", "matrix_coefficients"]
        .compactMap { fields[$0] }
      #expect(numbers.joined(separator: "/") == color)
      #expect(try Tool.probe(output, "stream=color_primaries") == ["ebu3213"])
    }
  }

  /// Returns what ffmpeg reads in a bitstream's headers. H.264 and H.265 spell the name of one
  /// field differently, so it gets the same name for both.
  private func headers(_ path: String) throws -> [String: String] {
    let outcome = try Tool.run(
      "ffmpeg",
      [
        "-hide_banner", "-nostats", "-i", path, "-map", "0:v", "-c", "copy", "-bsf:v",
        "trace_headers", "-frames:v", "1", "-f", "null", "-",
      ])
    var fields: [String: String] = [:]
    for line in outcome.errors.split(separator: "\n") where line.contains(" = ") {
      let words = line.split(separator: " ").map(String.init)
      guard let value = words.last, let index = words.firstIndex(of: "="), index >= 2 else {
        continue
      }
      fields[words[index - 2].replacing("matrix_coeffs", with: "matrix_coefficients")] = value
    }
    return fields
  }

  /// `plan` ends with the same status as `transcode`, and its message says what to do.
  @Test(
    arguments: [
      ("128x96", ["video.profileLevel=HEVC_Main_1"], 0, ""),
      ("1280x96", ["video.profileLevel=HEVC_Main_1"], 65, "level 1 allows at most 36864"),
      ("640x360", ["video.profileLevel=HEVC_Main_2_1"], 0, ""),
      ("640x368", ["video.profileLevel=HEVC_Main_2_0"], 65, "AutoLevel in video.profileLevel"),
      ("128x96", ["video.compressionProperties.encoderOptions.nonsense=1"], 64, "nonsense=1"),
      (
        "128x96",
        ["video.codec=h264", "video.compressionProperties.encoderOptions.avcintra-class=100"],
        64, "check video.compressionProperties.encoderOptions"
      ),
      ("16400x16", ["video.codec=h264"], 65, "16384 samples at most"),
    ].shortened(to: 4))
  func refusalsComeWithThePlan(
    size: String, changes: [String], status: Int32, words: String
  ) throws {
    let input = try make("in.mkv", size: size, "-c:v", "ffv1", "-pix_fmt", "yuv420p")
    let settings = changes.flatMap { ["--set", $0] }
    let plan = try BuiltCandela.run(["plan", input] + settings)
    #expect(plan.status == status, "\(plan.errors)")
    #expect(words.isEmpty || plan.errors.contains(words), "\(plan.errors)")
    let outcome = try BuiltCandela.run(["transcode", input, folder.path("out.mp4")] + settings)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(folder.names == (status == 0 ? ["in.mkv", "out.mp4"] : ["in.mkv"]))
  }

  /// A requested chroma location is stated in the bitstream, and chroma is moved to it. If chroma
  /// moves half a luma sample to the right, a ramp of 2 codes per luma sample becomes 1 code
  /// higher.
  @Test(arguments: ["hevc", "h264"])
  func chromaIsMovedToTheLocationAskedFor(codec: String) throws {
    let input = folder.path("ramp.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "nullsrc=s=96x64:d=0.08,format=yuv420p,geq=lum=128:cb=20+4*X:cr=128",
      "-c:v", "ffv1", input)
    let source = try Tool.picture(input, format: "yuv420p")
    let locations = [("center", "1", 1), ("left", "0", 0), ("2", "2", 0)]
    for (name, number, shift) in locations.shortened(to: 2) {
      let output = folder.path("out.mp4")
      let outcome = try BuiltCandela.run(
        "transcode", input, output, "--overwrite", "--set", "video.codec=\(codec)", "--set",
        "video.chromaLocation=\(name)", "--set", "video.compressionProperties.lossless=true",
        "--set", "video.conversion.dither=none")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let fields = try headers(output)
      #expect(fields["chroma_sample_loc_type_top_field"] == number, "\(name)")
      #expect(fields["chroma_sample_loc_type_bottom_field"] == number)
      let result = try Tool.picture(output, format: "yuv420p")
      // The first chroma plane follows 96 × 64 luma samples. The row's edges are not compared.
      let row = 96 * 64 + 48 * 16
      let differences = (4..<44).map { Int(result[row + $0]) - Int(source[row + $0]) }
      #expect(Set(differences) == [shift], "\(name)")
    }
  }

  @Test func aChromaLocationOf444DoesNothingAndIsSaid() throws {
    let input = try make("in.mkv", size: "128x96", "-c:v", "ffv1", "-pix_fmt", "yuv420p")
    let outcome = try BuiltCandela.run(
      "plan", input, "--set", "video.chromaLocation=center", "--set", "video.pixelFormat=444v",
      "--json")
    #expect(outcome.status == 0)
    let notice = try outcome.notices().arguments("settingHasNoEffect")
    #expect(notice?["key"] == "video.chromaLocation")
  }
}
