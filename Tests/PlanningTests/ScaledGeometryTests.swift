// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import LibAV
import MediaCore
@testable import Planning
@testable import Settings
import Testing

@Suite struct ScaledGeometryTests {
  private static let source = VideoDimensions(width: 1440, height: 1080)

  private static func geometry(
    _ width: Int, _ height: Int, _ changes: [String]
  ) throws -> ScaledGeometry {
    let settings = try Preset.settings("hevc-match-source", changes: changes).video
    return ScaledGeometry(
      source: VideoDimensions(width: width, height: height), settings: settings, subsampling: .cs420
    )
  }

  @Test func withoutASizePicturesStayAsTheyAre() throws {
    #expect(try Self.geometry(1920, 1080, []).scaling == nil)
  }

  /// A size for 1080p limits both landscape and portrait frames, and nothing is enlarged.
  @Test(arguments: [
    ((3840, 2160), (1920, 1080)), ((2160, 3840), (1080, 1920)), ((1280, 720), (1280, 720)),
    ((4096, 2160), (1920, 1012)), ((1440, 1440), (1080, 1080)),
  ])
  func fit(source: (Int, Int), expected: (Int, Int)) throws {
    let result = try Self.geometry(source.0, source.1, ["video.width=1920", "video.height=1080"])
    #expect((result.size.width, result.size.height) == expected)
  }

  @Test func oneSideGivesTheOther() throws {
    let result = try Self.geometry(1920, 1080, ["video.width=640"])
    #expect((result.size.width, result.size.height) == (640, 360))
  }

  @Test func anOddColumnIsCutOff() throws {
    let result = try Self.geometry(853, 481, [])
    #expect((result.size.width, result.size.height) == (852, 480))
    #expect(result.scaling?.source.width == 852)
  }

  @Test func aspectWithBlackAround() throws {
    let result = try Self.geometry(
      1440, 1080, ["video.width=1920", "video.height=1080", "video.scalingMode=resizeAspect"])
    #expect((result.size.width, result.size.height) == (1920, 1080))
    let target = try #require(result.scaling?.target)
    #expect((target.x, target.width, target.height) == (240, 1440, 1080))
  }

  @Test func aspectFillCutsOff() throws {
    let result = try Self.geometry(
      1440, 1080, ["video.width=1280", "video.height=720", "video.scalingMode=resizeAspectFill"])
    let part = try #require(result.scaling?.source)
    #expect((part.width, part.height, part.y) == (1440, 810, 134))
    #expect(result.sampleAspectRatio(nil, source: Self.source) == nil)
  }

  @Test func stretchingChangesTheShapeOfSamples() throws {
    let result = try Self.geometry(
      1440, 1080, ["video.width=1920", "video.height=1080", "video.scalingMode=resize"])
    let ratio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
    #expect(result.sampleAspectRatio(ratio, source: Self.source) == .square)
  }

  /// When PAL, NTSC and the like get square samples, one side grows, to an even number.
  @Test(arguments: [
    ((720, 576), (64, 45), (1024, 576)), ((720, 480), (8, 9), (720, 540)),
    ((704, 576), (59, 54), (770, 576)), ((1440, 1080), (4, 3), (1920, 1080)),
    ((1440, 1080), (1, 1), (1440, 1080)),
  ])
  func squareSamples(size: (Int, Int), pixels: (Int, Int), expected: (Int, Int)) throws {
    func geometry(_ changes: [String], hasFields: Bool = false) throws -> ScaledGeometry {
      ScaledGeometry(
        source: VideoDimensions(width: size.0, height: size.1),
        settings: try Preset.settings(
          "hevc-match-source", changes: ["video.pixelAspect=square"] + changes
        ).video, subsampling: .cs420,
        pixels: PixelAspectRatio(horizontalSpacing: pixels.0, verticalSpacing: pixels.1),
        hasFields: hasFields)
    }
    let result = try geometry([])
    #expect((result.size.width, result.size.height) == expected)
    #expect(result.sampleAspectRatio(nil, source: Self.source) == .square)
    // Scaling modes go by the frame's shape on the screen, not by its numbers of samples.
    let filled = try geometry([
      "video.width=400", "video.height=300", "video.scalingMode=resizeAspectFill",
    ])
    let part = try #require(filled.scaling?.source)
    let shown = Double(part.width * pixels.0) / Double(part.height * pixels.1)
    #expect(abs(shown - 4 / 3) < 0.01, "\(part)")
  }

  /// If the number of rows changes, each field is scaled separately, provided that the rows can be
  /// divided between the fields. If the number stays the same, fields stay together in their
  /// frames.
  @Test(arguments: [
    (1080, "video.height=720", true, false), (1080, "video.height=542", true, false),
    (486, "video.height=240", true, false), (1080, "video.width=960", true, false),
    (486, "video.name", false, false),
  ])
  func fieldsDivide(height: Int, change: String, scales: Bool, mixes: Bool) throws {
    let changes = change == "video.name" ? [] : [change]
    let result = ScaledGeometry(
      source: VideoDimensions(width: 1920, height: height),
      settings: try Preset.settings("hevc-match-source", changes: changes).video,
      subsampling: .cs420, hasFields: true)
    #expect(result.scalesFields == scales && result.mixesFields == mixes)
    #expect(!scales || result.size.height % 4 == 0)
  }
}
