// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import LibAV
import MediaCore
import TestSupport
import Testing

@Suite struct DemuxerTests {
  @Test func tracksAreDescribed() throws {
    let clip = try Clip.movie("clip.mov", ["-metadata:s:a:0", "language=ger"])
    let demuxer = try Demuxer(path: clip.path)
    #expect(demuxer.formatName.hasPrefix("mov"))
    #expect(demuxer.tracks.map(\.kind) == [.video, .audio])
    #expect(demuxer.tracks.map(\.index) == [0, 1] && demuxer.tracks.map(\.id) == [1, 2])
    let video = try #require(demuxer.tracks.first)
    #expect((video.codec.codecName, video.codec.profileName) == ("hevc", "Main 10"))
    #expect(video.codec.isKnown && video.codec.reorderingDelay > 0)
    #expect(video.size == VideoDimensions(width: 64, height: 48))
    #expect(video.timescale == 600 && video.sampleCount == 10)
    #expect(video.duration == MediaTime(value: 240, timescale: 600))
    #expect(video.averageFrameRate == FrameRate(framesPerSecond: 25))
    #expect(video.codec.extradata.first == 1, "it is no hvcC")
    let audio = try #require(demuxer.tracks.last)
    #expect((audio.codec.codecName, audio.codec.sampleRate) == ("aac", 48000))
    #expect(audio.codec.channelCount == 1 && audio.language == "ger")
    #expect(audio.size == VideoDimensions(width: 0, height: 0))
  }

  /// Times and sync samples are those of the file's tables, as ffprobe reads them. Edits are not
  /// applied.
  @Test func packetsAreThoseOfTheFile() throws {
    let clip = try Clip.movie()
    let packets = try clip.packets().filter { $0.trackIndex == 0 }
    let expected = try Tool.probe(
      clip.path, "packet=pts,dts,duration,size,flags", options: ["-ignore_editlist", "1"]
    ).map { line in
      // ffprobe 7.1 has a third flag, for damage.
      let fields = line.split(separator: ",")
      return (fields.dropLast() + fields.suffix(1).map { $0.prefix(2) }).joined(separator: ",")
    }
    let found = packets.map { packet in
      let times = [packet.presentationTimeStamp, packet.decodeTimeStamp, packet.duration]
        .map { "\($0?.value ?? -1)" }
      let flags = packet.isSync ? "K_" : "__"
      return (times + ["\(packet.bytes.count)", flags]).joined(separator: ",")
    }
    #expect(found == expected)
    #expect(packets.count == 10 && packets.filter(\.isSync).count == 2)
    let presentation = packets.compactMap(\.presentationTimeStamp)
    #expect(presentation != presentation.sorted(), "no frame is coded out of order")
    #expect(presentation.allSatisfy { $0.timescale == 600 })
    #expect(packets.allSatisfy { !$0.isCorrupt && !$0.isEmpty })
  }

  @Test func packetsLieWhereTheySay() throws {
    let file = try Fixture.bytes("movie-hlg")
    let packets = try Clip.fixture("movie-hlg").packets()
    #expect(packets.count == 2)
    for packet in packets {
      let start = Int(try #require(packet.filePosition))
      #expect(packet.bytes == Array(file[start..<start + packet.bytes.count]))
    }
    #expect(packets.map { $0.presentationTimeStamp?.value } == [0, 24])
  }

  /// A second sample entry may state another size for the length fields of NAL units. The packets
  /// are those of a movie with one entry, and all frames can be decoded.
  @Test(arguments: ["libx265", "libx264"]) func lengthsOfASecondSampleEntry(encoder: String) throws
  {
    let folder = try TemporaryFolder()
    let plain = folder.path("plain.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "8", "-pix_fmt", "yuv420p",
      "-c:v", encoder, "-preset", "ultrafast", "-g", "4", "-bf", "0", plain)
    let path = try folder.write(
      SyntheticMovie.shortenLengths(from: 4, in: FileBytes.read(plain)), to: "entries.mp4")
    #expect(try Clip.packets(path).map(\.bytes) == Clip.packets(plain).map(\.bytes))
    let frames = try Clip(folder: folder, path: path).frames()
    #expect(frames.count == 8 && !frames.contains(where: \.isDamaged))
  }

  @Test func theContainersWordsComeWithoutDecoding() throws {
    let clip = try Clip.fixture("movie-hlg")
    for probing in [false, true] {
      let track = try #require(try Demuxer(path: clip.path, probing: probing).tracks.first)
      #expect(track.size == VideoDimensions(width: 64, height: 64))
      #expect(track.sampleAspectRatio?.horizontalSpacing == 12)
      #expect(track.containerFieldOrder == .progressive)
      #expect(track.displayMatrix == [0, 65536, 0, -65536, 0, 0, 64 << 16, 0, 1 << 30])
      let record = try #require(track.containerDolbyVisionConfiguration)
      #expect(record == (try Fixture.content("dvvC-84")))
    }
    let hdr10 = try Clip.fixture("movie-hdr10")
    let track = try #require(try Demuxer(path: hdr10.path).tracks.first)
    let metadata = track.containerStaticHDRMetadata
    #expect(metadata.masteringDisplay?.payload == (try Fixture.content("mdcv")))
    #expect(metadata.contentLightLevel?.payload == (try Fixture.content("clli")))
  }

  @Test(arguments: [true, false]) func unwantedTracksGiveNothing(probing: Bool) throws {
    let clip = try Clip.movie()
    var packets = try DemuxedPackets(path: clip.path, of: [0], probing: probing)
    var indices: Set<Int> = []
    while let packet = try packets.next() { indices.insert(packet.trackIndex) }
    #expect(indices == [0])
  }

  @Test func aTrackThatIsEndedGivesNothingMore() throws {
    let clip = try Clip.movie()
    var packets = try DemuxedPackets(path: clip.path, of: [0, 1])
    var counts: [Int: Int] = [:]
    while let packet = try packets.next() {
      counts[packet.trackIndex, default: 0] += 1
      if packet.trackIndex == 1 { packets.end(1) }
    }
    let all = try clip.packets().filter { $0.trackIndex == 0 }
    #expect(counts == [0: all.count, 1: 1])
  }

  @Test func packetsCanBeMovedAndReplaced() throws {
    let packet = try #require(try Clip.fixture("movie-hlg").packets().last)
    let moved = try packet.moved(by: MediaTime(value: 1, timescale: 25))
    #expect(moved.presentationTimeStamp == MediaTime(value: 48, timescale: 600))
    #expect(moved.decodeTimeStamp == MediaTime(value: 48, timescale: 600))
    #expect(moved.bytes == packet.bytes && moved.duration == packet.duration)
    let replaced = try packet.replacing([1, 2, 3])
    #expect(
      replaced.bytes == [1, 2, 3] && replaced.presentationTimeStamp == packet.presentationTimeStamp)
    #expect(try packet.replacing([]).isEmpty)
    #expect(packet.presentationTimeStamp == MediaTime(value: 24, timescale: 600))
  }
}
