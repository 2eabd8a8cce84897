// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Copies of AV1 contain only whole units (OBUs), whatever the source's packets contain. Metadata
/// is found wherever it is in a packet.
@Suite struct AV1CopiesTests {
  private let folder: TemporaryFolder
  private let ivf: IVF

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("source.ivf")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "libsvtav1", "-preset", "12",
      "-pix_fmt", "yuv420p10le", path)
    ivf = IVF(try FileBytes.read(path))
  }

  /// An IVF file. After its header come frames, each with a time and a temporal unit.
  private struct IVF {
    var header: [UInt8]
    var frames: [(time: Int, unit: [UInt8])] = []

    init(_ bytes: [UInt8]) {
      header = Array(bytes.prefix(32))
      var rest = bytes.dropFirst(32)
      while rest.count >= 12 {
        let start = rest.startIndex
        let size = Self.number(rest[start..<start + 4])
        let time = Self.number(rest[start + 4..<start + 12])
        frames.append((time, Array(rest.dropFirst(12).prefix(size))))
        rest = rest.dropFirst(12 + size)
      }
    }

    var bytes: [UInt8] {
      header
        + frames.flatMap { frame in
          Self.bytes(frame.unit.count, 4) + Self.bytes(frame.time, 8) + frame.unit
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  /// Writes an IVF file and copies it into a container of the given kind.
  private func copy(_ source: IVF, to kind: String) throws -> (Tool.Outcome, path: String) {
    let input = try folder.write(source.bytes, to: "input.ivf")
    let output = folder.path("out.\(kind)")
    return (
      try BuiltCandela.run("transcode", input, output, "--codec", "passthrough", "--overwrite"),
      output
    )
  }

  /// A damaged unit makes libavformat's muxers fail, so its packet is left out and counted.
  @Test(arguments: ["mp4", "mkv"]) func aDamagedPacketIsLeftOut(kind: String) throws {
    var source = ivf
    // The byte after the temporal delimiter begins the next unit. Its highest bit has to be 0.
    source.frames[3].unit[2] |= 0x80
    let (outcome, path) = try copy(source, to: kind)
    #expect(outcome.status == 2, "\(outcome.errors)")
    #expect(try Tool.probe(path, "packet=size").count == ivf.frames.count - 1)
    let stopped = try BuiltCandela.run(
      "transcode", folder.path("input.ivf"), folder.path("no.\(kind)"), "--codec", "passthrough",
      "--on-error", "stop")
    #expect(stopped.status == 65 && stopped.errors.contains("cannot be read"), "\(stopped.errors)")
  }

  /// Samples contain no temporal delimiters, so a packet with nothing but a delimiter becomes no
  /// sample.
  @Test(arguments: ["mp4", "mkv"]) func anEmptyTemporalUnitIsNoSample(kind: String) throws {
    var source = ivf
    source.frames.append((ivf.frames.count, [0x12, 0x00]))
    let (outcome, path) = try copy(source, to: kind)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(path, "packet=size").count == ivf.frames.count)
  }

  /// A metadata unit that states MaxCLL 500 and MaxFALL 200.
  private static let light: [UInt8] = [0x2A, 6, 1, 0x01, 0xF4, 0x00, 0xC8, 0x80]

  /// Metadata is found even if other, long metadata comes before it.
  @Test func retaggingFindsMetadataFarFromTheStart() throws {
    var source = ivf
    // 5003 bytes of ITU-T T.35 user data go between the sequence header and the frame.
    let long: [UInt8] =
      [0x2A, 0x8B, 0x27, 4, 0xB5] + [UInt8](repeating: 0, count: 5000) + [0x80]
    let place = 4 + Int(source.frames[0].unit[3])
    source.frames[0].unit.insert(contentsOf: long + Self.light, at: place)
    let (outcome, path) = try copy(source, to: "mp4")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let output = folder.path("retagged.mp4")
    let retagged = try BuiltCandela.run(
      "retag", path, output, "--color", "pq", "--content-light", "600,300")
    #expect(retagged.status == 0, "\(retagged.errors)")
    #expect(try FileBytes.read(output).firstRange(of: Self.light) == nil)
  }

  /// Finds the content of the last `av1C` in a movie.
  private static func configuration(_ bytes: Data) throws -> Range<Int> {
    let name = try #require(bytes.lastRange(of: Data("av1C".utf8)))
    let size = bytes[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    return name.upperBound..<name.lowerBound - 4 + size
  }

  /// Changes the configuration of a movie whose index comes last, and returns the result's path.
  private func configured(
    _ path: String, _ change: (inout [UInt8]) -> Void
  ) throws -> String {
    var bytes = Data(try FileBytes.read(path))
    let place = try Self.configuration(bytes)
    var content = [UInt8](bytes[place])
    change(&content)
    bytes.replaceSubrange(place, with: content)
    for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "av01", "av1C"] {
      let name = try #require(bytes.lastRange(of: Data(type.utf8)), "\(type)")
      let size = name.lowerBound - 4..<name.lowerBound
      let new = bytes[size].reduce(0) { $0 << 8 | Int($1) } + content.count - place.count
      bytes.replaceSubrange(size, with: IVF.bytes(new, 4).reversed())
    }
    return try folder.write(bytes, to: "source.mp4")
  }

  enum ConfigurationFault: String, CaseIterable {
    case profile, level, depth, chroma, cutOff, garbage, foreignUnit, otherHeader, noHeader

    func apply(to bytes: inout [UInt8]) {
      switch self {
      case .profile: bytes[1] ^= 0x20
      case .level: bytes[1] ^= 0x03
      case .depth: bytes[2] ^= 0x40
      case .chroma: bytes[2] ^= 0x04
      case .cutOff: bytes = Array(bytes.prefix(3))
      case .garbage: bytes = bytes.prefix(4) + [UInt8](repeating: 0xFF, count: 9)
      case .foreignUnit: bytes += [0x12, 0]
      // This changes the color range in the sequence header.
      case .otherHeader: bytes[bytes.count - 2] ^= 0x01
      case .noHeader: bytes = Array(bytes.prefix(4))
      }
    }
  }

  /// Players read the configuration first, so copies get one that agrees with the samples.
  @Test(arguments: ConfigurationFault.allCases)
  func aWrongConfigurationIsReplaced(fault: ConfigurationFault) throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg("-i", folder.path("source.ivf"), "-c", "copy", plain)
    let right = Data(try FileBytes.read(plain))
    let source = try configured(plain) { fault.apply(to: &$0) }
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("transcode", source, output, "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // The sequence header is optional in `av1C`.
    let isWrong = fault != .noHeader
    #expect(outcome.errors.contains("av1C") == isWrong, "\(outcome.errors)")
    let copy = Data(try FileBytes.read(output))
    #expect(try copy[Self.configuration(copy)] == right[Self.configuration(right)])
    let report = try ValidateTests.validate(source)
    #expect(report.having("fail").contains("configurationRecord") == isWrong)
  }

  /// Retagging corrects a wrong configuration before it changes tags. A copy into Matroska gets the
  /// right configuration, too.
  @Test func changesBeginWithTheRightConfiguration() throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg("-i", folder.path("source.ivf"), "-c", "copy", plain)
    let source = try configured(plain) { ConfigurationFault.depth.apply(to: &$0) }
    let (tagged, copy) = (folder.path("tagged.mp4"), folder.path("copy.mkv"))
    let outcome = try BuiltCandela.run("retag", source, tagged, "--color", "pq")
    #expect(outcome.status == 0 && outcome.errors.contains("av1C"), "\(outcome.errors)")
    let copied = try BuiltCandela.run("transcode", source, copy, "--codec", "passthrough")
    #expect(copied.status == 0 && copied.errors.contains("av1C"), "\(copied.errors)")
    for path in [tagged, copy] {
      let report = try ValidateTests.validate(path)
      #expect(report.evidence("configurationRecord") == "the same as in the sequence header")
    }
  }

  /// `validate` checks the configuration of each sample entry that samples use.
  @Test func theConfigurationOfASecondSampleEntryIsChecked() throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg("-i", folder.path("source.ivf"), "-c", "copy", plain)
    for isUsed in [false, true] {
      var bytes = Data(
        try SyntheticMovie.addSampleEntry(
          without: [], to: FileBytes.read(plain), isUsed: isUsed))
      // The last `av1C` is that of the second entry. Its third byte states the bit depth.
      let place = try Self.configuration(bytes).lowerBound + 2
      let right = try ValidateTests.validate(folder.write(bytes, to: "entries.mp4"))
      #expect(right.evidence("configurationRecord") == "the same as in the sequence header")
      bytes[place] ^= 0x40
      let wrong = try ValidateTests.validate(folder.write(bytes, to: "entries.mp4"))
      #expect(wrong.having("fail").contains("configurationRecord") == isUsed)
    }
  }

  /// A file may have several tracks of AV1. Each gets the right configuration.
  @Test func everyTrackGetsTheRightConfiguration() throws {
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-i", folder.path("source.ivf"), "-map", "0", "-map", "0", "-c", "copy", plain)
    // The second track's boxes come last.
    let source = try configured(plain) { ConfigurationFault.depth.apply(to: &$0) }
    let right = Data(try FileBytes.read(plain))
    let wanted = try right[Self.configuration(right)]
    for command in [
      ["transcode", source, folder.path("copy.mp4"), "--codec", "passthrough"],
      ["transcode", source, folder.path("copy.mkv"), "--codec", "passthrough"],
      ["cut", source, folder.path("cut.mp4"), "--to", "0.3"],
      ["retag", source, folder.path("tagged.mp4"), "--color", "pq"],
    ] {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 0 && outcome.errors.contains("av1C"), "\(outcome.errors)")
      let copy = Data(try FileBytes.read(command[2]))
      guard command[2].hasSuffix("mp4") else { continue }
      // The bit depth is the field that was wrong.
      #expect(
        try copy[Self.configuration(copy)].dropFirst(2).first == wanted.dropFirst(2).first,
        "\(command)")
    }
  }

  /// `av1C` can contain metadata, too. If the metadata of samples is replaced, the old metadata
  /// must not stay in `av1C`.
  @Test(arguments: ["600,300", "none"])
  func metadataInTheConfigurationIsReplaced(light: String) throws {
    let (plain, tagged) = (folder.path("plain.mp4"), folder.path("tagged.mp4"))
    // ffmpeg writes the index after the samples, so the index can grow.
    try Tool.ffmpeg("-i", folder.path("source.ivf"), "-c", "copy", plain)
    let outcome = try BuiltCandela.run("retag", plain, tagged, "--color", "pq")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try Tool.ffmpeg("-i", tagged, "-c", "copy", plain)
    let source = try configured(plain) { $0 += Self.light }
    let stated = try BuiltCandela.run("inspect", source)
    #expect(stated.output.contains("500"), "\(stated.output)\(stated.errors)")
    let output = folder.path("converted.mp4")
    let converted = try BuiltCandela.run("metadata", "convert", source, output, "--light", light)
    #expect(converted.status == 0, "\(converted.errors)")
    #expect(try FileBytes.read(output).firstRange(of: Self.light) == nil)
  }

  /// Decoders ignore units of reserved types, tile lists and zeros after the last unit. None of
  /// them is damage.
  @Test(arguments: [[0x4A, 2, 1, 0x80], [0x42, 4, 0, 0, 0, 0], [0, 0, 0, 0, 0]] as [[UInt8]])
  func unitsThatDecodersIgnoreAreNoDamage(unit: [UInt8]) throws {
    // libavformat's muxer drops some of these units. So another unit of the same length, which the
    // muxer keeps, holds their place at the end of each sample.
    let filler = [0x2A, UInt8(unit.count - 2)] + [UInt8](repeating: 0xE1, count: unit.count - 2)
    var source = ivf
    // The muxer would also copy a unit of the first sample into `av1C`.
    for index in source.frames.indices.dropFirst() { source.frames[index].unit += filler }
    let path = folder.path("units.mp4")
    try Tool.ffmpeg("-i", folder.write(source.bytes, to: "units.ivf"), "-c", "copy", path)
    var bytes = Data(try FileBytes.read(path))
    var count = 0
    while let place = bytes.range(of: Data(filler)) {
      bytes.replaceSubrange(place, with: Data(unit))
      count += 1
    }
    #expect(count == ivf.frames.count - 1)
    let outcome = try BuiltCandela.run(
      "transcode", folder.write([UInt8](bytes), to: "patched.mp4"), folder.path("out.mp4"), "-p",
      "h264-sdr", "--speed", "ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Decoders give metadata to the frame that follows it, so metadata after a frame is wrong.
  @Test func metadataAfterItsFrameIsAFault() throws {
    func faults(_ source: IVF) throws -> Set<String> {
      let path = folder.path("units.mp4")
      try Tool.ffmpeg("-y", "-i", folder.write(source.bytes, to: "units.ivf"), "-c", "copy", path)
      return try ValidateTests.validate(path).having("fail")
    }
    var (early, late, cut) = (ivf, ivf, ivf)
    let place = 4 + Int(ivf.frames[0].unit[3])
    early.frames[0].unit.insert(contentsOf: Self.light, at: place)
    late.frames[0].unit += Self.light
    // T.35 user data with Dolby's provider code, and with a container that ends before its RPU.
    let part: [UInt8] = [4, 0xB5, 0, 0x3B, 0, 0, 8, 0, 0x37, 0xCD, 0x08, 0x20, 0x80]
    cut.frames[0].unit.insert(contentsOf: [0x2A, UInt8(part.count)] + part, at: place)
    #expect(try !faults(early).contains("metadataUnits"))
    #expect(try faults(late).contains("metadataUnits"))
    let found = try faults(cut)
    #expect(found.contains("rpuChecksum") && !found.contains("metadataUnits"), "\(found)")
    // Now the byte 0x80, which ends the unit, is missing as well.
    cut.frames[0].unit[place + 1 + part.count] = 0x21
    #expect(try faults(cut).contains("metadataUnits"))
  }

  /// Without a table of sync samples, every sample counts as a sync sample. The frames tell where
  /// decoding can really begin.
  @Test func partsBeginAtKeyFrames() throws {
    let (plain, output) = (folder.path("plain.mp4"), folder.path("part.mp4"))
    try Tool.ffmpeg("-i", folder.path("source.ivf"), "-c", "copy", plain)
    var bytes = Data(try FileBytes.read(plain))
    let table = try #require(bytes.lastRange(of: Data("stss".utf8)))
    bytes.replaceSubrange(table, with: Data("free".utf8))
    let source = try folder.write(bytes, to: "source.mp4")
    let outcome = try BuiltCandela.run("cut", source, output, "--from", "0.2")
    #expect(outcome.status == 0, "\(outcome.errors)")
    // FFmpeg 5.1 also shows the last frame that the edit list hides.
    let frames = try Tool.frameDigests(output, format: "yuv420p10le").suffix(5)
    #expect(try frames == Tool.frameDigests(plain, format: "yuv420p10le").suffix(5))
  }

  /// If only Matroska's elements state light levels and a mastering display, a copy keeps both,
  /// even if the color is unknown.
  @Test func statementsOfMatroskaGoIntoBoxes() throws {
    let (plain, matroska) = (folder.path("plain.mp4"), folder.path("stated.mkv"))
    try Tool.ffmpeg("-i", folder.path("source.ivf"), "-c", "copy", plain)
    let boxes = [
      SyntheticMovie.box("clli", [0x03, 0xE8, 0x01, 0x90]),
      SyntheticMovie.box("mdcv", SyntheticMovie.masteringDisplay()),
    ]
    let bytes = try boxes.reduce(FileBytes.read(plain)) { try SyntheticMovie.insert($1, into: $0) }
    try Tool.ffmpeg("-i", folder.write(bytes, to: "stated.mp4"), "-c", "copy", matroska)
    let output = folder.path("out.mp4")
    let outcome = try BuiltCandela.run("transcode", matroska, output, "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let facts = try BuiltCandela.run("inspect", output).output
    #expect(facts.contains("MaxCLL 1000, MaxFALL 400 cd/m² (clli box"), "\(facts)")
    #expect(facts.contains("(mdcv box"), "\(facts)")
  }

  /// Frames of Dolby Vision 10.0 mean nothing without their RPUs, so their sample entry is `dav1`.
  /// Encoding reshapes them by the RPUs. A copy keeps `dav1`, so players without Dolby Vision do
  /// not show them.
  @Test(.needsSharedMedia) func framesForDolbyVisionAloneAreReadAndCopied() throws {
    var source = ivf
    source.frames = [ivf.frames[0]]
    let userData = [0xB5] + (try SharedMedia.bytes("metadata/rpu/av1/p5-01.bin"))
    let content = [4] + userData + [0x80]
    let size = [UInt8(content.count & 0x7F | 0x80), UInt8(content.count >> 7)]
    let place = 4 + Int(source.frames[0].unit[3])
    source.frames[0].unit.insert(contentsOf: [0x2A] + size + content, at: place)
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-i", folder.write(source.bytes, to: "rpu.ivf"), "-c", "copy", plain)
    let record = SyntheticMovie.dolbyVision("dvvC", profile: 10, compatibility: 0)
    let movie = try folder.write(
      SyntheticMovie.insert(record, into: FileBytes.read(plain), format: "dav1"), to: "dav1.mp4")
    let plan = try BuiltCandela.run("plan", movie, "--json")
    #expect(plan.status == 0, "\(plan.errors)")
    let name = try plan.notices().arguments("baseLayerReshaped")?["dolbyVision"]
    #expect(name?.contains("10.0") == true, "\(plan.output)")
    let copy = folder.path("copy.mp4")
    let outcome = try BuiltCandela.run("transcode", movie, copy, "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try ValidateTests.validate(copy).evidence("sampleEntry") == "dav1")
    #expect(try FileBytes.read(copy).firstRange(of: Array("av01".utf8)) == nil)
    // WebM has no record that would keep other players from showing the frames.
    for options in [[], ["--set", "video.compressionProperties.hdrMetadataInsertionMode=none"]] {
      let webm = try BuiltCandela.run(
        ["transcode", movie, folder.path("copy.webm"), "--codec", "passthrough"] + options)
      #expect(webm.status == 65, "\(webm.errors)")
    }
    let wrong = try folder.write(
      SyntheticMovie.insert(record, into: FileBytes.read(plain)), to: "av01.mp4")
    #expect(try ValidateTests.validate(wrong).having("fail").contains("sampleEntry"))
  }

  /// If a plan of a copy gets no output name, it chooses a container that can store AV1.
  @Test func aPlanChoosesAContainerForTheCopy() throws {
    let outcome = try BuiltCandela.run(
      "plan", folder.path("source.ivf"), "--codec", "passthrough")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(".mp4"), "\(outcome.output)")
  }

  /// Some programs write the number of frames into IVF's header, where libavformat expects ticks.
  @Test func lengthsInFramesAreNotTicks() throws {
    var source = ivf
    source.header.replaceSubrange(16..<20, with: IVF.bytes(25 * 512, 4))
    source.header.replaceSubrange(24..<28, with: IVF.bytes(ivf.frames.count, 4))
    source.frames = ivf.frames.map { ($0.time * 512, $0.unit) }
    let input = try folder.write(source.bytes, to: "ticks.ivf")
    #expect(try BuiltCandela.run("inspect", input).output.contains("0.4 s, 25.0 frames/s"))
    let output = folder.path("part.mp4")
    let outcome = try BuiltCandela.run("cut", input, output, "--from", "0.2")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
