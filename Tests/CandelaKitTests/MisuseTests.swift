// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import TestSupport
import Testing

/// Misuse that the compiler cannot prevent gives `nil` or an error. It never ends the process.
@Suite struct MisuseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample() async throws -> String {
    let path = folder.path("clip.mov")
    try await SampleMovie(width: 128, height: 64, seconds: 0.2).write(to: path)
    return path
  }

  /// As in Core Media, a time without a timescale is invalid, and so is all that is computed from
  /// it.
  @Test(arguments: [0, -1, .min] as [Int32]) func timesWithoutATimescale(timescale: Int32) {
    let time = MediaTime(value: 5, timescale: timescale)
    let second = MediaTime(value: 1, timescale: 1)
    #expect(!time.isValid && time == .invalid && time != .zero && second.isValid)
    #expect(time.seconds.isNaN)
    #expect(!(time + second).isValid && !(second - time).isValid)
    #expect(!second.converted(to: timescale).isValid && !time.converted(to: 600).isValid)
    #expect([time, .zero, second].sorted().map(\.isValid) == [true, true, false])
    #expect(Set([time, .invalid]).count == 1)
    var changed = second
    changed.timescale = timescale
    #expect(changed == .invalid)
  }

  @Test func writersRefuseTimesThatAreNone() async throws {
    let path = folder.path("out.mov")
    let writer = try AssetWriter(path: path, fileType: .mov)
    let input = try AssetWriterInput(outputSettings: VideoSettings(codec: .h264))
    try writer.add(input)
    #expect(throws: TranscodingError.self) { try writer.startSession(atSourceTime: .zero) }
    try writer.startWriting()
    #expect(throws: TranscodingError.self) { try writer.startSession(atSourceTime: .invalid) }
    let pool = try PixelBufferPool(format: .biPlanar420p8, width: 64, height: 64)
    let image = pool.makeBuffer(attachments: Attachments(), rowsOf: UInt8.self) { _, _, row in
      for x in row.indices { row[x] = 128 }
    }
    for time in [MediaTime.invalid, MediaTime(value: .max, timescale: 1)] {
      let error = await #expect(throws: TranscodingError.self) {
        try await input.append(image, withPresentationTime: time)
      }
      #expect(error?.kind == .invalidSettings)
      let frame = VideoFrame(pixelBuffer: image, presentationTimeStamp: .zero, duration: time)
      await #expect(throws: TranscodingError.self) { try await input.append(frame) }
    }
    // The refused frames have no effect on the next ones.
    for index in 0..<3 as Range<Int64> {
      try await input.append(
        image, withPresentationTime: MediaTime(value: index, timescale: 30))
    }
    try await writer.finishWriting()
    let duration = try #require(try await MediaAsset.load(path: path).duration)
    #expect(abs(duration.seconds - 0.1) < 0.001)
  }

  /// Video settings for audio tracks, and video work on files without video, are refused.
  @Test func audioHasNoPictures() async throws {
    let asset = try await MediaAsset.load(path: sample())
    let track = try #require(asset.tracks.first { $0.mediaType == .audio })
    let error = #expect(throws: TranscodingError.self) {
      try AssetReaderTrackOutput(track: track, outputSettings: VideoOutputSettings())
    }
    #expect(error?.kind == .invalidSettings)
    #expect(throws: TranscodingError.self) {
      try AssetWriterInput(outputSettings: VideoSettings(codec: .h264), source: track)
    }
    _ = try AssetReaderTrackOutput(track: track, outputSettings: nil)

    let alone = folder.path("audio.mov")
    try Tool.ffmpeg("-f", "lavfi", "-i", "sine=d=0.3", "-c:a", "pcm_s16le", alone)
    let audio = try await MediaAsset.load(path: alone)
    await #expect(throws: TranscodingError.self) {
      try await AssetImageGenerator(asset: audio).image(at: .zero)
    }
    #expect(throws: TranscodingError.self) {
      try VideoComposition(asset: audio) { $0.sourceFrame }
    }
    for name in [ExportSession.PresetName.highestQuality, .passthrough] {
      let output = folder.path("\(name).mov")
      try await ExportSession(input: alone, presetName: name).export(to: output)
      let tracks = try await MediaAsset.load(path: output).tracks
      #expect(tracks.map(\.mediaType) == [.audio])
    }
  }

  @Test func exportsAndImagesRefuseTimesThatAreNone() async throws {
    let input = try await sample()
    var session = ExportSession(input: input, presetName: .passthrough)
    session.timeRange = MediaTimeRange(start: .zero, end: .invalid)
    let misused = session
    let error = await #expect(throws: TranscodingError.self) {
      try await misused.export(to: folder.path("out.mov"))
    }
    #expect(error?.kind == .invalidSettings)
    var generator = AssetImageGenerator(asset: try await MediaAsset.load(path: input))
    await refuses(generator, .invalid)
    generator.requestedTimeToleranceAfter = .invalid
    await refuses(generator, .zero)
    generator.requestedTimeToleranceAfter = .zero
    generator.maximumSize = VideoDimensions(width: 64, height: 0)
    await refuses(generator, .zero)
    generator.maximumSize = VideoDimensions(width: .max, height: 32)
    let image = try await generator.image(at: .zero).image
    #expect(image.size == VideoDimensions(width: 64, height: 32))
  }

  private func refuses(_ generator: AssetImageGenerator, _ time: MediaTime) async {
    let error = await #expect(throws: TranscodingError.self) {
      try await generator.image(at: time)
    }
    #expect(error?.kind == .invalidSettings)
  }

  @Test(arguments: [(0, 16), (16, 0), (-1, 16), (16, .max)] as [(Int, Int)])
  func poolsOfNoSize(width: Int, height: Int) {
    let error = #expect(throws: TranscodingError.self) {
      try PixelBufferPool(format: .yuv420p8, width: width, height: height)
    }
    #expect(error?.kind == .invalidSettings)
    #expect(error?.errorDescription?.contains("\(width)×\(height)") == true)
  }

  /// Planes that do not fit the format are refused. Otherwise, reading them would go beyond their
  /// memory.
  @Test func planesOfOtherFrames() throws {
    let source = try PixelBufferPool(format: .yuv420p8, width: 16, height: 16)
      .makeBuffer(attachments: Attachments()) { _ in }
    func wrap(
      _ format: PixelFormat, _ width: Int, _ planes: [PixelBuffer.Plane]
    ) throws -> PixelBuffer {
      try PixelBuffer(
        format: format, width: width, height: 16, attachments: Attachments(), planes: planes,
        owner: source)
    }
    let short = source.planes.map {
      PixelBuffer.Plane(
        baseAddress: $0.baseAddress, bytesPerRow: 7, width: $0.width, height: $0.height)
    }
    #expect(try wrap(.yuv420p8, 16, source.planes).size == source.size)
    for (format, width, planes) in [
      (PixelFormat.yuv420p8, 16, Array(source.planes.dropLast())), (.yuv420p8, 16, short),
      (.yuv420p8, 32, source.planes), (.biPlanar420p8, 16, source.planes),
      (.yuv420p8, 0, source.planes),
    ] {
      let error = #expect(throws: TranscodingError.self) { try wrap(format, width, planes) }
      #expect(error?.kind == .invalidSettings)
    }
  }

  @Test func formatsThatThereAreNot() {
    #expect(
      PixelFormat(bitDepth: 10, chromaSubsampling: .cs420, layout: .biPlanar) == .biPlanar420p10)
    #expect(PixelFormat(bitDepth: 16, chromaSubsampling: .cs444, layout: .halfRGBA) == .halfRGBA)
    #expect(PixelFormat(bitDepth: 12, chromaSubsampling: .cs400, layout: .planar)?.planeCount == 1)
    for (depth, subsampling, layout) in [
      (7, .cs420, .planar), (17, .cs444, .biPlanar), (8, .cs400, .biPlanar), (8, .cs444, .halfRGBA),
      (10, .cs444, .rgba), (8, .cs420, .bgra), (16, .cs444, .bgra),
    ] as [(Int, ChromaSubsampling, PixelFormat.Layout)] {
      #expect(
        PixelFormat(bitDepth: depth, chromaSubsampling: subsampling, layout: layout) == nil,
        "\(depth) \(subsampling) \(layout)")
    }
    // This is a plane of a frame that cannot exist.
    let size = PixelFormat.yuv420p8.planeSize(1, width: .max, height: 3)
    #expect(size == VideoDimensions(width: 1 << 62, height: 2))
  }

  @Test(arguments: [(0, 1), (1, 0), (-4, 3), (.max, 1), (1, 1 << 32)] as [(Int, Int)])
  func shapesOfNoSample(across: Int, down: Int) {
    #expect(PixelAspectRatio(horizontalSpacing: across, verticalSpacing: down) == nil)
    let pal = PixelAspectRatio(horizontalSpacing: 59, verticalSpacing: 54)
    #expect(pal?.description == "59:54")
    // A layout with an impossible scale keeps the shape of samples.
    var layout = FrameLayout()
    layout.scale = VideoDimensions(width: across, height: down)
    #expect(layout.sampleAspectRatio(pal, forSource: .init(width: 720, height: 576)) == pal)
  }

  /// Values that are refused in presets are also refused if a program sets them.
  @Test func settingsOutOfTheirRanges() async throws {
    let input = try await sample()
    let changes: [(key: String, change: (inout VideoSettings) -> Void)] = [
      ("video.width", { ($0.width, $0.height, $0.scalingMode) = (0, 0, .resizeAspectFill) }),
      ("video.height", { $0.height = .max }),
      ("constantRateFactor", { $0.rateControl = .constantRateFactor(.nan) }),
      ("averageBitRate", { $0.rateControl = .averageBitRate(-1) }),
      ("maxKeyFrameInterval", { $0.maxKeyFrameInterval = .min }),
      ("hlgPeakLuminance", { $0.conversion.hlgPeakLuminance = 0 }),
      ("hdrReferenceWhite", { $0.conversion.hdrReferenceWhite = .infinity }),
      ("headroom", { $0.conversion.headroom = .nan }),
      ("highlightDetail", { $0.conversion.highlightDetail = -1 }),
      ("video.profileLevel", { $0.profileLevel = .init(spelling: "H264_High_AutoLevel") }),
    ]
    for (key, change) in changes {
      var settings = TranscodeSettings(video: VideoSettings(codec: .hevc))
      change(&settings.video)
      let misused = settings
      let error = await #expect(throws: TranscodingError.self) {
        try await TranscodePlan.make(input: input, settings: misused)
      }
      #expect(error?.kind == .invalidSettings && error?.message.contains(key) == true, "\(key)")
    }
    let track = try #require(try await MediaAsset.load(path: input).videoTrack)
    var settings = VideoOutputSettings(allowWideColor: true)
    settings.conversion.headroom = .nan
    let misused = settings
    let error = #expect(throws: TranscodingError.self) {
      try AssetReaderTrackOutput(track: track, outputSettings: misused)
    }
    #expect(error?.kind == .invalidSettings)
  }

  /// Encoders take planar formats. A biplanar format, as in Core Video, only states the depth and
  /// the subsampling.
  @Test func layoutsThatNoEncoderTakes() async throws {
    var settings = TranscodeSettings(video: VideoSettings(codec: .hevc))
    settings.video.pixelFormat = .biPlanar420p10
    let session = try await TranscodeSession(
      input: try await sample(), output: folder.path("out.mov"), settings: settings)
    #expect(try await session.run().frameCount == 6)
  }

  /// A compositor that states nonsense about its frames.
  private struct Nonsense: VideoCompositing {
    let supportsHDRSourceFrames = true
    let supportsWideColorSourceFrames = true

    func activeArea(of area: PixelRectangle, forSource size: VideoDimensions) -> PixelRectangle? {
      PixelRectangle(x: .max, y: .min, width: .max, height: .min)
    }

    func compose(_ request: CompositionRequest) throws -> PixelBuffer { request.sourceFrame }
  }

  @Test func activeAreasOfNoFrame() async throws {
    var session = ExportSession(input: try await sample(), presetName: .hevcHighestQuality)
    session.videoComposition = VideoComposition(compositor: Nonsense())
    #expect(try await session.export(to: folder.path("out.mov")).frameCount == 6)
  }
}
