// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
import ColorScience
import Foundation
@testable import Host
import LibAV
import MediaCore
@testable import Planning
@testable import Settings
import Synchronization
import TestSupport
import Testing
@testable import Transcoding

/// Between reader and writer, a compositor gets each frame in the right color space, and what it
/// returns is encoded.
@Suite struct VideoCompositionTests {
  private let folder: TemporaryFolder
  private let asset: MediaAsset

  init() async throws {
    folder = try TemporaryFolder()
    try await SampleMovie(width: 256, height: 192, seconds: 0.2).write(
      to: folder.path("sample.mov"))
    asset = try await MediaAsset.load(path: folder.path("sample.mov"))
  }

  /// A compositor that says what it supports, records what it is given, and returns what a test
  /// tells it to.
  private final class Probe: VideoCompositing {
    let supportsWideColorSourceFrames: Bool
    let supportsHDRSourceFrames: Bool
    let sourcePixelBufferAttributes: PixelBufferAttributes?
    let seen = Mutex<[SignalDescription]>([])
    let formats = Mutex<[PixelFormat]>([])
    private let result: @Sendable (CompositionRequest) -> PixelBuffer

    init(
      wide: Bool = true, hdr: Bool = true, format: PixelFormat? = nil,
      result: @escaping @Sendable (CompositionRequest) -> PixelBuffer = { $0.sourceFrame }
    ) {
      supportsWideColorSourceFrames = wide
      supportsHDRSourceFrames = hdr
      sourcePixelBufferAttributes = format.map { PixelBufferAttributes(pixelFormats: [$0]) }
      self.result = result
    }

    func compose(_ request: CompositionRequest) throws -> PixelBuffer {
      seen.withLock { $0.append(request.sourceFrame.attachments.signal) }
      formats.withLock { $0.append(request.sourceFrame.format) }
      return result(request)
    }
  }

  private func run(
    _ composition: VideoComposition, preset: String = "hevc-match-source", _ changes: String...
  ) async throws -> String {
    var options = TranscodeOptions()
    options.overwrite = true
    options.videoComposition = composition
    let settings = try Preset.settings(
      preset,
      changes: [
        "video.compressionProperties.lossless=true", "video.compressionProperties.speed=ultrafast",
        "video.conversion.dither=none",
      ] + changes)
    let output = folder.path("out.mov")
    let session = try await TranscodeSession(
      input: asset.path, output: output, settings: settings, options: options)
    _ = try await session.run()
    return output
  }

  private func tags(_ path: String) throws -> String {
    try Tool.probe(path, "stream=color_space,color_transfer,color_primaries").first ?? ""
  }

  private func luma(_ path: String, _ x: Int, _ y: Int) throws -> Int {
    let bytes = try Tool.picture(path, format: "yuv420p10le", filter: "crop=2:2:\(x):\(y)")
    return Int(bytes[0]) | Int(bytes[1]) << 8
  }

  /// If no working space is stated, the source's space is adopted. Frames that are handed back
  /// unchanged keep their samples and tags.
  @Test func theSourcesSpaceIsAdopted() async throws {
    let probe = Probe()
    let output = try await run(VideoComposition(compositor: probe))
    #expect(probe.seen.withLock { $0.count } == 6)
    #expect(probe.seen.withLock { $0.allSatisfy { $0.color == .hlg } })
    #expect(try tags(output) == "bt2020nc,arib-std-b67,bt2020")
    let before = try Tool.frameDigests(asset.path, format: "yuv420p10le")
    #expect(try Tool.frameDigests(output, format: "yuv420p10le") == before)
  }

  @Test func theWorkingSpaceIsReachedAndPropagates() async throws {
    let probe = Probe()
    var composition = VideoComposition(compositor: probe)
    composition.colorPrimaries = .p3D65
    composition.colorTransferFunction = .bt709
    composition.colorYCbCrMatrix = .bt709
    let output = try await run(composition)
    #expect(probe.seen.withLock { $0.map(\.color) } == Array(repeating: .p3D65, count: 6))
    #expect(try tags(output) == "bt709,bt709,smpte432")
    // Settings convert from the working space.
    let sdr = try await run(composition, preset: "hevc-sdr")
    #expect(try tags(sdr) == "bt709,bt709,bt709")
  }

  /// As with Apple's frameworks, a compositor that does not support HDR or wide color is given
  /// converted frames.
  @Test(arguments: [(false, false), (true, false)])
  func compositorsThatDoNotSupportHDR(wide: Bool, hdr: Bool) async throws {
    let probe = Probe(wide: wide, hdr: hdr)
    let output = try await run(VideoComposition(compositor: probe))
    #expect(probe.seen.withLock { $0.map(\.color) } == Array(repeating: .bt709, count: 6))
    #expect(try tags(output) == "bt709,bt709,bt709")
    var composition = VideoComposition(compositor: probe)
    composition.colorTransferFunction = .pq
    await #expect(throws: TranscodingError.self) { try await run(composition) }
  }

