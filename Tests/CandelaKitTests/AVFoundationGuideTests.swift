// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import Foundation
import TestSupport
import Testing

/// The guide for users of AVFoundation is correct: every expression in its right column appears
/// here word for word, compiles with one import, and runs on a sample movie.
@Suite struct AVFoundationGuideTests {
  private let folder: TemporaryFolder
  private let url: URL
  private let output: URL

  init() async throws {
    folder = try TemporaryFolder()
    url = URL(fileURLWithPath: folder.path("clip.mov"))
    output = URL(fileURLWithPath: folder.path("out.mov"))
    try await SampleMovie(width: 128, height: 96, seconds: 0.2).write(to: url.path)
  }

  @Test func assetsAndTracks() async throws {
    let asset = try await MediaAsset.load(url: url)
    let video = try await asset.loadTracks(withMediaType: .video)
    let hdr = try await asset.loadTracks(withMediaCharacteristic: .containsHDRVideo)
    #expect(video.map(\.trackID) == [1] && hdr.map(\.trackID) == [1])
    let visible = try await asset.loadTracks(withMediaCharacteristic: .visual)
    let pictures = asset.tracks.filter { $0.mediaType == .video }
    #expect(visible.map(\.trackID) == [1] && pictures.map(\.trackID) == [1])
    let tracks = try await asset.load(.tracks)
    #expect(tracks.map(\.trackID) == [1, 2])
    #expect(asset.tracks(withMediaType: .audio).map(\.trackID) == [2])
    #expect(asset.tracks(withMediaCharacteristic: .usesWideGamutColorSpace).map(\.trackID) == [1])
    #expect(asset.tracks(withMediaCharacteristic: .containsHDRVideo).map(\.trackID) == [1])
    let track = try #require(video.first)
    #expect(track.hasMediaCharacteristic(.visual) && !track.hasMediaCharacteristic(.audible))
    #expect(track.hasMediaCharacteristic(.containsHDRVideo))
    let (duration, metadata) = try await asset.load(.duration, .metadata)
    #expect(duration.seconds == 0.2 && metadata == asset.metadata)
    #expect(try await asset.load(.duration).seconds == 0.2)
    #expect(asset.duration?.seconds == 0.2)
    #expect(asset.track(withTrackID: 1)?.mediaType == .video)
    #expect(try await asset.loadTrack(withTrackID: 1)?.trackID == 1)
    #expect(asset.track(withTrackID: 9) == nil && asset.url.path == url.path)
    let (size, transform) = try await track.load(.naturalSize, .preferredTransform)
    #expect(size == VideoDimensions(width: 128, height: 96) && transform == .identity)
    let rate = try await track.load(.nominalFrameRate)
    let descriptions = try await track.load(.formatDescriptions)
    #expect(rate == 30 && descriptions.count == 1)
    #expect(asset.chapters.isEmpty)
    let (range, dataRate) = try await track.load(.timeRange, .estimatedDataRate)
    #expect(range.duration.seconds == 0.2 && dataRate > 1000)
    let characteristics = try await track.load(.mediaCharacteristics)
    #expect(characteristics == [.visual, .containsHDRVideo, .usesWideGamutColorSpace])
    #expect(try await track.load(.languageCode) == track.languageCode)
  }

