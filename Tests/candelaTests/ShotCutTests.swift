// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// The tone curve of a shot begins and ends exactly at the frame of a cut and nowhere else, no
/// matter where sync samples are.
@Suite(.takesLong) struct ShotCutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Luma in code values, as ffmpeg expressions: `dark` is a dark room, and `bright` shows other
  /// things, of which nearly half are bright.
  static let dark = "(100+mod(7*floor(X/16)+3*floor(Y/16),90))"
  static let bright = "(if(lt(Y,64),560+X/2,180+mod(X,90)))"

  /// Makes a lossless clip of PQ: a gray bar at the bottom that never changes, and the given luma
  /// above it.
  private func clip(
    _ luma: String, _ parameters: String, frames: Int, _ options: [String] = [],
    rate: String = "24", named name: String = "source.mp4"
  ) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "color=s=256x144:r=\(rate),format=yuv420p10le", "-frames:v",
        "\(frames)",
        "-vf", "geq=lum='if(gt(Y,128),560,\(luma))':cb=512:cr=512", "-c:v", "libx265", "-preset",
        "ultrafast", "-tag:v", "hvc1", "-x265-params",
        "log-level=none:lossless=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
          + "range=limited:scenecut=0:min-keyint=1:" + parameters,
      ] + options + [path])
    return path
  }

  /// Returns the luma of the gray bar in each frame of the output.
  private func grays(_ input: String, _ options: String...) throws -> [UInt8] {
    let (output, raw) = (folder.path("out.mp4"), folder.path("out.raw"))
    let settings = [
      "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}",
      "video.conversion.dither=none",
    ]
    let outcome = try BuiltCandela.transcode(
      [input, output, "--preset", "h264-sdr", "--overwrite"] + options
        + settings.flatMap { ["--set", $0] }
    ).outcome
    #expect(outcome.status == 0, "\(outcome.errors)")
    try Tool.ffmpeg(
      "-i", output, "-vf", "crop=2:2:64:136", "-vsync", "passthrough", "-pix_fmt", "gray", "-f",
      "rawvideo", raw)
    let bytes = try FileBytes.read(raw)
    return stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] }
  }

  /// Returns the frames at which the gray changes.
  private func changes(_ grays: [UInt8]) -> [Int] {
    grays.indices.dropFirst().filter { grays[$0] != grays[$0 - 1] }
  }

  /// A clip that shows a dark shot, a bright one and the dark one again. Its encoder does not look
  /// for cuts.
  struct Layout: Sendable, CustomTestStringConvertible {
    let parameters: String
    var syncs: [Int] = []
    let cuts: [Int]
    var frames = 96
    var rate = "24"
    var name = "source.mp4"
    var testDescription: String { "\(parameters), \(syncs), \(cuts), \(rate), \(name)" }
  }

  @Test(arguments: [
    Layout(parameters: "keyint=250", cuts: [31, 71]),
    Layout(parameters: "keyint=24:open-gop=1:bframes=4:b-adapt=0", cuts: [31, 69]),
    Layout(parameters: "keyint=24:open-gop=1:bframes=8:b-adapt=0:rc-lookahead=20", cuts: [31, 67]),
    Layout(parameters: "keyint=250", syncs: [48, 72, 84], cuts: [52, 80]),
    Layout(parameters: "keyint=250", syncs: [48, 66], cuts: [48, 66]),
    Layout(parameters: "keyint=250", syncs: [40, 48, 84], cuts: [48, 90]),
    Layout(parameters: "keyint=10", cuts: [20, 40]),
    Layout(parameters: "keyint=250", cuts: [204, 248], frames: 290),
    Layout(parameters: "keyint=1", cuts: [31, 71]),
    Layout(parameters: "keyint=1", cuts: [31, 71], name: "source.mkv"),
    Layout(parameters: "keyint=48:bframes=0", cuts: [51, 94]),
    Layout(parameters: "keyint=24", cuts: [31, 71], name: "source.hevc"),
    Layout(parameters: "keyint=24:radl=2:bframes=4", cuts: [31, 71], name: "source.hevc"),
    Layout(parameters: "keyint=24", cuts: [48, 72], rate: "30000/1001", name: "source.hevc"),
    Layout(parameters: "keyint=24", cuts: [2, 40], frames: 45),
  ])
  func cutsAreAtTheirFrames(layout: Layout) throws {
    let (first, second) = (layout.cuts[0], layout.cuts[1])
    let times = layout.syncs.map { "eq(n,\($0))" }.joined(separator: "+")
    let input = try clip(
      "if(between(N,\(first),\(second - 1)),\(Self.bright),\(Self.dark))", layout.parameters,
      frames: layout.frames, times.isEmpty ? [] : ["-force_key_frames", "expr:\(times)"],
      rate: layout.rate, named: layout.name)
    let grays = try grays(input)
    #expect(grays.count == layout.frames)
    #expect(changes(grays) == layout.cuts, "\(grays)")
  }

  /// The gray does not change if a light goes on in a room that is otherwise black, if there is an
  /// explosion of half a second in the middle of a group of frames, or if a single frame flashes.
  @Test(arguments: [
    ("if(between(N,40,69)*between(X,100,200)*lt(Y,100),840,64)", "keyint=24"),
    ("if(between(N,40,69)*between(X,100,200)*lt(Y,100),840,64)", "keyint=250"),
    ("if(between(N,40,52)*lt(Y,56),700+X/4,\(ShotCutTests.dark))", "keyint=250"),
    ("if(eq(N,40),900,\(ShotCutTests.dark))", "keyint=250"),
    ("if(eq(N,48),900,\(ShotCutTests.dark))", "keyint=24"),
  ])
  func whatIsNoCutMovesNothing(luma: String, parameters: String) throws {
    let grays = try grays(clip(luma, parameters + ":bframes=0", frames: 96))
    #expect(changes(grays) == [], "\(grays)")
  }

  /// A dissolve under a light that flickers by a fifth has no cut, so the gray never jumps.
  @Test func flickerInADissolveIsNoCut() throws {
    let share = "clip((N-40)/24,0,1)"
    let grays = try grays(
      clip(
        "\(Self.dark)*(1-\(share))+\(Self.bright)*\(share)"
          + "+28*(0.3+0.7*\(share))*sin(2*PI*N/3.125)",
        "keyint=250", frames: 96))
    let steps = zip(grays, grays.dropFirst()).map { abs(Int($0) - Int($1)) }
    #expect(steps.allSatisfy { $0 <= 1 }, "\(grays)")
  }

  /// Flashes of two frames beside a cut, and a strobe before a cut, do not hide the cut. Both shots
  /// have the same curves as without the flashes.
  @Test(arguments: [
    ("between(N,33,34)", 30, 33...34), ("between(N,26,27)", 30, 26...29),
    ("between(N,36,67)*lt(mod(N,4),2)", 68, 36...67),
  ])
  func cutsBesideFlashes(flash: String, cut: Int, unsettled: ClosedRange<Int>) throws {
    let shots = "if(lt(N,\(cut)),\(Self.dark),\(Self.bright))"
    let plain = try grays(clip(shots, "keyint=250", frames: 96))
    let flashes = try grays(clip("if(\(flash),900,\(shots))", "keyint=250", frames: 96))
    #expect(changes(plain) == [cut])
    for frame in 0..<96 where !unsettled.contains(frame) {
      #expect(flashes[frame] == plain[frame], "\(frame): \(flashes)")
    }
  }

  /// The plan of a damaged clip is the same each time, although several threads decode the damage.
  @Test func plansOfDamagedClipsAgree() throws {
    let input = try clip(
      "if(between(N,40,69),\(Self.bright),\(Self.dark))", "keyint=250", frames: 96)
    var bytes = try FileBytes.read(input)
    for index in bytes.count / 5..<bytes.count / 5 + 4000 { bytes[index] ^= 0x5A }
    let damaged = try folder.write(bytes, to: "damaged.mp4")
    let plans = try (0..<4).map { _ in
      try BuiltCandela.run(["plan", damaged, folder.path("o.mp4"), "-p", "h264-sdr", "--json"]).text
    }
    #expect(Set(plans).count == 1)
    #expect(plans.first?.contains("knee") ?? false, "\(plans.first ?? "")")
  }

  /// If each frame of a movement is shown two or three times, as in animation or in film at 60
  /// frames a second, the jumps between different frames are not taken for cuts, so the curve does
  /// not change at each jump. A real cut in such a clip still counts.
  @Test(arguments: ["floor(N/2)*2", "floor(N/3)*3", "floor(N*2/5)*5/2"])
  func repeatedFramesAreNoCuts(number: String) throws {
    let block = "(3*floor((X+9*\(number))/16)+5*floor(Y/16))"
    let (dark, bright) = ("100+mod(11*\(block),90)", "700+mod(13*\(block),100)")
    let share = "20+50*clip((\(number)-40)/16,0,1)"
    let moving = try grays(
      clip("if(lt(mod(7*\(block),90),\(share)),\(bright),\(dark))", "keyint=250", frames: 96))
    #expect(Set(moving).count <= 3, "\(moving)")
    let sunny = "if(lt(mod(X+3*\(number),128),64),180,860)"
    let cut = try grays(clip("if(lt(N,48),\(dark),\(sunny))", "keyint=250", frames: 96))
    #expect(changes(cut) == [48], "\(cut)")
  }

  /// A fade to white, whether of PQ's signal or of light, and a dissolve are not cuts: the curve
  /// does not jump, and it moves so slowly that nobody sees it.
  @Test(arguments: [
    "\(ShotCutTests.dark)+(940-\(ShotCutTests.dark))*clip((N-48)/24,0,1)",
    "\(ShotCutTests.dark)+(940-\(ShotCutTests.dark))*pow(clip((N-48)/48,0,1),0.3)",
    "\(ShotCutTests.dark)+(\(ShotCutTests.bright)-\(ShotCutTests.dark))*clip((N-48)/24,0,1)",
  ])
  func fadesDoNotJump(luma: String) throws {
    for parameters in ["keyint=24", "keyint=250"] {
      let grays = try grays(clip(luma, parameters, frames: 120))
      for (frames, most) in [(1, 2), (24, 6)] {
        let steps = zip(grays, grays.dropFirst(frames)).map { abs(Int($0) - Int($1)) }
        #expect(steps.max() ?? 9 <= most, "\(parameters): \(grays)")
      }
    }
  }

  /// If the mastering display states 4000 cd/m², but no frame comes near that, no code values are
  /// lost.
  @Test func peaksThatAreNotThereCostNothing() throws {
    func codes(_ parameters: String) throws -> Int {
      let input = try clip(
        "if(lt(Y,36),573+150*X/W,100+X)", "keyint=24" + parameters, frames: 3)
      _ = try grays(input)
      return try Set(
        Tool.picture(folder.path("out.mp4"), format: "gray", filter: "crop=256:2:0:8")
      ).count
    }
    let display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(40000000,50)"
    #expect(try codes(":master-display=\(display)") == codes(""))
  }
}
