// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import LibAV
import MediaCore
import TestSupport
import Testing

/// Files that cannot be read give errors that name the cause. No memory or descriptor is lost.
@Suite(.serialized) struct BrokenFileTests {
  private static func failure(_ path: String) -> LibAVError? {
    do throws(LibAVError) { _ = try Demuxer(path: path) } catch { return error }
    return nil
  }

  @Test func errorsSayWhatTheyMean() throws {
    let folder = try TemporaryFolder()
    #expect(Self.failure(folder.path("none.mov"))?.kind == .system(errno: 2))
    #expect(Self.failure(folder.path("none.mov"))?.function == "avio_open")
    #expect(Self.failure(try folder.write([UInt8](), to: "empty.mov"))?.kind == .invalidData)
    let text = try folder.write(String(repeating: "words ", count: 500), to: "text.mov")
    #expect(Self.failure(text)?.kind == .invalidData)
    let movie = try Fixture.bytes("movie-hlg")
    let cut = try folder.write(movie.prefix(movie.count / 2), to: "cut.mov")
    #expect(Self.failure(cut)?.kind == .invalidData)
    #expect(Self.failure(cut)?.description.contains("(avformat_open_input)") == true)
    // Playlists are refused, because they could name somebody else's files.
    let list = try folder.write("#EXTM3U\n#EXTINF:1,\n\(cut)\n", to: "list.m3u8")
    #expect(Self.failure(list)?.kind == .invalidData)
    let script = try folder.write("ffconcat version 1.0\nfile \(cut)\n", to: "list.ffconcat")
    #expect(Self.failure(script)?.kind == .system(errno: 22))
    #expect(Self.failure(script)?.context == "Virtual concatenation script")
  }

  @Test func aDirectoryIsNoFile() throws {
    let folder = try TemporaryFolder()
    let error = try #require(Self.failure(folder.path(".")))
    guard case .system = error.kind else {
      Issue.record("\(error)")
      return
    }
  }

  /// If samples are missing, all samples before them are read. Then the file ends, or an error is
  /// thrown.
  @Test func missingSamples() throws {
    let clip = try Clip.movie("clip.mov", ["-movflags", "faststart", "-an"])
    let bytes = try FileBytes.read(clip.path)
    let whole = try clip.packets()
    let path = try clip.folder.write(bytes.prefix(bytes.count - 100), to: "cut.mov")
    var packets = try DemuxedPackets(path: path)
    var found: [Packet] = []
    do { while let packet = try packets.next() { found.append(packet) } } catch {
      #expect(error.kind == .invalidData)
    }
    let good = found.filter { !$0.isCorrupt }
    #expect(!good.isEmpty && good.count < whole.count)
    #expect(good.map(\.bytes) == whole.prefix(good.count).map(\.bytes))
  }

  @Test func unknownCodecsHaveNoDecoder() throws {
    var bytes = try Fixture.bytes("movie-avc")
    let entry = try #require(bytes.indices.first { bytes[$0...].starts(with: "avc1".utf8) })
    bytes.replaceSubrange(entry..<entry + 4, with: "zzzz".utf8)
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "unknown.mov")
    let track = try #require(try Demuxer(path: path).tracks.first)
    #expect(!track.codec.isKnown && track.codec.codecName == "zzzz")
    do throws(LibAVError) {
      _ = try VideoDecoder(track: track)
      Issue.record("a decoder was made")
    } catch {
      #expect(error.kind == .unsupported && error.context == "codec zzzz")
    }
  }

  /// If an initializer throws, it releases the memory and descriptors that it took. A separate
  /// process counts them, because other tests also take and release memory and descriptors.
  @Test func failingOpensKeepNothing() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let text = try folder.write(String(repeating: "words ", count: 500), to: "text.mov")
      let movie = try Fixture.bytes("movie-hlg")
      let cut = try folder.write(movie.prefix(movie.count - 40), to: "cut.mov")
      let (none, nowhere) = (folder.path("none.mov"), folder.path("no/out.mov"))
      func fail() {
        for path in [none, text, cut] { #expect(Self.failure(path) != nil) }
        #expect(throws: LibAVError.self) { try Muxer(path: nowhere, container: .mov) }
        #expect(throws: LibAVError.self) { try DecodedFrame.png(text) }
        #expect(throws: LibAVError.self) {
          try AudioEncoder(
            AudioEncoderSettings(
              codec: .aac, sampleRate: 1, layout: .mono, bitRate: 64_000, isDeep: false))
        }
      }
      for _ in 0..<50 { fail() }
      let (descriptors, memory) = (try Process.descriptorCount(), try Process.memory())
      for _ in 0..<300 { fail() }
      #expect(try Process.descriptorCount() <= descriptors)
      // If a packet and a codec context were lost each time, they would add up to 4 MB.
      #expect(try Process.memory() < memory + 2 << 20)
    }
  }
}