  @Test func metadataItems() async throws {
    let named = folder.path("named.mov")
    try Tool.ffmpeg(
      "-i", url.path, "-c", "copy", "-metadata", "title=Bars", "-metadata", "artist=Candela", named)
    let asset = try await MediaAsset.load(path: named)
    let items = try await asset.load(.commonMetadata)
    let item = try #require(
      MetadataItem.metadataItems(from: items, filteredByIdentifier: .commonIdentifierTitle).first)
    #expect(item.stringValue == "Bars")
    #expect(items.contains { $0.identifier == .commonIdentifierArtist && $0.value == "Candela" })
  }

  @Test func times() {
    let start = MediaTime(seconds: 1.5, preferredTimescale: 600)
    let length = MediaTime(value: 1, timescale: 2)
    #expect(start == MediaTime(value: 3, timescale: 2))
    #expect(start.seconds == 1.5 && start.isNumeric && !MediaTime.invalid.isNumeric)
    #expect((start + length).seconds == 2 && (length * 3).seconds == 1.5)
    #expect(max(start, length) == start)
    #expect((MediaTime(value: .max, timescale: 1) * -4).value < 0)
    let range = MediaTimeRange(start: start, duration: length)
    let other = MediaTimeRange(start: .zero, end: start)
    #expect(range.end.seconds == 2 && range.containsTime(start) && !other.containsTime(start))
    #expect(range.intersection(other).isEmpty && range.union(other).duration.seconds == 2)
  }

  @Test func formatDescriptions() async throws {
    // The sample movie states no viewing environment, but an export does.
    try await ExportSession(input: url.path, presetName: .hevcHighestQuality)
      .export(to: output, as: .mov)
    let asset = try await MediaAsset.load(url: output)
    let description = try #require(asset.videoTrack?.formatDescriptions.first)
    #expect(description.mediaSubType == .hevc)
    #expect(description.dimensions.width == 128)
    let isBT709 = description.colorPrimaries == .ITU_R_709_2
    #expect(!isBT709)
    #expect(description.extensions[.colorPrimaries] == .ITU_R_2020)
    #expect(description.extensions[.transferFunction] == .ITU_R_2100_HLG)
    #expect(description.extensions[.yCbCrMatrix] == .ITU_R_2020)
    #expect(description.extensions[.fullRangeVideo] == false)
    #expect(description.extensions[.masteringDisplayColorVolume] == nil)
    #expect(description.extensions[.contentLightLevelInfo] == nil)
    #expect(description.extensions[.ambientViewingEnvironment]?.illuminance == 314)
  }

  @Test func reading() async throws {
    let asset = try await MediaAsset.load(url: url)
    let track = try #require(asset.videoTrack)
    var settings = VideoOutputSettings(allowWideColor: true)
    settings.pixelFormat = .biPlanar420p10
    settings.colorProperties = .bt709
    settings.propagatesPerFrameHDRDisplayMetadata = true
    let output = try AssetReaderTrackOutput(track: track, outputSettings: settings)
    let reader = try AssetReader(asset: asset)
    if reader.canAdd(output) { try reader.add(output) }
    #expect(reader.status == .unknown && !reader.canAdd(output))
    try reader.startReading()
    #expect(output.mediaType == .video)
    var times: [Double] = []
    while let sample = try output.copyNextSampleBuffer() {
      guard case .frame(let frame) = sample else { continue }
      #expect(sample.presentationTimeStamp == frame.presentationTimeStamp)
      #expect(sample.imageBuffer === frame.pixelBuffer && sample.duration.seconds > 0)
      times.append(frame.presentationTimeStamp.seconds)
      #expect(frame.pixelBuffer.format == .biPlanar420p10)
      #expect(frame.pixelBuffer.attachments[.colorPrimaries] == .ITU_R_709_2)
    }
    #expect(times.count == 6 && times == times.sorted())
    #expect(reader.status == .completed)
    reader.cancelReading()
    #expect(reader.status == .cancelled)
  }

  @Test func linearLight() async throws {
    let asset = try await MediaAsset.load(url: url)
    let track = try #require(asset.videoTrack)
    var settings = VideoOutputSettings(allowWideColor: true)
    settings.colorProperties = ColorDescription(.ITU_R_2020, .Linear, .ITU_R_2020)
    settings.pixelFormat = .halfRGBA
    let output = try AssetReaderTrackOutput(track: track, outputSettings: settings)
    let reader = try AssetReader(asset: asset, outputs: [output])
    try reader.startReading()
    guard case .frame(let frame)? = try output.copyNextSampleBuffer() else {
      Issue.record("no frame")
      return
    }
    let buffer = frame.pixelBuffer
    #expect(buffer.format == .halfRGBA)
    #expect(buffer.attachments[.colorPrimaries] == .ITU_R_2020)
    #expect(buffer.attachments[.transferFunction] == .Linear)
    // The second bar is white at 75 % of HLG, which is reference white.
    let red = buffer.withRow(32, as: Float16.self) { row in row[22 * 4] }
    #expect(abs(red - 1) < 0.05, "\(red)")
  }

  @Test func pixelBuffers() throws {
    let pool = try PixelBufferPool(format: .biPlanar420p10, width: 128, height: 96)
    var attachments = Attachments()
    attachments[.colorPrimaries] = .P3_D65
    attachments[.transferFunction] = .ITU_R_709_2
    attachments[.yCbCrMatrix] = .ITU_R_709_2
    let level = ContentLightLevel(maxContentLightLevel: 1000, maxPicAverageLightLevel: 200)
    attachments[.contentLightLevelInfo] = level
    attachments[mode: .contentLightLevelInfo] = .shouldNotPropagate
    let source = pool.makeBuffer(attachments: attachments) { _ in }
    #expect(source.attachments.propagated[.colorPrimaries] == .P3_D65)
    #expect(source.attachments.propagated[.contentLightLevelInfo] == nil)
    attachments[.contentLightLevelInfo] = nil
    #expect(attachments.contentLightLevel == nil)
    #expect(source.attachments.signal.color == .p3D65)
    #expect(source.width == 128 && source.format == .biPlanar420p10)
    #expect(source.height == 96)
  }

  @Test func hdrAttachments() throws {
    let display = MasteringDisplayColorVolume(
      green: .init(x: 13_250, y: 34_500), blue: .init(x: 7500, y: 3000),
      red: .init(x: 34_000, y: 16_000), whitePoint: .init(x: 15_635, y: 16_450),
      maxDisplayMasteringLuminance: 10_000_000, minDisplayMasteringLuminance: 1)
    let level = ContentLightLevel(maxContentLightLevel: 1000, maxPicAverageLightLevel: 200)
    let environment = AmbientViewingEnvironment(
      ambientIlluminance: 3_140_000, ambientLightX: 15_635, ambientLightY: 16_450)
    var attachments = Attachments()
    attachments[.masteringDisplayColorVolume] = display
    attachments[.contentLightLevelInfo] = level
    attachments[.ambientViewingEnvironment] = environment
    let pool = try PixelBufferPool(format: .biPlanar420p10, width: 128, height: 96)
    let source = pool.makeBuffer(attachments: attachments, rowsOf: UInt16.self) { _, y, row in
      for x in row.indices { row[x] = UInt16(y) << 6 }
    }
    #expect(source.attachments[.masteringDisplayColorVolume] == display)
    #expect(source.attachments[.contentLightLevelInfo] == level)
    #expect(source.attachments[.ambientViewingEnvironment] == environment)
    let copy = pool.makeBuffer(from: source, rowsOf: UInt16.self) { plane, y, row in
      source.withRow(y, ofPlane: plane, as: UInt16.self) { from in
        for x in row.indices { row[x] = from[x] }
      }
    }
    #expect(copy.attachments == source.attachments)
    let last = copy.withRow(95, as: UInt16.self) { row in row[127] }
    #expect(last == 95 << 6)
  }

  @Test func writing() async throws {
    let url = output
    let writer = try AssetWriter(outputURL: url, fileType: .mov)
    let input = try AssetWriterInput(mediaType: .video, outputSettings: ["codec": "hevc"])
    #expect(writer.canAdd(input))
    try writer.add(input)
    #expect(!writer.canAdd(input) && writer.status == .unknown)
    let title = MetadataItem(identifier: .commonIdentifierTitle, value: "Gray")
    writer.metadata = [title]
    try writer.startWriting()
    try writer.startSession(atSourceTime: .zero)
    #expect(writer.status == .writing)
    let pool = try PixelBufferPool(format: .biPlanar420p10, width: 128, height: 96)
    for frame in 0..<5 {
      let tags = Attachments(signal: SignalDescription(color: .bt709))
      let buffer = pool.makeBuffer(attachments: tags, rowsOf: UInt16.self) { _, _, row in
        for x in row.indices { row[x] = 512 << 6 }
      }
      let time = MediaTime(value: Int64(frame), timescale: 30)
      try await input.append(buffer, withPresentationTime: time)
    }
    try await input.markAsFinished()
    try await writer.finishWriting()
    #expect(writer.status == .completed && writer.error == nil)
    #expect(try Tool.probe(url.path, "stream=codec_name,color_primaries") == ["hevc,bt709"])
    #expect(try Tool.probe(url.path, "format_tags").contains { $0.contains("Gray") })
    let keys = AssetWriter.supportedOutputSettingsKeys(for: .video)
    #expect(keys.contains("codec") && keys.contains("compressionProperties.averageBitRate"))
  }

  @Test func outputSettings() throws {
    let sized = try VideoSettings(outputSettings: ["codec": "h264", "width": 1920, "height": 1080])
    #expect(sized.codec == .h264 && sized.width == 1920 && sized.height == 1080)
    let good = try VideoSettings(
      outputSettings: ["codec": "hevc", "compressionProperties": ["quality": 0.7]])
    #expect(good.codec == .hevc && good.rateControl == .quality(0.7))
  }

  @Test func dolbyVision() async throws {
    let asset = try await MediaAsset.load(url: url)
    let track = try #require(asset.videoTrack)
    var wide = VideoOutputSettings(allowWideColor: true)
    wide.pixelFormat = PixelFormat.named(osType: "x420")?.format
    #expect(wide.pixelFormat == .biPlanar420p10)
    let frames = try AssetReaderTrackOutput(track: track, outputSettings: wide)
    let reader = try AssetReader(asset: asset, outputs: [frames])
    try reader.startReading()
    let color: JSONValue = [
      "colorPrimaries": "ITU_R_2020", "transferFunction": "ITU_R_2100_HLG",
      "yCbCrMatrix": "ITU_R_2020",
    ]
    let properties: JSONValue = [
      "averageBitRate": 1_000_000, "allowFrameReordering": true, "maxKeyFrameInterval": 30,
      "hdrMetadataInsertionMode": "auto", "preserveDynamicHDRMetadata": false,
    ]
    let settings: JSONValue = [
      "codec": "hevc", "profileLevel": "HEVC_Main10_AutoLevel", "colorProperties": color,
      "compressionProperties": properties,
    ]
    var video = VideoSettings(codec: .hevc)
    video.colorProperties = ColorDescription(.ITU_R_2020, .ITU_R_2100_HLG, .ITU_R_2020)
    let same = try VideoSettings(outputSettings: settings)
    #expect(same.codec == video.codec && same.colorProperties == video.colorProperties)
    #expect(same.hdrMetadataInsertionMode == .auto && !same.preserveDynamicHDRMetadata)
    #expect(same.rateControl == .averageBitRate(1_000_000) && same.maxKeyFrameInterval == 30)
    let path = output.path
    let writer = try AssetWriter(path: path, fileType: .mov)
    let input = try AssetWriterInput(mediaType: .video, outputSettings: settings)
    try writer.add(input)
    try writer.startWriting()
    while let sample = try frames.copyNextSampleBuffer() { try await input.append(sample) }
    try await writer.finishWriting()
    #expect(try Tool.probe(path, "stream=profile") == ["Main 10"])
    let written = try await MediaAsset.load(path: path)
    let result = try #require(written.videoTrack)
    #expect(result.formatDescriptions.first?.dolbyVisionConfiguration != nil)
    let packets = try AssetReaderTrackOutput(track: result, outputSettings: nil)
    let copier = try AssetReader(asset: written, outputs: [packets])
    try copier.startReading()
    let sample = try #require(try packets.copyNextSampleBuffer())
    let environment = sample.formatDescription?.extensions[.ambientViewingEnvironment]
    #expect(environment?.illuminance == 314)
  }

  @Test func samplesAreCopied() async throws {
    let asset = try await MediaAsset.load(url: url)
    let track = try #require(asset.videoTrack)
    let packets = try AssetReaderTrackOutput(track: track, outputSettings: nil)
    let reader = try AssetReader(asset: asset, outputs: [packets])
    try reader.startReading()
    let writer = try AssetWriter(outputURL: output, fileType: .mov)
    let input = try AssetWriterInput(mediaType: .video, outputSettings: nil, source: track)
    #expect(writer.outputURL.path == output.path && writer.outputFileType == .mov)
    #expect(input.mediaType == .video)
    try writer.add(input)
    try writer.startWriting()
    while let sample = try packets.copyNextSampleBuffer() {
      #expect(sample.imageBuffer == nil && sample.presentationTimeStamp.isValid)
      try await input.append(sample)
    }
    try await writer.finishWriting()
    #expect(try Tool.digest(output.path) == Tool.digest(url.path))
  }

  @Test func aCancelledWriterLeavesNothing() throws {
    let writer = try AssetWriter(outputURL: output, fileType: .mov)
    try writer.add(AssetWriterInput(mediaType: .video, outputSettings: ["codec": "hevc"]))
    try writer.startWriting()
    writer.cancelWriting()
    #expect(writer.status == .cancelled && folder.names == ["clip.mov"])
  }

  @Test func aSessionBeginsWhereItIsTold() async throws {
    let writer = try AssetWriter(outputURL: output, fileType: .mov)
    let input = try AssetWriterInput(mediaType: .video, outputSettings: ["codec": "h264"])
    try writer.add(input)
    try writer.startWriting()
    try writer.startSession(atSourceTime: MediaTime(value: 1, timescale: 1))
    let pool = try PixelBufferPool(format: .biPlanar420p8, width: 64, height: 64)
    for frame in 0..<4 {
      let buffer = pool.makeBuffer(attachments: Attachments(), rowsOf: UInt8.self) { _, _, row in
        for x in row.indices { row[x] = 128 }
      }
      let time = MediaTime(value: Int64(2 + frame), timescale: 2)
      try await input.append(buffer, withPresentationTime: time)
    }
    try await writer.finishWriting()
    let asset = try await MediaAsset.load(url: output)
    #expect(
      asset.videoTrack?.timeRange
        == MediaTimeRange(start: .zero, duration: MediaTime(value: 2, timescale: 1)))
  }

  @Test func compositionsAndExport() async throws {
    let asset = try await MediaAsset.load(url: url)
    var composition = try VideoComposition(asset: asset) { request in request.sourceFrame }
    composition.colorPrimaries = .ITU_R_2020
    composition.colorTransferFunction = .ITU_R_2100_HLG
    composition.colorYCbCrMatrix = .ITU_R_2020
    composition.renderSize = VideoDimensions(width: 128, height: 96)
    composition.frameDuration = MediaTime(value: 1, timescale: 30)
    #expect(ExportSession.allExportPresets().contains(.passthrough))
    let sdr: [ExportSession.PresetName] = [.highestQuality, .h264At1280x720]
    #expect(Set(ExportSession.exportPresets(compatibleWith: asset)).isSuperset(of: sdr))
    var session = ExportSession(asset: asset, presetName: .hevcHighestQuality)
    let range = MediaTimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 10))
    session.timeRange = range
    session.videoComposition = composition
    #expect(ExportSession.exportPresets(compatibleWith: asset).contains(.hevcHighestQuality))
    #expect(session.supportedFileTypes.contains(.mov))
    let states = session.states(updateInterval: 0.5)
    let url = output
    try await session.export(to: url, as: .mov)
    for await state in states {
      if case .exporting(let progress) = state { #expect(progress.fractionCompleted <= 1) }
    }
    #expect(try Tool.probe(url.path, "packet=pts").count == 3)
  }

  /// Copies each frame into a new buffer.
  private struct Compositor: VideoCompositing {
    var supportsHDRSourceFrames: Bool { true }
    var supportsWideColorSourceFrames: Bool { true }
    var sourcePixelBufferAttributes: PixelBufferAttributes? {
      PixelBufferAttributes(pixelFormats: [.biPlanar420p10])
    }
    var requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? {
      PixelBufferAttributes(pixelFormats: [.biPlanar420p10])
    }

    func compose(_ request: CompositionRequest) throws -> PixelBuffer {
      let source = request.sourceFrame
      let context = request.renderContext
      let buffer = context.newPixelBuffer(from: source, rowsOf: UInt16.self) { plane, y, row in
        source.withRow(y, ofPlane: plane, as: UInt16.self) { from in
          for x in row.indices { row[x] = from[x] }
        }
      }
      return buffer
    }
  }

  @Test func customCompositors() async throws {
    let tags = "stream=color_space,color_transfer,color_primaries"
    let asset = try await MediaAsset.load(url: url)
    var composition = VideoComposition()
    composition.compositor = Compositor()
    var session = ExportSession(asset: asset, presetName: .hevcHighestQuality)
    session.videoComposition = composition
    session.options.overwrite = true
    try await session.export(to: output, as: .mov)
    #expect(try Tool.probe(output.path, tags) == ["bt2020nc,arib-std-b67,bt2020"])
    composition.colorPrimaries = .P3_D65
    composition.colorTransferFunction = .ITU_R_709_2
    composition.colorYCbCrMatrix = .ITU_R_709_2
    session.videoComposition = composition
    try await session.export(to: output, as: .mov)
    #expect(try Tool.probe(output.path, tags) == ["bt709,bt709,smpte432"])
  }

  @Test func aFrameDurationGivesAConstantRate() async throws {
    let asset = try await MediaAsset.load(url: url)
    var composition = try VideoComposition(asset: asset) { $0.sourceFrame }
    composition.frameDuration = MediaTime(value: 1, timescale: 15)
    // Without a closure, frames stay as they are.
    var plain = try VideoComposition(propertiesOf: asset)
    plain.frameDuration = composition.frameDuration
    var session = ExportSession(asset: asset, presetName: .hevcHighestQuality)
    session.videoComposition = composition
    try await session.export(to: output, as: .mov)
    #expect(try Tool.probe(output.path, "stream=r_frame_rate") == ["15/1"])
    #expect(try Tool.probe(output.path, "packet=pts").count == 3)
    session.videoComposition = plain
    session.options.overwrite = true
    try await session.export(to: output, as: .mov)
    #expect(try Tool.probe(output.path, "packet=pts").count == 3)
  }

  @Test func aRenderSizeIsThatOfTheOutput() async throws {
    let asset = try await MediaAsset.load(url: url)
    var composition = try VideoComposition(asset: asset, pixelFormat: .halfRGBA) { request in
      let context = request.renderContext
      return context.newPixelBuffer(
        from: request.sourceFrame, rowsOf: Float16.self
      ) { _, _, row in
        for x in row.indices { row[x] = x % 4 == 3 ? 1 : 0.25 }
      }
    }
    composition.renderSize = VideoDimensions(width: 112, height: 80)
    var session = ExportSession(asset: asset, presetName: .hevcHighestQuality)
    session.videoComposition = composition
    try await session.export(to: output, as: .mov)
    #expect(try Tool.probe(output.path, "stream=width,height") == ["112,80"])
    // A layout has its own size, which the render size must not contradict.
    var layout = FrameLayout()
    layout.scale = VideoDimensions(width: 64, height: 48)
    composition = VideoComposition(compositor: layout)
    composition.renderSize = VideoDimensions(width: 96, height: 48)
    session.videoComposition = composition
    session.options.overwrite = true
    await #expect(throws: TranscodingError.self) {
      try await session.export(to: output, as: .mov)
    }
  }

  @Test func images() async throws {
    let asset = try await MediaAsset.load(url: url)
    var generator = AssetImageGenerator(asset: asset)
    generator.maximumSize = VideoDimensions(width: 64, height: 64)
    generator.appliesPreferredTrackTransform = true
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    generator.dynamicRangePolicy = .forceSDR
    let time = MediaTime(value: 1, timescale: 10)
    #expect(
      try await generator.image(at: time).image.size == VideoDimensions(width: 64, height: 48))
    let times = [time, .zero]
    generator.dynamicRangePolicy = .matchSource
    #expect(generator.dynamicRangePolicy == .matchSource && generator.colorProperties == nil)
    var starts: [Double] = []
    for try await result in generator.images(for: times) {
      starts.append(result.actualTime.seconds)
      #expect(result.image.attachments[.transferFunction] == .ITU_R_2100_HLG)
    }
    #expect(starts == [0.1, 0])
  }

  @Test func urlsNameFiles() async throws {
    let url = try #require(URL(string: "https://example.com/clip.mov"))
    let error = await #expect(throws: TranscodingError.self) { try await MediaAsset.load(url: url) }
    #expect(error?.kind == .invalidSettings)
    #expect(throws: TranscodingError.self) { try AssetWriter(outputURL: url, fileType: .mov) }
  }

  /// Every expression in the right column of the guide is in the tests above.
  @Test func theGuideHasTheseExpressions() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let guide = root.appendingPathComponent(
      "Sources/Transcoding/Transcoding.docc/FromAVFoundation.md")
    func plain(_ text: some StringProtocol) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let source = plain(try String(contentsOf: here, encoding: .utf8))
    let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    for row in rows {
      let cell = row.split(separator: "|").last.map { $0.drop { $0 == " " } } ?? ""
      let expression = plain(cell.split(separator: "`").first ?? "")
      #expect(source.contains(expression), "\(expression)")
    }
    #expect(rows.count > 155)
  }
}
