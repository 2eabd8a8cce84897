// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import LibAV
import MediaCore
import TestSupport
import Testing

/// The demuxer reads back what the muxer writes.
@Suite struct MuxerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Copies all tracks of a file.
  private func copy(_ path: String, _ container: FileType) throws -> (String, Muxer) {
    let output = folder.path("out.\(container.rawValue)")
    let demuxer = try Demuxer(path: path)
    let muxer = try Muxer(path: output, container: container)
    for track in demuxer.tracks { _ = try muxer.addTrack(copying: track) }
    try muxer.writeHeader(movieTimescale: 600, videoTimescale: 600)
    var packets = DemuxedPackets(demuxer)
    while let packet = try packets.next() {
      try muxer.write(packet, toTrack: packet.trackIndex)
    }
    try muxer.finish()
    return (output, muxer)
  }

  @Test(arguments: [FileType.mov, .mp4])
  func copiedTracksAreReadBack(container: FileType) throws {
    let clip = try Clip.movie()
    let (output, muxer) = try copy(clip.path, container)
    let (before, after) = (try Demuxer(path: clip.path), try Demuxer(path: output))
    #expect(after.tracks.map(\.kind) == before.tracks.map(\.kind))
    #expect(after.tracks.map(\.codec.codecName) == ["hevc", "aac"])
    // With `hvc1`, the muxer of FFmpeg 7.1 marks the arrays of parameter sets as complete.
    let stored = before.tracks[0].codec.extradata
    let isOld = Tool.libavcodec < (61, 0)
    #expect(after.tracks[0].codec.extradata == (isOld ? stored : completed(stored)))
    for index in 0..<2 {
      let old = try clip.packets().filter { $0.trackIndex == index }
      let new = try Clip.packets(output).filter { $0.trackIndex == index }
      #expect(new.map(\.bytes) == old.map(\.bytes))
      #expect(new.map(\.isSync) == old.map(\.isSync))
      // The media timeline begins with the first decode time.
      let first = try #require(muxer.written(toTrack: index).firstDecodeTime)
      #expect(
        new.map { $0.presentationTimeStamp.map { $0 + first } } == old.map(\.presentationTimeStamp))
      let written = muxer.written(toTrack: index)
      #expect(written.count == new.count)
      #expect(written.start == old.compactMap(\.presentationTimeStamp).min())
      var counted = WrittenSamples()
      for packet in new { counted.add(packet) }
      #expect(counted.digest == written.digest)
    }
    #expect(try Tool.digest(output) == Tool.digest(clip.path))
    #expect(try Tool.probe(output, "stream=codec_tag_string") == ["hvc1"])
  }

  /// Returns an `hvcC` with `array_completeness` set in all arrays of parameter sets, types 32 to
  /// 34 (ISO/IEC 14496-15, 8.3.3.1).
  private func completed(_ record: [UInt8]) -> [UInt8] {
    var record = record
    var place = 23
    for _ in 0..<record[22] {
      if (32...34).contains(record[place]) { record[place] |= 0x80 }
      let count = Int(record[place + 1]) << 8 | Int(record[place + 2])
      place += 3
      for _ in 0..<count { place += 2 + (Int(record[place]) << 8 | Int(record[place + 1])) }
    }
    return record
  }

  /// Samples in the form that the program's encoders give are written and read back. Here, the same
  /// x265 frame is written three times.
  @Test(arguments: [FileType.mov, .mp4])
  func encodedSamplesAreReadBack(container: FileType) throws {
    let picture = try Fixture.bytes("hevc-idr")
    var sets: [UInt8] = []
    for name in ["hevc-vps", "hevc-sps", "hevc-pps"] {
      sets += [0, 0, 0, 1] + (try Fixture.bytes(name))
    }
    let output = folder.path("out.\(container.rawValue)")
    let muxer = try Muxer(path: output, container: container)
    let track = try muxer.addVideoTrack(
      VideoTrackFormat(
        codecName: "hevc", sampleEntry: VideoSampleEntry.hvc1.type,
        size: VideoDimensions(width: 64, height: 64),
        sampleAspectRatio: PixelAspectRatio(horizontalSpacing: 12, verticalSpacing: 11),
        parameterSets: sets, timescale: 600, frameRate: FrameRate(framesPerSecond: 25),
        language: "ger"))
    try muxer.writeHeader(movieTimescale: 600, videoTimescale: 600)
    let times: [Int64] = [0, 24, 49]
    for (index, time) in times.enumerated() {
      try muxer.write(
        EncodedSample(
          bytes: [0, 0, 0, 1] + picture,
          presentationTimeStamp: MediaTime(value: time, timescale: 600),
          decodeTimeStamp: MediaTime(value: time, timescale: 600),
          duration: MediaTime(value: 24, timescale: 600), isSync: index != 1), toTrack: track)
    }
    try muxer.finish()
    let packets = try Clip.packets(output)
    // The muxer has replaced start codes with lengths.
    let sample = [0, 0, 0, UInt8(picture.count)] + picture
    #expect(packets.map(\.bytes) == [sample, sample, sample])
    #expect(packets.map { $0.presentationTimeStamp?.value } == times)
    #expect(packets.map(\.isSync) == [true, false, true])
    let read = try #require(try Demuxer(path: output).tracks.first)
    #expect(read.sampleAspectRatio?.horizontalSpacing == 12 && read.language == "ger")
    #expect(read.codec.extradata.count > 23)
    #expect(try Clip(folder: folder, path: output).frames().count == 3)
    #expect(muxer.written(toTrack: track).end == MediaTime(value: 73, timescale: 600))
  }

  @Test func containersRefuseWhatTheyCannotHold() throws {
    let path = folder.path("raw.mkv")
    try Tool.ffmpeg("-f", "lavfi", "-i", "testsrc2=s=32x32:d=0.1", "-c:v", "ffv1", path)
    let track = try #require(try Demuxer(path: path).tracks.first)
    #expect(!FileType.mp4.holds(track))
    let muxer = try Muxer(path: folder.path("out.mp4"), container: .mp4)
    _ = try muxer.addTrack(copying: track)
    do throws(LibAVError) {
      try muxer.writeHeader(movieTimescale: 600, videoTimescale: nil)
      Issue.record("a header was written")
    } catch {
      #expect(error.function == "avformat_write_header" && error.context == "the mp4 header")
    }
    let clip = try Clip.movie()
    let tracks = try Demuxer(path: clip.path).tracks
    #expect(tracks.count == 2 && tracks.allSatisfy { FileType.mp4.holds($0) })
  }

  @Test func aFullDiskIsAnErrorOfTheSystem() throws {
    let clip = try Clip.movie()
    let demuxer = try Demuxer(path: clip.path)
    let muxer = try Muxer(path: "/dev/full", container: .mov)
    let track = try muxer.addTrack(copying: try #require(demuxer.tracks.first))
    do throws(LibAVError) {
      try muxer.writeHeader(movieTimescale: 600, videoTimescale: nil)
      var packets = DemuxedPackets(demuxer, of: [0])
      while let packet = try packets.next() { try muxer.write(packet, toTrack: track) }
      try muxer.finish()
      Issue.record("the file was written")
    } catch {
      #expect(error.kind == .system(errno: 28))
    }
  }

  /// Stereo sound is encoded as AAC, and its packets are read back.
  @Test func soundIsEncoded() throws {
    let encoder = try AudioEncoder(
      AudioEncoderSettings(
        codec: .aac, sampleRate: 48000, layout: .stereo, bitRate: 128_000, isDeep: false))
    let output = folder.path("sound.mp4")
    let muxer = try Muxer(path: output, container: .mp4)
    let track = try muxer.addTrack(codec: encoder.codec, timescale: 48000, language: nil)
    try muxer.writeHeader(movieTimescale: 600, videoTimescale: nil)
    let wave = (0..<encoder.samplesPerPacket).map { Float($0 % 100) / 200 }
    var samples: [EncodedSample] = []
    for _ in 0..<5 { samples += try encoder.append(AudioBuffer([wave, wave], encoder.format)) }
    samples += try encoder.finish()
    for sample in samples { try muxer.write(sample, toTrack: track) }
    try muxer.finish()
    let read = try #require(try Demuxer(path: output).tracks.first)
    #expect(read.kind == .audio && read.codec.channelCount == 2 && read.codec.sampleRate == 48000)
    let packets = try Clip.packets(output)
    #expect(packets.map(\.bytes) == samples.map(\.bytes))
    #expect(packets.count >= 5)
  }
}
