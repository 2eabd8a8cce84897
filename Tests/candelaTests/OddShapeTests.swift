// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Unusual statements about the shape of frames do no harm: meaningless clean apertures, boxes that
/// only QuickTime has, and stereo video that is not MV-HEVC.
@Suite struct OddShapeTests {
  private let folder: TemporaryFolder
  private let movie: String

  /// Makes H.264 of 128×96. The index comes after the samples, so boxes in it can grow.
  init() throws {
    folder = try TemporaryFolder()
    movie = folder.path("plain.mov")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=0.08", "-c:v", "libx264", "-preset",
      "ultrafast", "-pix_fmt", "yuv420p", movie)
  }

  /// Returns the movie with `box` added at the end of the last of `parents`, which are nested in
  /// each other, outermost first.
  private func movie(_ name: String, adding box: [UInt8], to parents: [String]) throws -> String {
    var data = try Data(contentsOf: URL(fileURLWithPath: movie))
    let places = try parents.map { type in
      try #require(data.range(of: Data(type.utf8), options: .backwards)).lowerBound - 4
    }
    func size(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let end = try #require(places.last) + size(try #require(places.last))
    for place in places {
      let bytes = UInt32(size(place) + box.count).bigEndian
      withUnsafeBytes(of: bytes) { data.replaceSubrange(place..<place + 4, with: $0) }
    }
    data.insert(contentsOf: box, at: end)
    let path = folder.path(name)
    try data.write(to: URL(fileURLWithPath: path))
    return path
  }

  private static let sampleEntry = ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"]

  private func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let size = UInt32(8 + payload.count)
    return (0..<4).map { UInt8(size >> (24 - 8 * $0) & 255) } + Array(type.utf8) + payload
  }

  private func clap(_ numbers: [Int32]) -> [UInt8] {
    box(
      "clap", numbers.flatMap { n in (0..<4).map { UInt8(truncatingIfNeeded: n >> (24 - 8 * $0)) } }
    )
  }

  private func transcode(
    _ input: String, _ name: String, _ preset: String, _ changes: String...
  ) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path(name)
    let set = (changes + ["video.compressionProperties.speed=ultrafast"]).flatMap { ["--set", $0] }
    let result = try BuiltCandela.transcode([input, output, "--preset", preset] + set)
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  private func holds(_ type: String, _ path: String) throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(type.utf8)) != nil
  }

  /// Stills show what players show.
  @Test func stillsAreOfTheCleanAperture() throws {
    let input = try movie(
      "clap.mov", adding: clap([100, 1, 80, 1, 0, 1, 0, 1]), to: Self.sampleEntry)
    let path = folder.path("clap.png")
    let outcome = try BuiltCandela.run("still", input, path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(path, "stream=width,height") == ["100,80"])
    let whole = folder.path("whole.png")
    #expect(try BuiltCandela.run("still", movie, whole).status == 0)
    // At the edges, chroma has other neighbors, so the edges are not compared.
    #expect(
      try Tool.picture(path, format: "rgb24", filter: "crop=92:72:4:4")
        == Tool.picture(whole, format: "rgb24", filter: "crop=92:72:18:12"))
  }

  /// Apertures with a denominator of 0, with a negative side or without any sample of the frame are
  /// named and left out.
  @Test(
    arguments: ([
      [100, 0, 80, 1, 0, 1, 0, 1], [-100, 1, 80, 1, 0, 1, 0, 1], [100, 1, 80, 1, 5, -1, 0, 1],
      [100, 1, 80, 1, 1000, 1, 0, 1], [1, 1000, 1, 1000, 0, 1, 0, 1],
    ] as [[Int32]]).shortened(to: 2))
  func aperturesWithoutAMeaningAreNamed(numbers: [Int32]) throws {
    let input = try movie("odd.mov", adding: clap(numbers), to: Self.sampleEntry)
    let codes: Set = ["apertureUnreadable", "apertureOutside"]
    let shown = try BuiltCandela.run("inspect", input, "--json").notices()
    #expect(!shown.codes.isDisjoint(with: codes))
    let verdict = try BuiltCandela.run("validate", input)
    #expect(verdict.status == 1 && verdict.output.contains("FAIL  clean aperture"))
    for preset in ["h264-sdr", "hevc-match-source"] {
      let (path, notices) = try transcode(input, "\(preset).mov", preset)
      #expect(!notices.codes.isDisjoint(with: codes), "\(notices)")
      #expect(try Tool.probe(path, "stream=width,height") == ["128,96"])
      #expect(try !holds("clap", path))
    }
  }

  /// If an aperture reaches beyond the frame, the part inside is kept.
  @Test func aperturesBeyondThePictureAreCut() throws {
    let input = try movie(
      "wide.mov", adding: clap([100, 1, 80, 1, 40, 1, 0, 1]), to: Self.sampleEntry)
    let verdict = try BuiltCandela.run("validate", input)
    #expect(verdict.status == 0 && verdict.output.contains("reaches beyond the frames"))
    let (path, _) = try transcode(input, "kept.mov", "hevc-match-source")
    let shown = try BuiltCandela.run("inspect", path).output
    #expect(shown.contains("clean aperture 74×80, its center moved by 27, 0"), "\(shown)")
  }

  /// If frames have to be cropped to the clean aperture, a composition that does not crop begins
  /// with that crop. A composition that only paints over the frame keeps the aperture.
  @Test func compositionsKnowTheCleanAperture() throws {
    let input = try movie(
      "part.mov", adding: clap([100, 1, 80, 1, 2, 1, 0, 1]), to: Self.sampleEntry)
    let pad = #"video.composition={"pad": {"width": 160, "height": 96}}"#
    let (cut, notices) = try transcode(input, "cut.mp4", "h264-sdr", pad)
    #expect(notices.arguments("croppedToCleanAperture")?["aperture"]?.hasPrefix("100×80") == true)
    #expect(try Tool.probe(cut, "stream=width,height") == ["160,96"])
    let black = try Tool.picture(cut, format: "gray", filter: "crop=30:96:0:0")
    #expect(!black.isEmpty && black.allSatisfy { $0 < 20 })
    let logo = folder.path("logo.png")
    try Tool.ffmpeg("-f", "lavfi", "-i", "color=red:s=16x16:d=0.04", "-frames:v", "1", logo)
    let overlay = #"video.composition={"overlay": {"file": "\#(logo)", "x": 20, "y": 20}}"#
    let (kept, _) = try transcode(input, "kept.mov", "hevc-match-source", overlay)
    #expect(try BuiltCandela.run("inspect", kept).output.contains("clean aperture 100×80"))
    let own = #"video.composition={"crop": {"x": 0, "y": 0, "width": 64, "height": 64}}"#
    let (_, others) = try transcode(input, "own.mp4", "h264-sdr", own)
    #expect(others.codes.contains("apertureNotCarried"), "\(others)")
  }

  /// QuickTime's track apertures (`tapt`) are copied along with the samples.
  @Test func trackAperturesAreCopied() throws {
    let sizes = ["clef", "prof", "enof"].flatMap {
      box($0, [0, 0, 0, 0, 0, 140, 0, 0, 0, 96, 0, 0])
    }
    let input = try movie("tapt.mov", adding: box("tapt", sizes), to: ["moov", "trak"])
    let (path, _) = try transcode(input, "copy.mov", "h264-sdr", "video.codec=passthrough")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(data.range(of: Data(box("tapt", sizes))) != nil)
  }

  /// Mode 0 of `st3d` means plain video; the other modes mean stereo video.
  @Test(arguments: [(UInt8(0), "one layer"), (1, "frame packed"), (2, "frame packed")])
  func stereoModes(mode: UInt8, kind: String) throws {
    let input = try movie(
      "st3d.mov", adding: box("st3d", [0, 0, 0, 0, mode]), to: Self.sampleEntry)
    #expect(try BuiltCandela.run("inspect", input).output.contains("\(kind) (st3d)"))
  }

  /// If only an H.264 message or a Matroska element says that video is stereo, a notice says that
  /// this is lost.
  @Test func otherWordsForTwoEyesAreNamed() throws {
    let packed = folder.path("packed.mov")
    try Tool.ffmpeg(
      "-i", movie, "-c:v", "libx264", "-x264-params", "frame-packing=3", packed)
    let matroska = folder.path("stereo.mkv")
    try Tool.ffmpeg(
      "-i", movie, "-c", "copy", "-metadata:s:v:0", "stereo_mode=left_right", matroska)
    for (input, place) in [(packed, "SEI 45"), (matroska, "StereoMode")] {
      #expect(try BuiltCandela.run("inspect", input).output.contains("frame packed (\(place))"))
      let plan = try BuiltCandela.run("plan", input, "--preset", "h264-sdr", "--json").notices()
      #expect(plan.arguments("spatialVideoNotCarried") == ["places": place], "\(plan)")
    }
  }

  /// If a box and the bitstream disagree about the shape of pixels, a notice says so.
  @Test func shapesThatContradictAreNamed() throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: movie))
    let place = try #require(data.range(of: Data("pasp".utf8), options: .backwards)).upperBound
    data.replaceSubrange(place..<place + 8, with: [0, 0, 0, 59, 0, 0, 0, 54])
    let path = folder.path("shapes.mov")
    try data.write(to: URL(fileURLWithPath: path))
    let plan = try BuiltCandela.run("plan", path, "--preset", "h264-sdr", "--json").notices()
    #expect(
      plan.arguments("pixelAspectRatioConflict") == ["container": "59:54", "bitstream": "1:1"],
      "\(plan)")
  }

  /// Fields without a stated order are reported, because nobody knows which to show first.
  @Test(arguments: [UInt8(0), 5]) func fieldsWithoutTheirOrderAreTold(detail: UInt8) throws {
    let path = try movie("fields.mov", adding: box("fiel", [2, detail]), to: Self.sampleEntry)
    #expect(try BuiltCandela.run("inspect", path).output.contains("not which is first"))
    let (_, notices) = try transcode(path, "out.mov", "h264-sdr")
    #expect(notices.codes.contains("fieldOrderUnstated"), "\(notices)")
    let (_, others) = try transcode(movie, "other.mov", "h264-sdr")
    #expect(!others.codes.contains("fieldOrderUnstated"))
  }

  /// Metadata is carried over, but a track that is nested in it is left out.
  @Test func tracksWithinMetadataAreNotCarried() throws {
    let nested = box("udta", box("trak", box("mdia", [])) + box("name", Array("clip".utf8)))
    let path = try movie("nested.mov", adding: nested, to: ["moov"])
    let (output, _) = try transcode(path, "out.mov", "h264-sdr")
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    #expect(data.range(of: Data(box("name", Array("clip".utf8)))) != nil)
    let reading = try Tool.run("ffprobe", ["-v", "error", "-show_streams", output])
    #expect(reading.errors.isEmpty, "\(reading.errors)")
  }
}
