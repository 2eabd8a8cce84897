// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
import ColorConversion
@testable import Host
import LibAV
import MediaCore
@testable import Planning
@testable import Reading
import TestSupport
import Testing
@testable import Transcoding

/// A reader returns frames as the settings ask for them. The settings are those of AVFoundation's
/// `AVAssetReaderTrackOutput`.
@Suite(.needsSharedMedia) struct ReaderSettingsTests {
  private static func firstFrame(
    _ name: String, _ settings: VideoOutputSettings
  ) throws -> PixelBuffer {
    let asset = try MediaAsset(opening: SharedMedia.path(name))
    let track = try #require(asset.videoTrack)
    let output = try AssetReaderTrackOutput(track: track, outputSettings: settings)
    _ = try AssetReader(asset: asset, outputs: [output])
    while let sample = try output.copyNextSampleBuffer() {
      if case .frame(let frame) = sample { return frame.pixelBuffer }
    }
    throw TranscodingError(.unusableInput, "no frame")
  }

  private static let phone = "hdr/shaka-packager__bear-640x360-hevc-hdr10.mp4"

  /// As with Apple's reader, color is converted to a space that is neither wide nor HDR, unless
  /// wide color is allowed.
  @Test func wideColorIsConvertedUnlessAllowed() throws {
    let narrow = try Self.firstFrame(Self.phone, VideoOutputSettings())
    #expect(narrow.attachments.signal.color == .bt709)
    #expect(narrow.attachments.masteringDisplay == nil)
    #expect(narrow.format == .yuv420p10)
    let wide = try Self.firstFrame(Self.phone, VideoOutputSettings(allowWideColor: true))
    #expect(wide.attachments.signal.color == .pq)
  }

  @Test func colorPropertiesAndPixelFormat() throws {
    let settings = VideoOutputSettings(colorProperties: .p3D65, pixelFormat: .yuv420p8)
    let buffer = try Self.firstFrame(Self.phone, settings)
    #expect(buffer.attachments.signal.color == .p3D65)
    #expect(buffer.format == .yuv420p8)
  }

  @Test func attachmentsTravelWithHDRPictures() throws {
    let settings = VideoOutputSettings(allowWideColor: true)
    let buffer = try Self.firstFrame("hdr/androidx__dolbyVision-hdr.MOV", settings)
    #expect(buffer.attachments.signal.color == .hlg)
    #expect(buffer.attachments.ambientViewingEnvironment?.illuminance == 314)
  }

  /// Each frame comes with its own Dolby Vision metadata, unless its pixels are changed.
  @Test func metadataOfSinglePicturesTravels() throws {
    let name = "hdr/androidx__dolbyVision-hdr.MOV"
    let buffer = try Self.firstFrame(name, VideoOutputSettings(allowWideColor: true))
    // Every RPU begins with the prefix 25 (0x19).
    #expect(buffer.attachments.dolbyVisionRPU?.first == 0x19)
    // Another layout does not change the pixels, so the metadata stays.
    let packed = try Self.firstFrame(
      name, VideoOutputSettings(allowWideColor: true, pixelFormat: .biPlanar420p10))
    #expect(packed.attachments.dolbyVisionRPU == buffer.attachments.dolbyVisionRPU)
    for settings in [
      VideoOutputSettings(allowWideColor: true, propagatesPerFrameHDRDisplayMetadata: false),
      VideoOutputSettings(),
    ] {
      #expect(try Self.firstFrame(name, settings).attachments.dolbyVisionRPU == nil)
    }
  }

  /// `x420` and `420v` hold bit for bit what an independent program writes as P010 and NV12.
  @Test(arguments: [
    (Self.phone, PixelFormat.biPlanar420p10, "p010le"),
    ("sdr/androidx__bt601.mov", .biPlanar420p8, "nv12"),
    (Self.phone, .yuv420p10, "yuv420p10le"),
  ])
  func unpackingIsExact(name: String, format: PixelFormat, ffmpegName: String) throws {
    let buffer = try Self.firstFrame(
      name, VideoOutputSettings(allowWideColor: true, pixelFormat: format))
    #expect(buffer.format == format)
    let folder = try TemporaryFolder()
    try Tool.ffmpeg(
      "-ignore_editlist", "1", "-i", SharedMedia.path(name), "-map", "0:v", "-frames:v", "1",
      "-pix_fmt", ffmpegName, "-f", "rawvideo", folder.path("raw"))
    let raw = try FileBytes.read(folder.path("raw"))
    var bytes: [UInt8] = []
    for index in buffer.planes.indices {
      let plane = buffer.planes[index]
      for y in 0..<plane.height {
        bytes += UnsafeRawBufferPointer(
          start: plane.baseAddress + y * plane.bytesPerRow,
          count: plane.width * format.bytesPerPosition(ofPlane: index))
      }
    }
    // An expectation that compared the arrays itself would look for the differences for minutes.
    let isExact = bytes == raw
    #expect(isExact, "\(bytes.count) bytes, \(raw.count) expected")
  }

