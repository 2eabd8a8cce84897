// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// The program converts real phone clips, and independent programs read the results back.
@Suite(.needsSharedMedia) struct PhoneClipTests {
  private static let editList = SharedMedia.path("hdr/androidx__sample_edit_list.mp4")
  private static let dolbyVision = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
  private static let fast = "video.compressionProperties.speed=ultrafast"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func transcode(
    _ input: String, _ name: String, preset: String, _ changes: String...
  ) throws -> String {
    let output = folder.path(name)
    let arguments = ["transcode", input, output, "--preset", preset, "--set", Self.fast]
    let outcome = try BuiltCandela.run(arguments + changes.flatMap { ["--set", $0] })
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  private func expectHLG(_ path: String, container: String) throws {
    let facts = try HDRCheck.facts(path)
    #expect(facts["fourcc"] as? String == "hvc1")
    #expect(facts["profile"] as? Int == 2)
    #expect(facts["bit_depth"] as? Int == 10)
    #expect(facts["vui"] as? [Int] == [9, 18, 9, 0])
    #expect(facts["chroma_loc"] is NSNull)
    #expect(facts["colr"] as? [String] == [container])
    let probe = try Tool.probe(
      path,
      "stream=codec_tag_string,profile,pix_fmt,color_range,color_space,color_transfer,"
        + "color_primaries")
    #expect(
      probe == ["Main 10,hvc1,yuv420p10le,tv,bt2020nc,arib-std-b67,bt2020"])
    let info = try Tool.run(
      "mediainfo", ["--Inform=Video;%Format_Profile% %transfer_characteristics% %BitDepth%", path])
    #expect(info.text.hasPrefix("Main 10"))
    #expect(info.text.hasSuffix("HLG 10"))
  }

  @Test func hlgToHLGInMOVAndMP4() throws {
    let mov = try transcode(Self.dolbyVision, "out.mov", preset: "hevc-hlg")
    try expectHLG(mov, container: "nclc 9 18 9 None")
    try expectTimes(mov, of: Self.dolbyVision, count: 4)
    let mp4 = try transcode(Self.editList, "out.mp4", preset: "hevc-hlg", "video.width=320")
    try expectHLG(mp4, container: "nclx 9 18 9 0")
    try expectTimes(mp4, of: Self.editList, count: 78)
    try expectRotationAndAudio(mp4)
  }

  /// The decoded frames of a lossless output are exactly the 78 frames that the source's edit
  /// presents. No conversion has changed a sample.
  @Test(.takesLong) func presentedPicturesReachTheEncoderUntouched() throws {
    let output = try transcode(
      Self.editList, "out.mov", preset: "hevc-hlg",
      "video.compressionProperties.lossless=true")
    let all = try Tool.frameDigests(Self.editList, format: "yuv420p10le", ignoringEdits: true)
    let written = try Tool.frameDigests(output, format: "yuv420p10le", ignoringEdits: true)
    #expect(all.count == 86)
    #expect(written.count == 78)
    // The edit begins at 273/600 s, within a frame. The frames before this frame are hidden. The
    // digests in `all` and `written` are in the order of presentation.
    let times = try Tool.probe(
      Self.editList, "packet=pts", options: ["-ignore_editlist", "1"]
    ).compactMap { Int($0) }.sorted()
    let first = try #require(times.lastIndex { $0 <= 273 })
    #expect(written == Array(all[first..<first + 78]))
  }

  /// Checks that each frame is presented at exactly the same tick as in the source.
  private func expectTimes(_ output: String, of source: String, count: Int) throws {
    func presented(_ path: String) throws -> [Int] {
      let script = "import struct,sys\n" + Self.presentedTimes
      let text = try Tool.run("python3", ["-c", script, path]).text
      return text.split(separator: " ").compactMap { Int($0) }
    }
    let expected = try presented(source)
    #expect(expected.count == count)
    #expect(try presented(output) == expected)
  }

  /// Reads `elst`, `stts` and `ctts` of the first track without the program's code, and prints the
  /// times at which samples are presented, in units of 1/600 s.
  private static let presentedTimes = """
    b = open(sys.argv[1], 'rb').read()
    def find(path, s, e):
        o = s
        while o + 8 <= e:
            n, t = struct.unpack('>I4s', b[o:o+8])
            if n < 8: return None
            if t.decode('latin1') == path[0]:
                return (o + 8, o + n) if len(path) == 1 else find(path[1:], o + 8, o + n)
            o += n
    trak = find(['moov', 'trak'], 0, len(b))
    def table(path, form):
        box = find(path, *trak)
        if not box: return []
        s = box[0]
        n = struct.unpack('>I', b[s+4:s+8])[0]
        size = struct.calcsize(form)
        return [struct.unpack(form, b[s+8+i*size:s+8+(i+1)*size]) for i in range(n)]
    stbl = ['mdia', 'minf', 'stbl']
    times, t = [], 0
    for n, d in table(stbl + ['stts'], '>II'):
        for _ in range(n): times.append(t); t += d
    offsets = [o for n, o in table(stbl + ['ctts'], '>Ii') for _ in range(n)]
    times = sorted(a + o for a, o in zip(times, offsets or [0] * len(times)))
    edits = [e for e in table(['edts', 'elst'], '>Iii')]
    duration, start, _ = edits[-1]
    lead = sum(e[0] for e in edits[:-1])
    ends = times[1:] + [t]
    seen = [a for a, z in zip(times, ends) if z > start and a < start + duration]
    print(*[lead + max(a - start, 0) for a in seen])
    """