  @Test func compositorsThatDoNotSupportWideColor() async throws {
    let probe = Probe(wide: false, hdr: true)
    var composition = VideoComposition(compositor: probe)
    composition.colorPrimaries = .p3D65
    composition.colorTransferFunction = .bt709
    await #expect(throws: TranscodingError.self) { try await run(composition) }
  }

  @Test func framesComeInTheFormatThatIsAskedFor() async throws {
    let probe = Probe(format: .biPlanar420p10)
    let output = try await run(VideoComposition(compositor: probe))
    #expect(probe.formats.withLock { Set($0) } == [.biPlanar420p10])
    let before = try Tool.frameDigests(asset.path, format: "yuv420p10le")
    #expect(try Tool.frameDigests(output, format: "yuv420p10le") == before)
    await #expect(throws: TranscodingError.self) {
      try await run(VideoComposition(compositor: Probe(format: .yuv420p8)))
    }
  }

  /// A wrong buffer gives an error that says what is wrong with it, and never an output with wrong
  /// tags.
  @Test func wrongBuffersAreRefused() async throws {
    func buffer(
      _ format: PixelFormat, _ width: Int, _ color: ColorDescription, range: Bool? = nil
    ) -> PixelBuffer {
      PixelBufferPool(format, width: width, height: 192).makeBuffer(
        attachments: Attachments(
          signal: SignalDescription(color: color, videoFullRangeFlag: range))
      ) { planes in
        for plane in planes {
          memset(plane.baseAddress, 1, plane.bytesPerRow * plane.height)
        }
      }
    }
    for (wrong, reason) in [
      (buffer(.yuv420p8, 256, .hlg), "is 8 bit 4:2:0 instead of"),
      (buffer(.yuv420p10, 128, .hlg), "has 128×192 pixels"),
      (buffer(.yuv420p10, 256, .bt709), "is tagged BT.709"),
      (buffer(.yuv420p10, 256, .hlg, range: true), "is tagged full range"),
    ] {
      let error = await #expect(throws: TranscodingError.self) {
        try await run(VideoComposition(compositor: Probe { _ in wrong }))
      }
      #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
      #expect(folder.names == ["sample.mov"])
    }
  }

  /// A closure gets linear light in half floats and halves it: HLG's 75 % is 203 cd/m², and becomes
  /// 101.5 cd/m².
  @Test func linearLight() async throws {
    var composition = try VideoComposition(asset: asset, pixelFormat: .halfRGBA) { request in
      request.renderContext.newPixelBuffer(from: request.sourceFrame) { planes in
        let source = request.sourceFrame.planes[0]
        for y in 0..<planes[0].height {
          let from = (source.baseAddress + y * source.bytesPerRow).assumingMemoryBound(
            to: Float16.self)
          let to = (planes[0].baseAddress + y * planes[0].bytesPerRow).assumingMemoryBound(
            to: Float16.self)
          for index in 0..<planes[0].width * 4 {
            to[index] = index % 4 == 3 ? 1 : from[index] / 2
          }
        }
      }
    }
    composition.colorTransferFunction = .linear
    let output = try await run(composition, preset: "hevc-hlg")
    #expect(try tags(output) == "bt2020nc,arib-std-b67,bt2020")
    // R'G'B' has no chroma location, so the output gets the chroma location of the source.
    #expect(try Tool.probe(output, "stream=chroma_location") == ["topleft"])
    // The first bar of BT.2111 is 40 % gray; the next is 75 % white.
    let white = try luma(asset.path, 40, 60)
    #expect(white == 721)
    let scene = HLG.inverseOOTF(
      Triple(repeating: 101.5), weights: try #require(RGBSpace(.bt2020)).luminanceWeights,
      peakLuminance: 1000)
    let wanted = 64 + 876 * HLG.oetf(scene.x)
    #expect(abs(Double(try luma(output, 40, 60)) - wanted) <= 2)
  }

  @Test func cropIsExact() async throws {
    var layout = FrameLayout()
    layout.crop = .init(x: 32, y: 16, width: 128, height: 96)
    let output = try await run(VideoComposition(compositor: layout))
    let cropped = folder.path("cropped.y4m")
    try Tool.ffmpeg("-i", asset.path, "-vf", "crop=128:96:32:16", "-strict", "-1", cropped)
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le")
        == Tool.frameDigests(cropped, format: "yuv420p10le"))
    layout.pad = VideoDimensions(width: 192, height: 160)
    layout.scale = VideoDimensions(width: 96, height: 64)
    let padded = try await run(VideoComposition(compositor: layout))
    #expect(try Tool.probe(padded, "stream=width,height") == ["192,160"])
    #expect(try luma(padded, 0, 0) == 64)
  }

  @Test func layoutsThatCannotBeAreRefused() async throws {
    for change in [
      #"{"crop": {"x": 200, "width": 128, "height": 96}}"#,
      #"{"crop": {"x": 1, "width": 128, "height": 96}}"#,
      #"{"pad": {"width": 64, "height": 64}}"#, #"{"overlay": {"file": "none.png"}}"#,
      #"{"crops": {}}"#, #"{"overlay": {"file": "a.png", "opacity": 2}}"#,
      #"{"colorProperties": {"colorPrimaries": "ITU_R_2020"}}"#,
    ] {
      let error = await #expect(throws: TranscodingError.self) {
        let settings = try Preset.settings(
          "hevc-match-source", changes: ["video.composition=\(change)"])
        _ = try await TranscodePlan.make(input: asset.path, settings: settings)
      }
      #expect(error?.kind == .invalidSettings, "\(change): \(String(describing: error))")
    }
  }

  /// White in a PNG becomes HLG's diffuse white, 75 %. White that is half opaque becomes a value
  /// halfway between diffuse white and the frame below it.
  @Test(arguments: [1.0, 0.5]) func overlays(opacity: Double) async throws {
    let logo = folder.path("logo.png")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=white:s=64x32,format=rgba", "-frames:v", "1", logo)
    var layout = FrameLayout()
    layout.overlay = try Overlay(path: logo, x: 10, y: -8, opacity: opacity)
    let output = try await run(VideoComposition(compositor: layout))
    let below = Double(try luma(asset.path, 40, 10))
    let wanted = 721 * opacity + below * (1 - opacity)
    #expect(abs(Double(try luma(output, 40, 10)) - wanted) <= 2)
    #expect(try luma(output, 100, 10) == luma(asset.path, 100, 10))
    #expect(try luma(output, 40, 26) == luma(asset.path, 40, 26))
  }

  /// Positions in a preset refer to the frame as people see it. A phone's frames are turned for
  /// display, and those of its front camera are mirrored as well.
  @Test(
    arguments: [
      ([1, 0, 0, 1], [0, 3, 8, 11]), ([0, 1, -1, 0], [2, 11, 0, 9]),
      ([-1, 0, 0, -1], [11, 8, 3, 0]), ([0, -1, 1, 0], [9, 0, 11, 2]),
      ([-1, 0, 0, 1], [3, 0, 11, 8]), ([1, 0, 0, -1], [8, 11, 0, 3]),
      ([0, 1, 1, 0], [0, 9, 2, 11]),
    ])
  func orientation(turn: [Int32], corners: [Float]) {
    let orientation = Orientation(
      matrix: [turn[0], turn[1], 0, turn[2], turn[3], 0, 0, 0, 1 << 30])
    let seen = orientation.turned(VideoDimensions(width: 4, height: 3))
    // Pixels are numbered row by row as people see them, and then put into the order of a stored
    // frame of 4 × 3.
    let frame = orientation.inFrame(
      (0..<12).map(Float.init), width: seen.width, height: seen.height)
    #expect([frame[0], frame[3], frame[8], frame[11]] == corners)
  }

  /// The source's bars are cut off, scaled and moved together with the rest of the frame. Padding
  /// adds new bars.
  @Test func activeAreas() {
    typealias Area = PixelRectangle
    let whole = Area(x: 0, y: 0, width: 1920, height: 1080)
    let letterbox = Area(x: 0, y: 140, width: 1920, height: 800)
    var layout = FrameLayout()
    let source = VideoDimensions(width: 1920, height: 1080)
    func area(_ area: Area) -> Area? { layout.activeArea(of: area, forSource: source) }
    #expect(area(whole) == whole)
    #expect(area(letterbox) == letterbox)
    layout.crop = Area(x: 480, y: 100, width: 960, height: 880)
    #expect(area(letterbox) == Area(x: 0, y: 40, width: 960, height: 800))
    layout.scale = VideoDimensions(width: 480, height: 440)
    layout.pad = VideoDimensions(width: 640, height: 640)
    #expect(area(whole) == Area(x: 80, y: 100, width: 480, height: 440))
    #expect(area(letterbox) == Area(x: 80, y: 120, width: 480, height: 400))
    layout.crop = Area(x: 0, y: 0, width: 1920, height: 100)
    #expect(area(letterbox) == nil)
    #expect(Probe().activeArea(of: letterbox, forSource: source) == nil)
  }

  @Test func layoutsThatCannotBeDrawnThrow() async throws {
    for (crop, scale) in [
      (PixelRectangle(x: .max, y: 0, width: 4, height: 4), nil),
      (.init(x: 0, y: 0, width: 0, height: 4), nil),
      (.init(x: 0, y: 0, width: 4, height: 4), VideoDimensions(width: 0, height: 0)),
      (.init(x: 0, y: 0, width: 4, height: 4), VideoDimensions(width: 40_000, height: 40_000)),
    ] as [(PixelRectangle, VideoDimensions?)] {
      var layout = FrameLayout()
      layout.crop = crop
      layout.scale = scale
      await #expect(throws: TranscodingError.self) {
        try await run(VideoComposition(compositor: layout))
      }
    }
    #expect(throws: TranscodingError.self) { try Overlay(path: "a.png", opacity: .nan) }
  }
}
