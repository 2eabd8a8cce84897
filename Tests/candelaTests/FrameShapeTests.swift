// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Pixel aspect ratio, clean aperture and fields are kept or converted as they should be.
@Suite(.needsSharedMedia) struct FrameShapeTests {
  private let folder: TemporaryFolder
  private let imx = SharedMedia.path("found/format-corpus__mpeg-imx-525-60.mov")
  private let dv = SharedMedia.path("sdr/format-corpus__dv-pal-interlaced.mov")

  init() throws { folder = try TemporaryFolder() }

  /// Transcodes the first five frames.
  private func transcode(
    _ input: String, _ name: String, _ preset: String, _ changes: String...
  ) throws -> (path: String, notices: [ReportedNotice]) {
    let output = folder.path(name)
    let set = (changes + ["video.compressionProperties.speed=ultrafast"]).flatMap { ["--set", $0] }
    let result = try BuiltCandela.transcode(
      [input, output, "--to", "0.2", "--preset", preset] + set)
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices)
  }

  /// Returns the eight numbers of `clap`, or `nil` if there is no such box.
  private func aperture(_ path: String) throws -> [Int]? {
    try payload("clap", 32, path).map { bytes in
      stride(from: 0, to: 32, by: 4).map { place in
        let word = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(Int32(bitPattern: word))
      }
    }
  }

  private func payload(_ type: String, _ count: Int, _ path: String) throws -> [UInt8]? {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return data.range(of: Data(type.utf8), options: .backwards).map {
      Array(data[$0.upperBound..<$0.upperBound + count])
    }
  }

  private func facts(_ path: String) throws -> [String] {
    try Tool.probe(path, "stream=width,height,sample_aspect_ratio,field_order")
  }

  @Test func blankingIsCutOffForDelivery() throws {
    for name in ["imx.mp4", "imx.mov"].shortened(to: 1) {
      let (path, notices) = try transcode(imx, name, "h264-sdr", "video.deinterlace=off")
      #expect(try facts(path) == ["704,480,10:11,tb"])
      #expect(try aperture(path) == nil)
      #expect(notices.arguments("croppedToCleanAperture")?["aperture"] == "704×480", "\(notices)")
    }
  }

  /// The cropped frames have the source's samples, unchanged.
  @Test func croppedPicturesAreThoseOfTheSource() throws {
    let (path, _) = try transcode(
      imx, "cut.mov", "hevc-match-source", "video.cleanAperture=crop",
      "video.pixelFormat=422v", "video.compressionProperties.lossless=true",
      "video.compressionProperties.constantRateFactor=null")
    let whole = try Tool.frameDigests(imx, format: "yuv422p", filter: "crop=704:480:8:16")
    #expect(try Tool.frameDigests(path, format: "yuv422p") == Array(whole.prefix(5)))
  }

  @Test func theCleanApertureIsKept() throws {
    for name in ["imx.mp4", "imx.mov"].shortened(to: 1) {
      let (path, _) = try transcode(imx, name, "hevc-match-source")
      #expect(try facts(path).first?.hasPrefix("720,512,10:11") == true)
      #expect(try aperture(path) == [704, 1, 480, 1, 0, 1, 0, 1])
    }
  }

  @Test func theCleanApertureIsScaledWithThePictures() throws {
    let (path, _) = try transcode(imx, "half.mov", "hevc-match-source", "video.width=360")
    #expect(try facts(path).first?.hasPrefix("360,256,10:11") == true)
    #expect(try aperture(path) == [352, 1, 240, 1, 0, 1, 0, 1])
  }

  @Test func palStaysFourToThree() throws {
    let (path, _) = try transcode(dv, "dv.mp4", "h264-sdr", "video.deinterlace=off")
    #expect(try facts(path) == ["704,576,59:54,bt"])
    let (whole, _) = try transcode(
      dv, "whole.mp4", "h264-sdr", "video.cleanAperture=keep", "video.deinterlace=off")
    #expect(try facts(whole) == ["720,576,59:54,bt"])
    #expect(try aperture(whole) == [41472, 59, 576, 1, 0, 1, 0, 1])
    let pasp = try payload("pasp", 8, path)
    #expect(pasp == [0, 0, 0, 59, 0, 0, 0, 54])
  }

  /// The order of fields is in a box that players of HEVC read, and in a message in every frame.
  @Test func hevcStatesTheOrderOfFields() throws {
    for name in ["dv.mov", "dv.mp4"].shortened(to: 1) {
      let (path, notices) = try transcode(dv, name, "hevc-match-source")
      #expect(try payload("fiel", 2, path) == [2, 14])
      #expect(!notices.codes.contains("fieldsNotStated"), "\(notices)")
      let scan = try Tool.run(
        "mediainfo", ["--Inform=Video;%ScanType% %ScanOrder%", path])
      #expect(scan.output.contains("Interlaced BFF"), "\(scan.output)")
      let check = try HDRCheck.facts(path)
      #expect((check["sei_all"] as? [String: Int])?["1"] == 5)
      #expect(try BuiltCandela.run("inspect", path).output.contains("interlaced (bottomFirst)"))
    }
  }

  @Test func whatIsStatedIsShown() throws {
    let text = try BuiltCandela.run("inspect", imx).output
    #expect(text.contains("pixels 10:11, clean aperture 704×480"))
    #expect(text.contains("WARNING"))
    let notices = try BuiltCandela.run("inspect", imx, "--json").notices()
    #expect(notices.arguments("fieldOrderConflict")?["container"] == "bottomFirst")
    let (copy, _) = try transcode(imx, "copy.mov", "hevc-match-source", "video.codec=passthrough")
    #expect(try aperture(copy) == [704, 1, 480, 1, 0, 1, 0, 1])
    #expect(try payload("fiel", 2, copy) == [2, 14])
  }
}