  /// Gray stays gray in every pixel format that a reader returns, whether the source has R'G'B',
  /// Y'CbCr or only luma.
  @Test(arguments: ["gbrp", "gray", "yuv444p", "gray16le"])
  func lightStaysLight(pixelFormat: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    let isRGB = pixelFormat == "gbrp"
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=gray:s=128x96:d=0.1", "-pix_fmt",
      pixelFormat == "gray16le" ? "gray12le" : pixelFormat, "-c:v",
      isRGB ? "libx264rgb" : "libx265", "-x265-params", "log-level=none:lossless=1", "-qp", "0",
      path)
    for format in [
      PixelFormat(bitDepth: 10, chromaSubsampling: .cs444), .biPlanar420p10, .halfRGBA,
    ] {
      let asset = try MediaAsset(opening: path)
      let track = try #require(asset.videoTrack)
      let output = try AssetReaderTrackOutput(
        track: track, outputSettings: VideoOutputSettings(pixelFormat: format))
      _ = try AssetReader(asset: asset, outputs: [output])
      guard case .frame(let frame)? = try output.copyNextSampleBuffer() else {
        Issue.record("no frame of \(pixelFormat) as \(format)")
        continue
      }
      let planes = frame.pixelBuffer.planes
      if format == .halfRGBA {
        let values = (0..<3).map {
          planes[0].baseAddress.load(fromByteOffset: $0 * 2, as: Float16.self)
        }
        #expect(Set(values).count == 1 && abs(values[0] - 0.5) < 0.01, "\(values)")
      } else if frame.pixelBuffer.attachments.signal.color.matrixCoefficients == .identity {
        let values = planes.map { $0.baseAddress.load(as: UInt16.self) }
        #expect(Set(values).count == 1 && planes.count == 3, "\(values)")
      } else {
        let shift = format.layout == .biPlanar ? 6 : 0
        let chroma = Int(planes[1].baseAddress.load(as: UInt16.self)) >> shift
        #expect(chroma == 512, "\(format)")
      }
    }
  }

  /// A chroma location is stated only for 4:2:0. In the sample movie, it is that of BT.2020.
  @Test(arguments: [
    (PixelFormat.biPlanar420p10, ChromaLocation.topLeft),
    (PixelFormat(bitDepth: 10, chromaSubsampling: .cs444), nil),
    (.halfRGBA, nil),
  ])
  func chromaLocations(format: PixelFormat, location: ChromaLocation?) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mov")
    try await SampleMovie(width: 128, height: 96, seconds: 0.1).write(to: path)
    let asset = try await MediaAsset.load(path: path)
    let output = try AssetReaderTrackOutput(
      track: #require(asset.videoTrack),
      outputSettings: VideoOutputSettings(allowWideColor: true, pixelFormat: format))
    _ = try AssetReader(asset: asset, outputs: [output])
    guard case .frame(let frame)? = try output.copyNextSampleBuffer() else {
      Issue.record("no frame")
      return
    }
    #expect(frame.pixelBuffer.attachments.signal.chromaLocation == location)
  }

  @Test func colorsThatChangeAreRefused() throws {
    let folder = try TemporaryFolder()
    var joined: [UInt8] = []
    for color in ["bt709", "bt2020"] {
      let path = folder.path(color)
      try Tool.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-pix_fmt", "yuv420p", "-c:v", "libx265",
        "-x265-params", "log-level=none:colorprim=\(color):transfer=bt709:colormatrix=bt709", "-f",
        "hevc", path)
      joined += try FileBytes.read(path)
    }
    let asset = try MediaAsset(opening: folder.write(joined, to: "joined.hevc"))
    let output = try AssetReaderTrackOutput(
      track: #require(asset.videoTrack), outputSettings: VideoOutputSettings(allowWideColor: true))
    _ = try AssetReader(asset: asset, outputs: [output])
    let error = #expect(throws: TranscodingError.self) {
      while try output.copyNextSampleBuffer() != nil {}
    }
    #expect(error?.message.contains("colors change") == true)
  }

  @Test func narrowPicturesStayAsTheyAre() throws {
    let name = "sdr/androidx__bt601.mov"
    let buffer = try Self.firstFrame(name, VideoOutputSettings())
    #expect(buffer.attachments.signal.color.triple == "6/1/6")
    #expect(buffer.format == .yuv420p8)
  }

  @Test(arguments: [
    ("hdr/androidx__dolbyVision-hdr.MOV", true, true),
    ("sdr/EncodingGuidelines__greyscale-displayp3.mp4", false, true),
    ("sdr/EncodingGuidelines__greyscale-rec709.mp4", false, false),
    ("sdr/androidx__sample.mp4", false, false),
  ])
  func characteristics(name: String, isHDR: Bool, isWide: Bool) throws {
    let asset = try MediaAsset(opening: SharedMedia.path(name))
    let track = try #require(asset.videoTrack)
    #expect(track.containsHDRVideo == isHDR)
    #expect(track.usesWideGamutColorSpace == isWide)
  }

  @Test func formatDescriptionOfAPhoneClip() throws {
    let asset = try MediaAsset(opening: SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"))
    let description = try #require(asset.videoTrack?.formatDescriptions.first)
    #expect(description.mediaSubType == .hevc)
    #expect(description.dimensions == VideoDimensions(width: 1280, height: 720))
    #expect(description.colorPrimaries == .bt2020)
    #expect(description.transferFunction == .hlg)
    #expect(description.yCbCrMatrix == .bt2020NonConstant)
    #expect(description.fullRangeVideo == false)
    #expect(description.dolbyVisionConfiguration?.prefix(5) == [1, 0, 0x10, 0x15, 0x40])
    let untagged = try MediaAsset(opening: SharedMedia.path("sdr/androidx__sample.mp4"))
    #expect(untagged.videoTrack?.formatDescriptions.first?.colorPrimaries == nil)
  }
}
