// SPDX-License-Identifier: GPL-2.0-or-later
import DolbyVision
import Foundation
import TestSupport
import Testing

/// A source's dynamic HDR metadata is found even if some of it is damaged or missing, or if the
/// record is wrong. Encodes never contain damaged metadata.
@Suite struct DoubtfulMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Making files

  /// Makes a byte stream of eight frames.
  ///
  /// - Parameter rpu: takes the number of a frame, and returns its RPU, if it has one.
  private func stream(
    transfer: Int, options: [String] = [], _ rpu: (Int) throws -> [UInt8]?
  ) throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(to: plain, transfer: transfer, options: options)
    let rpus = try (0..<8).map(rpu)
    var number = 0
    let bytes = ByteStream.append(to: try FileBytes.read(plain)) { _ in
      defer { number += 1 }
      return rpus[number].map { [[62 << 1, 1] + $0] } ?? []
    }
    return try folder.write(bytes, to: "rpus.hevc")
  }

  private func movie(_ stream: String, record: [UInt8]) throws -> String {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg("-f", "hevc", "-i", stream, "-c", "copy", "-tag:v", "hvc1", plain)
    return try folder.write(
      SyntheticMovie.insert(record, into: FileBytes.read(plain)), to: "source.mp4")
  }

  private func damaged(_ rpu: [UInt8]) -> [UInt8] {
    var rpu = rpu
    rpu[18] ^= 0xFF
    return rpu
  }

  private func run(
    _ source: String, preset: String, _ settings: String...
  ) throws -> (outcome: Tool.Outcome, output: String) {
    let output = folder.path("out.mp4")
    let changes = (settings + ["video.compressionProperties.speed=ultrafast"]).flatMap {
      ["--set", $0]
    }
    return (
      try BuiltCandela.run(
        ["transcode", source, output, "--preset", preset, "--overwrite"] + changes), output
    )
  }

  private func expectValid(_ path: String) throws {
    let verdict = try BuiltCandela.run("validate", path)
    #expect(verdict.status == 0, "\(verdict.output)")
  }

  // MARK: Profile 5

  /// If the first six RPUs are damaged or missing, their frames are reshaped by the seventh,
  /// whether or not there is a record. The run reports the loss.
  @Test(.needsSharedMedia, arguments: [true, false], [true, false])
  func lateRPUs(areMissing: Bool, hasRecord: Bool) throws {
    let rpu = try SharedMedia.rpu("profile5")
    let stream = try stream(transfer: 2) { number in
      number < 6 ? areMissing ? nil : damaged(rpu) : rpu
    }
    let record = SyntheticMovie.dolbyVision("dvcC", profile: 5, compatibility: 0)
    let source = hasRecord ? try movie(stream, record: record) : stream
    let notices = try BuiltCandela.run("plan", source, "--preset", "h264-sdr", "--json").notices()
    #expect(notices.arguments("baseLayerReshaped") != nil, "\(notices)")
    let outcome = try run(source, preset: "h264-sdr").outcome
    #expect(outcome.status == 2, "\(outcome.errors)")
  }

  /// Makes a byte stream of forty frames, of which the last four have an RPU.
  private func lateStream(transfer: Int) throws -> String {
    let rpu = try SharedMedia.rpu("profile5")
    let plain = try FileBytes.read(stream(transfer: transfer) { _ in nil })
    let end = try FileBytes.read(stream(transfer: transfer) { $0 < 4 ? nil : rpu })
    return try folder.write([plain, plain, plain, plain, end].flatMap { $0 }, to: "late.hevc")
  }

  /// If there is neither a record nor color tags, RPUs are found even if they come much later than
  /// the first frame.
  @Test(.needsSharedMedia, arguments: ["hevc", "ts", "mkv"].shortened(to: 2))
  func muchLaterRPUs(container: String) throws {
    let stream = try lateStream(transfer: 2)
    let source = folder.path("late.\(container)")
    if source != stream {
      let movie = folder.path("late.mp4")
      try Tool.ffmpeg("-f", "hevc", "-i", stream, "-c", "copy", movie)
      try Tool.ffmpeg("-i", movie, "-c", "copy", source)
    }
    let notices = try BuiltCandela.run("plan", source, "--preset", "h264-sdr", "--json").notices()
    #expect(notices.arguments("baseLayerReshaped") != nil, "\(notices)")
  }

  /// If RPUs of profile 5 are found only while frames are read, the source is refused, even if its
  /// color tags fit plain video.
  @Test(.needsSharedMedia) func framesThatWereNotExpectedToNeedReshaping() throws {
    let (outcome, output) = try run(lateStream(transfer: 16), preset: "h264-sdr")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("profile 5 from 1.44 s on"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// The same is true of every command that shows, compares or measures such frames. A still of an
  /// earlier frame is made.
  @Test(.needsSharedMedia) func framesThatWereNotExpectedToNeedReshapingElsewhere() throws {
    let (movie, output) = (folder.path("late.mp4"), folder.path("out.mov"))
    try Tool.ffmpeg(
      "-f", "hevc", "-i", lateStream(transfer: 16), "-c", "copy", "-tag:v", "hvc1", movie)
    for command in [
      ["still", movie, folder.path("late.png"), "--time", "1.52"], ["compare", movie, movie],
      ["transcode", movie, output, "--workers", "2"],
      [
        "transcode", movie, output, "--set", "video.codec=passthrough", "--set",
        "video.hdrMetadata.hdr10Plus=measure",
      ],
    ] {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65, "\(command): \(outcome.errors)")
      // For a still, no other frame is checked, so the error names the still's time.
      let time = command[0] == "still" ? "1.52" : "1.44"
      #expect(
        outcome.errors.contains("profile 5 from \(time) s on"), "\(command) \(outcome.errors)")
    }
    let early = try BuiltCandela.run("still", movie, folder.path("early.png"), "--time", "1.2")
    #expect(early.status == 0, "\(early.errors)")
  }

  /// If RPUs of another profile follow those of profile 5, the source is refused, because the
  /// frames from there on must not be reshaped.
  @Test(.needsSharedMedia) func framesThatAreNoLongerOfProfile5() throws {
    let (rpu, later) = try (SharedMedia.rpu("profile5"), SharedMedia.rpu("profile8"))
    let stream = try stream(transfer: 2) { $0 < 6 ? rpu : later }
    let record = SyntheticMovie.dolbyVision("dvcC", profile: 5, compatibility: 0)
    let source = try movie(stream, record: record)
    let still = try BuiltCandela.run("still", source, folder.path("a.png"), "--time", "0.28")
    for outcome in [still, try run(source, preset: "h264-sdr").outcome] {
      #expect(outcome.status == 65, "\(outcome.errors)")
      #expect(outcome.errors.contains("profile 5 up to 0.2"), "\(outcome.errors)")
    }
  }

  /// An RPU may refer to the mapping of an earlier one. A frame without an RPU is reshaped like the
  /// frame before it. Both hold for stills, too, which are decoded from the last sync sample on.
  @Test(.needsSharedMedia) func mappingsOfEarlierFrames() throws {
    let rpu = try SharedMedia.rpu("profile5")
    var unit = try ReferenceProcessingUnit(hevcNALUnit: [62 << 1, 1] + rpu)
    let id = try #require(unit.dataMapping).vdrRPUID
    let half = UInt32(1) << (unit.header.coefficientLog2Denom - 1)
    let flat = ReshapingCurve(
      predPivotValue: [0, 1023], pieces: [.polynomial([Coefficient(0, half), Coefficient()])])
    unit.mapping = .coded(DataMapping(vdrRPUID: id + 1, curves: [flat, flat, flat]))
    let gray = Array(try unit.hevcNALUnit().dropFirst(2))
    func reference(to id: UInt32) throws -> [UInt8] {
      unit.mapping = .previous(id: id)
      return Array(try unit.hevcNALUnit().dropFirst(2))
    }
    let rpus = try [rpu, rpu, rpu, rpu, gray, nil, reference(to: id), reference(to: id + 1)]
    let record = SyntheticMovie.dolbyVision("dvcC", profile: 5, compatibility: 0)
    let source = try movie(stream(transfer: 2) { rpus[$0] }, record: record)
    let (outcome, output) = try run(
      source, preset: "h264-sdr", #"video.compressionProperties={"lossless": true}"#)
    #expect(outcome.status == 2, "\(outcome.errors)")
    let frames = try Tool.pictures(output, format: "gray")
    let size = frames.count / rpus.count
    for (number, isGray) in [true, true, false, true].enumerated().map({ ($0 + 4, $1) }) {
      let still = folder.path("\(number).png")
      let made = try BuiltCandela.run("still", source, still, "--frame", "\(number)")
      #expect(made.status == 0, "\(made.errors)")
      for picture in [
        Array(frames[number * size..<(number + 1) * size]),
        try Tool.pictures(still, format: "gray"),
      ] {
        // The stored RPU makes these frames black.
        let brightest = picture.max() ?? 0
        #expect((brightest > 100) == isGray, "frame \(number): \(brightest)")
      }
    }
  }

  /// If no RPU can be used and nothing else says what the frames mean, the source is refused.
  @Test(.needsSharedMedia) func noRPUToReshapeBy() throws {
    let rpu = try SharedMedia.rpu("profile5")
    let stream = try stream(transfer: 2) { _ in damaged(rpu) }
    for command in [["plan", stream], ["still", stream, folder.path("a.png")]] {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65 && outcome.errors.contains("RPUs"), "\(outcome.errors)")
    }
  }

  /// Reshaped frames have the mastering display that their RPUs state. A conversion to HLG uses its
  /// peak, so no peak has to be assumed.
  @Test(.needsSharedMedia) func displayOfReshapedFrames() throws {
    let clip = SharedMedia.path("metadata/shaka-packager__426x240-dvh1.mp4")
    let pq = try BuiltCandela.run("plan", clip, "--preset", "hevc-pq")
    #expect(pq.output.contains("mastering display: 0.005…4000.0 cd/m²"), "\(pq.output)")
    let hlg = try BuiltCandela.run("plan", clip, "--preset", "hevc-hlg", "--json")
    #expect(try hlg.notices().arguments("peakLuminanceAssumed") == nil, "\(hlg.output)")
  }

  // MARK: Records

  /// Dolby Vision 8.1 is kept if the RPUs and the color tags agree on it, whatever the record says,
  /// and a notice names the record.
  @Test(
    .needsSharedMedia,
    arguments: [("dvcC", 5, 0), ("dvcC", 7, 6), ("dvvC", 8, 4), ("dvvC", 8, 2), ("dvwC", 99, 1)])
  func wrongRecords(box: String, profile: Int, compatibility: Int) throws {
    let rpu = try SharedMedia.rpu("profile8")
    let source = try movie(
      stream(transfer: 16) { _ in rpu },
      record: SyntheticMovie.dolbyVision(
        box, profile: profile, level: 1, compatibility: compatibility))
    let plan = try BuiltCandela.run("plan", source, "--preset", "hevc-pq", "--json")
    let notices = try plan.notices()
    #expect(notices.arguments("recordOfOtherProfile") != nil, "\(notices)")
    #expect(notices.arguments("metadataNotCarried") == nil, "\(notices)")
    #expect(notices.arguments("tagsNotOfBaseLayer") == nil, "\(notices)")
    let (outcome, output) = try run(source, preset: "hevc-pq")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try HDRCheck.facts(output)["dv"] as? String == "dvvC 8.1 L1")
  }

  /// A raw stream has no record, but its RPUs tell the profile.
  @Test(.needsSharedMedia, arguments: [("profile5", 2, "5"), ("profile8", 16, "8.1")])
  func profilesOfRawStreams(name: String, transfer: Int, profile: String) throws {
    let rpu = try SharedMedia.rpu(name)
    let stream = try stream(transfer: transfer) { _ in rpu }
    let shown = try BuiltCandela.run("metadata", "show", stream).output
    #expect(shown.contains("dolbyVision: 8 frames, profile \(profile)"), "\(shown)")
    let summary = try BuiltCandela.run("inspect", stream).output
    #expect(summary.contains("Dolby Vision \(profile)"), "\(summary)")
  }

  // MARK: HDR10+

  /// Makes a movie whose frames have HDR10+, and returns it with the places of the metadata.
  private func movieWithHDR10Plus() throws -> (file: [UInt8], places: [Int]) {
    let (outcome, output) = try run(
      BuiltCandela.sample(in: folder), preset: "hevc-pq", "video.hdrMetadata.hdr10Plus=measure")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let file = try FileBytes.read(output)
    let (data, message) = (Data(file), Data([0xB5, 0, 0x3C, 0, 1, 4]))
    var places: [Int] = []
    while let found = data.range(of: message, in: (places.last.map { $0 + 1 } ?? 0)..<data.count) {
      places.append(found.lowerBound)
    }
    return (file, places)
  }

  /// If the HDR10+ of a frame is damaged or has an unknown version, the output's frame has none,
  /// and the run reports the loss.
  @Test(arguments: [(6, UInt8(2)), (7, 0)]) func oneDamagedFrame(place: Int, byte: UInt8) throws {
    var (file, places) = try movieWithHDR10Plus()
    try #require(places.count > 4)
    file[places[3] + place] = byte
    let (outcome, output) = try run(folder.write(file, to: "damaged.mp4"), preset: "hevc-pq")
    #expect(outcome.status == 2, "\(outcome.errors)")
    try expectValid(output)
    let shown = try BuiltCandela.run("metadata", "show", output).output
    #expect(shown.contains("hdr10Plus: \(places.count - 1) frames"), "\(shown)")
  }

  /// If the HDR10+ of all frames is damaged, a notice says so, and new HDR10+ is measured.
  @Test func allFramesDamaged() throws {
    var (file, places) = try movieWithHDR10Plus()
    for place in places { file[place + 7] = 0 }
    let source = try folder.write(file, to: "damaged.mp4")
    let plan = try BuiltCandela.run("plan", source, "--preset", "hevc-pq")
    #expect(plan.output.contains("HDR10+: measured"), "\(plan.output)")
    let notices = try BuiltCandela.run("plan", source, "--preset", "hevc-pq", "--json").notices()
    #expect(notices.arguments("hdrMetadataUnreadable")?["metadata"] == "hdr10Plus", "\(notices)")
  }
}
