// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import TestSupport
import Testing

@testable import LibAV

/// Tables list the codecs that each container holds. They agree with what the container's muxer
/// accepts in a header.
@Suite struct HoldingTests {
  /// Encoders of FFmpeg, and the files that hold their tracks.
  private static let clips: [(encoders: [String], file: String)] = [
    (["libx264", "libx265", "mpeg4", "mjpeg", "ffv1", "prores_ks", "libvpx-vp9"], "video.mkv"),
    (["qtrle", "rawvideo", "cinepak", "png"], "video.mov"),
    (["huffyuv", "msmpeg4v2", "rawvideo", "h263p", "utvideo"], "video.avi"),
    (["aac", "flac", "libopus", "libvorbis", "ac3", "mp2", "tta", "wavpack"], "audio.mkv"),
    (["alac", "adpcm_ima_qt", "pcm_s16be", "pcm_f32le"], "audio.mov"),
    (["wmav2", "adpcm_ms", "pcm_mulaw"], "audio.avi"),
  ]

  private static func opens(_ container: FileType, _ track: DemuxedTrack) -> Bool {
    do {
      if container.isMovie {
        let muxer = try Muxer(path: "/dev/null", container: container)
        _ = try muxer.addTrack(copying: track)
        try muxer.writeHeader(movieTimescale: 600, videoTimescale: nil)
      } else {
        let muxer = try MatroskaMuxer(path: "/dev/null", container: container)
        try muxer.addTrack(copying: track, of: nil, label: TrackLabel(), signal: nil)
        try muxer.writeHeader(metadata: [:], chapters: [])
      }
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: clips.indices) func tablesSayWhatMuxersDo(clip: Int) throws {
    let folder = try TemporaryFolder()
    let (encoders, file) = Self.clips[clip]
    let isVideo = file.hasPrefix("video")
    let source = isVideo ? "testsrc2=s=64x48:d=0.2:r=10" : "sine=d=0.2:r=48000"
    let kind = isVideo ? "v" : "a"
    let tracks = encoders.enumerated().flatMap { index, encoder in
      ["-map", "0", "-c:\(kind):\(index)", encoder]
    }
    let path = folder.path(file)
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", source] + (isVideo ? [] : ["-ac", "2"]) + ["-strict", "-2"] + tracks
        + [path])
    let found = try Demuxer(path: path).tracks
    #expect(found.count == encoders.count)
    for track in found {
      for container in FileType.all where container.countsSamples || !track.codec.countsByDuration {
        // Uncompressed frames without a sample entry are refused, whatever the muxer would write.
        if container.isMovie, track.codec.codecName == "rawvideo" { continue }
        #expect(
          container.holds(track) == Self.opens(container, track),
          "\(track.codec.codecName) in \(container.rawValue)")
      }
    }
  }

  @Test func codecsThatAreEncodedHaveAPlace() {
    for container in FileType.all {
      let isWebM = container == .webm
      #expect(
        ["hevc", "h264", "aac", "ac3"].allSatisfy { container.holds(codec: $0) != isWebM })
      #expect(container.holds(codec: container.encodedAudio))
    }
    #expect(["av1", "vp8", "vp9", "opus", "vorbis"].allSatisfy { FileType.webm.holds(codec: $0) })
    #expect(FileType.mp4.holds(codec: "av1") && !FileType.mov.holds(codec: "av1"))
    #expect(!FileType.mp4.holds(codec: "no such codec"))
  }

  /// The Matroska muxer checks the configuration of some codecs, so `holds` must do so, too.
  @Test func aConfigurationThatIsCutOffHasNoPlace() throws {
    let clip = try Clip.movie()
    for var track in try Demuxer(path: clip.path).tracks {
      #expect(FileType.mkv.holds(track))
      for size in [7, 5, 3, 1, 0] {
        track = try track.stating(
          SignalDescription(), configuration: Array(track.codec.extradata.prefix(size)))
        #expect(FileType.mkv.holds(track) == Self.opens(.mkv, track), "\(size)")
      }
    }
  }
}
