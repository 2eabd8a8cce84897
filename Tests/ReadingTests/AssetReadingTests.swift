// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
import ColorTagging
import DolbyVision
import LibAV
import MediaCore
@testable import Reading
import TestSupport
import Testing

@Suite(.needsSharedMedia) struct AssetReadingTests {
  private static func frames(_ name: String) throws -> [VideoFrame] {
    let asset = try MediaAsset(opening: SharedMedia.path(name))
    let track = try #require(asset.videoTrack)
    let reader = try AssetReading(asset, for: [TrackReading(track: track, decodes: true)])
    var frames: [VideoFrame] = []
    while let (_, sample) = try reader.next() {
      if case .frame(let frame) = sample { frames.append(frame) }
    }
    return frames
  }

  /// The presented frames have the times that the clip's own tables state. The times are not evenly
  /// spaced, and the frame inside which the edit begins is presented, too.
  @Test func presentedFramesOfAClipWhoseEditBeginsInsideAFrame() throws {
    let frames = try Self.frames("hdr/androidx__sample_edit_list.mp4")
    #expect(frames.count == 78)
    #expect(frames.first?.presentationTimeStamp == MediaTime(value: 260, timescale: 600))
    #expect(
      zip(frames, frames.dropFirst()).allSatisfy {
        $0.presentationTimeStamp + $0.duration == $1.presentationTimeStamp
      })
    let durations = Set(frames.map(\.duration.value))
    #expect(durations.count > 1)
  }

  @Test func presentedFramesOfAClipWhoseEditEndsInsideAFrame() throws {
    let frames = try Self.frames("hdr/androidx__dolbyVision-hdr.MOV")
    #expect(frames.map(\.presentationTimeStamp.value) == [0, 20, 40, 60])
    #expect(frames.allSatisfy { $0.pixelBuffer.format == .yuv420p10 })
  }

  @Test(arguments: [
    ("sdr/androidx__sample_rotate_and_reflect.mp4", "2/2/2"), ("sdr/androidx__bt601.mov", "6/1/6"),
    ("hdr/androidx__dolbyVision-hdr.MOV", "9/18/9"),
    ("hdr/shaka-packager__bear-640x360-hevc-hdr10.mp4", "9/16/9"),
    ("sdr/EncodingGuidelines__greyscale-displayp3.mp4", "12/13/1"),
  ])
  func whatFilesStateOfTheirColor(name: String, triple: String) throws {
    let asset = try MediaAsset(opening: SharedMedia.path(name))
    let facts = try #require(asset.videoTrack?.video)
    #expect(facts.tags.signal.color.triple == triple)
  }

  @Test func metadataOfAPhoneClip() throws {
    let asset = try MediaAsset(opening: SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"))
    let metadata = try #require(asset.videoTrack?.video?.hdrMetadata)
    #expect(metadata.ambientViewingEnvironment?.value.illuminance == 314)
    #expect(
      metadata.ambientViewingEnvironment?.places.map(\.description) == ["amve box", "SEI 148"])
    #expect(metadata.dolbyVision?.value.baseLayerSignalCompatibilityID == 4)
    #expect(metadata.frames.has(DolbyVisionRPU.self))
    #expect(metadata.masteringDisplay == nil)
  }
}
