// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Each shot gets a tone curve that fits its light.
@Suite struct ShotTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a lossless PQ clip that states a peak of 1000 cd/m². Luma is given in 10-bit code
  /// values.
  private func clip(
    _ luma: String, _ parameters: String = "", seconds: Int = 2
  ) throws -> String {
    let path = folder.path("source.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=s=256x144:r=25:d=\(seconds),format=yuv420p10le", "-vf",
      "geq=lum='\(luma)':cb=512:cr=512", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v",
      "hvc1", "-x265-params",
      "log-level=none:lossless=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
        + "range=limited:max-cll=1000,400:open-gop=0:scenecut=0:keyint=25" + parameters, path)
    return path
  }

  private func transcode(_ input: String, _ changes: String...) throws -> String {
    let output = folder.path("out-\(folder.names.count).mp4")
    let all =
      [
        "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}",
        "video.conversion.dither=none",
      ] + changes
    let outcome = try BuiltCandela.transcode(
      [input, output, "--preset", "h264-sdr"] + all.flatMap { ["--set", $0] }
    ).outcome
    #expect(outcome.status == 0, "\(outcome.errors)")
    return output
  }

  private func shots(_ input: String, _ changes: String...) throws -> [[String: Any]] {
    let outcome = try BuiltCandela.run(
      ["plan", input, "--json", "--preset", "h264-sdr"] + changes.flatMap { ["--set", $0] })
    let video = try #require(outcome.json()["video"] as? [String: Any])
    let encoding = try #require(video["encoding"] as? [String: Any])
    return try #require(encoding["shots"] as? [[String: Any]])
  }

  /// A dark shot and a half-bright one get two curves, and the curve changes at the frame of the
  /// cut.
  @Test func shotsHaveCurvesOfTheirOwn() throws {
    let input = try clip("if(lt(N,25),100+X,if(lt(X,W/2),150+X,620+Y))")
    let found = try shots(input)
    // Starts are times in the media timeline, which begins with the encoder's delay.
    let starts = found.compactMap { $0["start"] as? Double }
    #expect(starts.count == 2 && starts[0] == 0 && (1...1.1).contains(starts[1]), "\(found)")
    let knees = found.compactMap { ($0["knees"] as? [Double])?.first }
    #expect(knees.count == 2 && knees[0] > knees[1] + 5, "\(found)")
    let text = try BuiltCandela.run("plan", input, "--preset", "h264-sdr").output
    #expect(text.contains("shot       from 1.0"), "\(text)")
    // In a dark shot, all light is below the knee of either curve.
    let (fitted, fixed) = (
      try transcode(input), try transcode(input, "video.conversion.shots=off")
    )
    let digests = try [fitted, fixed].map { try Tool.frameDigests($0, format: "yuv420p") }
    let same = zip(digests[0], digests[1]).map { $0 == $1 }
    #expect(same == (0..<50).map { $0 < 25 })
    let spline = try transcode(input, "video.conversion.toneMapping=spline")
    #expect(try Tool.frameDigests(spline, format: "yuv420p") == digests[1])
    let peak = try transcode(input, "video.conversion.sourcePeak=1000")
    #expect(try Tool.frameDigests(peak, format: "yuv420p") == digests[1])
  }

  /// Shots are found even where sync samples do not show them: between two sync samples that look
  /// alike, and after the last one, even if that one is black.
  @Test(arguments: [":keyint=90", ":keyint=250"].shortened(to: 1))
  func shotsBetweenSyncSamples(parameters: String) throws {
    let input = try clip(
      "if(lt(N,20),64,if(between(N,60,79)+gte(N,130),if(lt(X,W/2),150+X,620+Y),100+X))",
      parameters + ":scenecut=0:bframes=0", seconds: 6)
    let found = try shots(input)
    let knees = found.compactMap { ($0["knees"] as? [Double])?.first }
    #expect(knees.count == 4 && knees[0] == knees[2] && knees[1] == knees[3], "\(found)")
    #expect(knees[0] > knees[1] + 5, "\(found)")
    let starts = found.compactMap { $0["start"] as? Double }
    #expect(starts == [0, 2.4, 3.2, 5.2], "\(found)")
  }

  /// Segments get the same curves as a single process, because the job stores them. Here, the cut
  /// is not at the beginning of a segment, and the frames get brighter across the beginning of
  /// another segment.
  @Test func segmentsHaveTheSameCurves() throws {
    let input = try clip(
      "if(lt(N,80),100+X,if(lt(X,W/2),150+X,560+min((N-80)/2,75)+Y))", seconds: 11)
    let outputs = try ["1", "2"].map { workers in
      let output = folder.path("workers-\(workers).mp4")
      let outcome = try BuiltCandela.run([
        "transcode", input, output, "--workers", workers, "--preset", "h264-sdr", "--set",
        "video.compressionProperties={\"lossless\": true, \"maxKeyFrameInterval\": 60, "
          + "\"speed\": \"ultrafast\"}", "--report", folder.path("\(workers).json"),
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return output
    }
    let report = try JSONSerialization.jsonObject(with: Data(FileBytes.read(folder.path("2.json"))))
    let segments = (report as? [String: Any])?["segments"] as? [String: Any]
    #expect(segments?["count"] as? Int ?? 0 >= 2, "\(report)")
    #expect(try shots(input).count == 2)
    #expect(
      try Tool.frameDigests(outputs[0], format: "yuv420p")
        == Tool.frameDigests(outputs[1], format: "yuv420p"))
  }

  /// If a source has light above its stated peak, here from 1000 to 4000 cd/m², differences in that
  /// light stay visible. A single curve for the stated peak would map all of that light to nearly
  /// the same code value.
  @Test func aStatedPeakIsExceeded() throws {
    let input = try clip("if(lt(Y,H*0.9),80+2*X,723+132*X/W)")
    func codes(_ path: String) throws -> Int {
      let rows = try Tool.picture(path, format: "gray", filter: "crop=256:2:0:140")
      return Set(rows.prefix(256)).count
    }
    #expect(try codes(transcode(input)) >= 4)
    #expect(try codes(transcode(input, "video.conversion.shots=off")) <= 2)
  }

  /// If a lamp of 4000 cd/m² is lit in a still scene, nothing else in the frame changes.
  @Test(arguments: ["", ":keyint=12"].shortened(to: 1))
  func aLampMovesNothing(parameters: String) throws {
    let input = try clip(
      "if(gte(N,26)*between(X,20,70)*between(Y,20,60),850,100+2*X)", parameters)
    let output = try transcode(input)
    let digests = try Tool.frameDigests(
      output, format: "yuv420p", filter: "crop=160:144:96:0")
    #expect(Set(digests).count == 1)
  }

  /// If a window that takes more than a third of the frame is lit, nothing else changes either.
  @Test(arguments: ["", ":keyint=12"].shortened(to: 1))
  func aLitWindowMovesNothing(parameters: String) throws {
    let input = try clip("if(gte(N,26)*lt(X,96),850,200+X)", parameters)
    let output = try transcode(input)
    let digests = try Tool.frameDigests(
      output, format: "yuv420p", filter: "crop=144:144:112:0")
    #expect(Set(digests).count == 1)
  }

  /// In a quarter of the frame, light rises from 203 to 1000 cd/m² (code values of PQ from 573 to
  /// 723), and its steps stay visible.
  @Test func highlightsOfABrightPictureStayApart() throws {
    let input = try clip("if(lt(Y,H*0.75),100+2*X,573+150*X/W)")
    let output = try transcode(input)
    let rows = try Tool.picture(output, format: "gray", filter: "crop=256:2:0:140")
    #expect(Set(rows.prefix(256)).count >= 40)
  }

  /// If nothing is brighter than diffuse white, as in HDR made from SDR, white becomes SDR's white.
  @Test func whiteOfSDRComesBack() throws {
    let input = try clip("if(lt(X,W/2),200+Y,573)")
    let picture = try Tool.picture(transcode(input), format: "gray", filter: "crop=64:64:160:40")
    #expect(picture.allSatisfy { $0 >= 234 })
  }

  /// Captions are not highlights: in a frame with a lamp, the curve's knee is nearly the same with
  /// and without captions.
  @Test func whiteOfCaptionsIsNoHighlight() throws {
    let knees = try ["100+Y", "if(lt(X,W/2),100+Y,573)"].map { rest in
      let found = try shots(clip("if(lt(X,4)*lt(Y,4),700,\(rest))"))
      return try #require((found.first?["knees"] as? [Double])?.first)
    }
    #expect(abs(knees[0] - knees[1]) < 3, "\(knees)")
  }

  /// If HDR10+ states a peak of 4000 cd/m² for darker frames, the curve is made for that peak. If
  /// the HDR10+ message is cut off, it is ignored. Then the peak is diffuse white, because these
  /// frames have nothing above white.
  @Test(arguments: [(0, 4000.0), (8, 203)])
  func hintsOfHDR10Plus(missingBytes: Int, peak: Double) throws {
    let stream = folder.path("source.hevc")
    try Tool.ffmpeg("-i", try clip("100+X"), "-c", "copy", "-f", "hevc", stream)
    let hinted = try folder.write(
      inserting(hdr10Plus(missingBytes), beforePicturesOf: FileBytes.read(stream)), to: "h.hevc")
    let input = folder.path("hinted.mp4")
    try Tool.ffmpeg("-i", hinted, "-c", "copy", "-tag:v", "hvc1", input)
    #expect(try shots(input).compactMap { $0["peak"] as? Double } == [peak])
  }

  /// SDR white that becomes HLG and then SDR again stays white, even beside vivid colors. Next to
  /// the edges of such colors, HLG has components above white.
  @Test func whiteComesBackBesideVividColors() throws {
    let (source, hdr) = (folder.path("sdr.mp4"), folder.path("hdr.mp4"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "rgbtestsrc=complement=1:s=320x180:r=25:d=0.2,format=gbrp", "-vf",
      "drawbox=w=160:color=white:t=fill,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
      "-c:v", "libx264", "-qp", "0", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-colorspace", "bt709", "-color_range", "tv", source)
    let lossless = "video.compressionProperties={\"lossless\": true, \"speed\": \"ultrafast\"}"
    let outcome = try BuiltCandela.transcode(
      [source, hdr, "--preset", "hevc-hlg", "--set", lossless]
    ).outcome
    #expect(outcome.status == 0, "\(outcome.errors)")
    let output = try transcode(hdr)
    let luma = try Tool.picture(output, format: "yuv420p", filter: "crop=144:180:0:0")
    #expect(Set(luma.prefix(144 * 180)) == [235])
  }

  /// Returns a prefix SEI unit with HDR10+ of one window, in which no two bytes in a row are 0.
  private func hdr10Plus(_ missingBytes: Int) -> [UInt8] {
    // The number of windows, the targeted display's peak, no peaks for parts of that display,
    // maxscl, the average, a percentile, the share of bright pixels, no peaks of the mastering
    // display, no tone curve, and a weight of saturation.
    let fields = [
      (1, 2), (0x7FF_FFFF, 27), (0, 1), (30_001, 17), (40_000, 17), (20_001, 17), (0x1_FFFF, 17),
      (1, 4), (99, 7), (40_000, 17), (500, 10), (0, 1), (0, 1), (1, 1), (63, 6),
    ]
    var bits = fields.map { value, count in
      let digits = String(value, radix: 2)
      return String(repeating: "0", count: count - digits.count) + digits
    }.joined()
    bits += String(repeating: "1", count: 7)
    let bytes = stride(from: 0, to: bits.count - 7, by: 8).compactMap { start in
      UInt8(bits.dropFirst(start).prefix(8), radix: 2)
    }
    let message: [UInt8] = [0xB5, 0, 0x3C, 0, 1, 4, 1] + bytes.dropLast(missingBytes)
    return [0, 0, 0, 1, 0x4E, 1, 4, UInt8(message.count)] + message + [0x80]
  }

  /// Returns an HEVC byte stream with a unit inserted before each frame at which decoding can
  /// start.
  private func inserting(_ unit: [UInt8], beforePicturesOf stream: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for index in stream.indices {
      // IDR_W_RADL, IDR_N_LP and CRA_NUT.
      if stream[index...].starts(with: [0, 0, 1]), index + 3 < stream.count,
        [19, 20, 21].contains(stream[index + 3] >> 1)
      {
        result += unit
      }
      result.append(stream[index])
    }
    return result
  }
}