  private func expectRotationAndAudio(_ output: String) throws {
    #expect(try Tool.probe(output, "stream_side_data=rotation") == ["-90"])
    #expect(try Tool.probe(output, "stream=width,height") == ["320,180"])
    func packets(_ path: String) throws -> [String] {
      try Tool.ffmpeg(
        "-ignore_editlist", "1", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "framemd5", "-"
      ).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }
    #expect(try packets(output) == packets(Self.editList))
    // The output's edit makes libavformat skip as much priming as the source's edit does.
    let first = try Tool.probe(output, "packet=pts_time", stream: "a:0").first
    #expect(first == (try Tool.probe(Self.editList, "packet=pts_time", stream: "a:0").first))
  }

  /// A copy keeps the frames and boxes of its source, even if the source states decoding times that
  /// are later than the times of presentation.
  @Test(
    arguments: ["hdr/androidx__dolbyVision-hdr.MOV", "hdr/androidx__sample_edit_list.mp4"]
      .shortened(to: 1))
  func copiedSamplesKeepPicturesAndBoxes(name: String) throws {
    let output = folder.path("copy.mov")
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path(name), output, "--set", "video.codec=passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le", ignoringEdits: true)
        == Tool.frameDigests(SharedMedia.path(name), format: "yuv420p10le", ignoringEdits: true))
    let (before, after) = (try HDRCheck.facts(SharedMedia.path(name)), try HDRCheck.facts(output))
    for key in ["fourcc", "vui", "colr", "amve", "dv", "aus", "rpu_aus"] {
      #expect("\(after[key] ?? "none")" == "\(before[key] ?? "none")", "\(key)")
    }
  }

  @Test func datesAndNamesStay() throws {
    let output = try transcode(Self.dolbyVision, "out.mov", preset: "hevc-hlg")
    for tag in [
      "com.apple.quicktime.model", "com.apple.quicktime.creationdate",
      "com.apple.quicktime.location.ISO6709", "creation_time",
    ] {
      let entry = "format_tags=\(tag)"
      let source = try Tool.probe(Self.dolbyVision, entry)
      #expect(!source.isEmpty)
      #expect(try Tool.probe(output, entry) == source, "\(tag)")
    }
  }

  @Test func hlgToSDRHasNoHDRLeft() throws {
    let output = try transcode(
      Self.dolbyVision, "out.mp4", preset: "h264-sdr", "video.width=320",
      "video.compressionProperties.speed=veryfast")
    let facts = try HDRCheck.facts(output)
    #expect(facts["fourcc"] as? String == "avc1")
    #expect(facts["vui"] as? [Int] == [1, 1, 1, 0])
    #expect(facts["colr"] as? [String] == ["nclx 1 1 1 0"])
    for key in ["amve", "dv", "mdcv", "clli"] { #expect(facts[key] is NSNull, "\(key)") }
    #expect((facts["sei_all"] as? [String: Any])?["148"] == nil)
    let probe = try Tool.probe(output, "stream=profile,pix_fmt,color_range,color_space")
    #expect(probe == ["High,yuv420p,tv,bt709"])
    let report = try Tool.run("mediainfo", [output]).output
    for word in ["HLG", "HDR", "Dolby", "BT.2020"] { #expect(!report.contains(word), "\(word)") }
  }

  @Test func theProgramsOwnReportAgrees() throws {
    let report = try BuiltCandela.run("inspect", Self.dolbyVision, "--json").json()
    let tracks = try #require(report["tracks"] as? [[String: Any]])
    #expect(tracks.count == 5)
    let video = try #require(tracks[0]["video"] as? [String: Any])
    #expect(tracks[0]["codec"] as? String == "hevc")
    #expect(tracks[0]["profile"] as? String == "Main 10")
    #expect(tracks[0]["sampleCount"] as? Int == 5)
    #expect(video["frameCount"] as? Int == 4)
    #expect((video["matrix"] as? [String: Any])?["rotation"] as? Int == 90)
    let color = try #require(video["color"] as? [String: Any])
    for place in ["container", "bitstream", "decoder", "resolved"] {
      let claim = try #require(color[place] as? [String: Any])
      let function = try #require(claim["transferFunction"] as? [String: Any])
      #expect(function["code"] as? Int == 18 && function["name"] as? String == "HLG")
    }
    let container = try #require(color["container"] as? [String: Any])
    #expect(container["range"] == nil)
    let text = try BuiltCandela.run("inspect", Self.dolbyVision)
    for words in ["profile 8.4, level 2", "314.0 lux", "4 presented", "BT.2020 (9)"] {
      #expect(text.output.contains(words), "\(words)")
    }
  }
}
