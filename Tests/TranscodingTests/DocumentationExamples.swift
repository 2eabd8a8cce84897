// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CandelaKit
import CodePoints
@testable import Editing
import Foundation
@testable import Host
@testable import Inspection
import LibAV
import MediaCore
import Planning
import Reading
@testable import Settings
import Stills
import TestSupport
import Testing
import Transcoding

/// The code examples in the documentation catalog work. Each example is compiled and run here on a
/// sample movie, and the catalog repeats it word for word.
@Suite struct DocumentationExamples {
  private let folder: TemporaryFolder
  private let input: String
  private let output: String

  init() async throws {
    folder = try TemporaryFolder()
    input = folder.path("clip.mov")
    output = folder.path("out.mov")
    try await SampleMovie(width: 128, height: 96, seconds: 0.2).write(to: input)
  }

  private func tags() throws -> String {
    try Tool.probe(output, "stream=color_space,color_transfer,color_primaries").first ?? ""
  }

  @Test func export() async throws {
    // example: export
    // HEVC presets keep HLG and PQ; H.264 presets convert HDR to SDR.
    let session = ExportSession(input: input, presetName: .hevcHighestQuality)
    try await session.export(to: output)
    // end
    #expect(try tags() == "bt2020nc,arib-std-b67,bt2020")
  }

  @Test func characteristics() async throws {
    // example: characteristics
    let asset = try await MediaAsset.load(path: input)
    for track in asset.tracks where track.containsHDRVideo || track.usesWideGamutColorSpace {
      for description in track.formatDescriptions {
        print(description.mediaSubType, description.colorPrimaries as Any)
        print(description.transferFunction as Any, description.yCbCrMatrix as Any)
        print(description.extensions[.masteringDisplayColorVolume] as Any)
      }
    }
    // end
    #expect(asset.videoTrack?.containsHDRVideo == true)
    #expect(asset.videoTrack?.formatDescriptions.first?.transferFunction == .hlg)
  }

  @Test func reading() async throws {
    var seen: [PixelBuffer] = []
    // Without a video track, the example would return before the expectations below.
    #expect(try await MediaAsset.load(path: input).videoTrack != nil)
    // example: reading
    let asset = try await MediaAsset.load(path: input)
    guard let track = asset.videoTrack else { return }
    // Frames in their own space, as 10-bit bi-planar video range.
    var settings = VideoOutputSettings(allowWideColor: true)
    settings.pixelFormat = PixelFormat.named(osType: "x420")?.format
    let frames = try AssetReaderTrackOutput(track: track, outputSettings: settings)
    let reader = try AssetReader(asset: asset, outputs: [frames])
    try reader.startReading()
    while case .frame(let frame)? = try frames.copyNextSampleBuffer() {
      print(frame.presentationTimeStamp.seconds, frame.pixelBuffer.attachments.signal.color)
      seen.append(frame.pixelBuffer)
    }
    // end
    #expect(seen.count == 6)
    #expect(seen.allSatisfy { $0.format == .biPlanar420p10 })
    #expect(seen.first?.attachments.signal.color == .hlg)
  }

  @Test func properties() async throws {
    // example: properties
    let asset = try await MediaAsset.load(path: input)
    for track in asset.tracks {
      print(track.trackID, track.mediaType, track.naturalSize, track.nominalFrameRate as Any)
      print(track.preferredTransform, track.timeRange as Any, track.estimatedDataRate as Any)
    }
    print(asset.metadata["creation_time"] as Any)
    // end
    let track = try #require(asset.videoTrack)
    #expect(track.trackID == 1 && track.nominalFrameRate == 30)
    #expect(track.naturalSize == VideoDimensions(width: 128, height: 96))
    #expect(track.preferredTransform == .identity)
    #expect(
      track.timeRange == MediaTimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 5)))
    let sizes = try Tool.probe(input, "packet=size").compactMap { Int($0.filter(\.isNumber)) }
    let rate = try #require(track.estimatedDataRate)
    #expect(abs(rate - Double(sizes.reduce(0, +)) * 8 / 0.2) < 1, "\(rate) \(sizes)")
  }

  @Test func sequence() async throws {
    // example: sequence
    var sizes: [Int] = []
    let asset = try await MediaAsset.load(path: input)
    let outputs = try asset.tracks.map {
      try AssetReaderTrackOutput(track: $0, outputSettings: nil)
    }
    let reader = try AssetReader(asset: asset, outputs: outputs)
    for output in reader.outputs {
      for try await sample in output {
        guard case .packet(let packet) = sample else { continue }
        sizes.append(packet.bytes.count)
      }
    }
    // end
    #expect(sizes.count > 6 && sizes.allSatisfy { $0 > 0 })
    let counts = try ["v:0", "a:0"].map {
      try Tool.probe(input, "packet=size", stream: $0).count
    }
    #expect(sizes.count == counts.reduce(0, +))
  }

  @Test func screen() async throws {
    // example: screen
    var greens: [Int] = []
    let asset = try await MediaAsset.load(path: input)
    guard let track = asset.videoTrack else { return }
    // Opaque 8-bit BGRA in sRGB, which screens and most image libraries accept.
    let settings = VideoOutputSettings(colorProperties: .sRGB, pixelFormat: .bgra8)
    let frames = try AssetReaderTrackOutput(track: track, outputSettings: settings)
    let reader = try AssetReader(asset: asset, outputs: [frames])
    try reader.startReading()
    while case .frame(let frame)? = try frames.copyNextSampleBuffer() {
      let image = frame.pixelBuffer
      var sum = 0
      for y in 0..<image.height {
        // Green is the second of a pixel's four numbers.
        image.withRow(y, as: UInt8.self) { row in
          for x in 0..<image.width { sum += Int(row[x * 4 + 1]) }
        }
      }
      greens.append(sum / (image.width * image.height))
    }
    // end
    #expect(greens.count == 6 && greens.allSatisfy { (20..<200).contains($0) }, "\(greens)")
  }

  @Test func progress() async throws {
    // example: progress
    var session = ExportSession(input: input, presetName: .hevcHighestQuality)
    session.outputFileType = .mov
    session.options.verification = .decode
    let export = Task { [session] in try await session.export(to: output) }
    for await state in session.states(updateInterval: .milliseconds(500)) {
      guard case .exporting(let progress) = state else { continue }
      print(progress.fraction ?? 0, progress.secondsLeft ?? 0)
    }
    // If export.cancel() is called, this throws CancellationError and leaves nothing behind.
    print(try await export.value.summary)
    // end
    #expect(try tags() == "bt2020nc,arib-std-b67,bt2020")
  }

  @Test func linearLight() async throws {
    let asset = try await MediaAsset.load(path: input)
    let track = try #require(asset.videoTrack)
    // example: linear
    // Linear BT.2020, half-float RGBA; 1 is reference white.
    let settings = VideoOutputSettings(
      allowWideColor: true,
      colorProperties: ColorDescription(.bt2020, .linear, .bt2020NonConstant),
      pixelFormat: .halfRGBA)
    let frames = try AssetReaderTrackOutput(track: track, outputSettings: settings)
    // end
    let reader = try AssetReader(asset: asset, outputs: [frames])
    try reader.startReading()
    guard case .frame(let frame)? = try frames.copyNextSampleBuffer() else {
      Issue.record("no frame")
      return
    }
    #expect(frame.pixelBuffer.format == .halfRGBA)
  }

  @Test func writing() async throws {
    // example: writing
    let settings = try VideoSettings(outputSettings: [
      "codec": "hevc", "profileLevel": "HEVC_Main10_AutoLevel",
      "colorProperties": [
        "colorPrimaries": "ITU_R_2020", "transferFunction": "ITU_R_2100_HLG",
        "yCbCrMatrix": "ITU_R_2020",
      ],
    ])
    let writer = try AssetWriter(path: output, fileType: .mov)
    let video = try AssetWriterInput(outputSettings: settings)
    try writer.add(video)
    try writer.startWriting()
    let pool = try PixelBufferPool(format: .biPlanar420p10, width: 128, height: 96)
    for index in 0..<10 {
      // Tagged frames are converted and tagged by the settings. Untagged ones are only tagged.
      let tags = Attachments(signal: SignalDescription(color: .bt709))
      let buffer = pool.makeBuffer(attachments: tags, rowsOf: UInt16.self) { _, _, row in
        for x in row.indices { row[x] = 512 << 6 }
      }
      let time = MediaTime(value: Int64(index) * 20, timescale: 600)
      try await video.append(buffer, withPresentationTime: time)
    }
    try await writer.finishWriting()
    // end
    #expect(try tags() == "bt2020nc,arib-std-b67,bt2020")
  }

  @Test func copying() async throws {
    // example: copying
    let asset = try await MediaAsset.load(path: input)
    let writer = try AssetWriter(path: output, fileType: .mov)
    writer.metadataSource = asset
    // Without output settings, packets pass through unchanged.
    let inputs = try asset.tracks.map { try AssetWriterInput(outputSettings: nil, source: $0) }
    for input in inputs { try writer.add(input) }
    try writer.startWriting()
    let outputs = try asset.tracks.map {
      try AssetReaderTrackOutput(track: $0, outputSettings: nil)
    }
    let reader = try AssetReader(asset: asset, outputs: outputs)
    try reader.startReading()
    // Append samples of the tracks in turn, so that the file interleaves them.
    var isMore = true
    while isMore {
      isMore = false
      for (output, input) in zip(outputs, inputs) {
        guard case .packet(let packet)? = try output.copyNextSampleBuffer() else { continue }
        try await input.append(packet)
        isMore = true
      }
    }
    try await writer.finishWriting()
    // end
    #expect(
      try Tool.frameDigests(output, format: "yuv420p10le")
        == Tool.frameDigests(input, format: "yuv420p10le"))
  }

  @Test func attachments() throws {
    // example: attachments
    var attachments = Attachments(signal: SignalDescription(color: .p3D65))
    attachments.contentLightLevel = ContentLightLevel(
      maxContentLightLevel: 1000, maxPicAverageLightLevel: 200)
    attachments[mode: .contentLightLevelInfo] = .shouldNotPropagate
    let pool = try PixelBufferPool(format: .yuv420p10, width: 128, height: 96)
    let source = pool.makeBuffer(attachments: attachments) { _ in }
    // P3 is copied. The light levels are not, because they describe the first buffer's pixels.
    let made = pool.makeBuffer(from: source) { _ in }
    // end
    #expect(made.attachments.signal.color == .p3D65)
    #expect(made.attachments.contentLightLevel == nil)
    #expect(source.attachments.contentLightLevel != nil)
  }

  @Test func closure() async throws {
    // example: closure
    let asset = try await MediaAsset.load(path: input)
    var composition = try VideoComposition(asset: asset, pixelFormat: .halfRGBA) { request in
      let source = request.sourceFrame
      return request.renderContext.newPixelBuffer(from: source, rowsOf: Float16.self) { _, y, to in
        source.withRow(y, as: Float16.self) { from in
          // One stop darker; every fourth number is the opacity.
          for x in to.indices { to[x] = x % 4 == 3 ? 1 : from[x] / 2 }
        }
      }
    }
    composition.colorTransferFunction = .linear
    var session = ExportSession(input: input, presetName: .highestQuality)
    session.videoComposition = composition
    try await session.export(to: output)
    // end
    #expect(try tags() == "bt709,bt709,bt709")
  }

  @Test func layout() async throws {
    // example: layout
    var layout = FrameLayout()
    layout.crop = PixelRectangle(x: 0, y: 12, width: 128, height: 72)
    layout.scale = VideoDimensions(width: 96, height: 54)
    layout.pad = VideoDimensions(width: 96, height: 72)
    var session = ExportSession(input: input, presetName: .hevcHighestQuality)
    session.videoComposition = VideoComposition(compositor: layout)
    try await session.export(to: output)
    // end
    #expect(try Tool.probe(output, "stream=width,height") == ["96,72"])
  }

  @Test func compositor() async throws {
    // example: compositor
    struct Pass: VideoCompositing {
      // HDR comes as it is; without this, frames would come converted to BT.709.
      let supportsHDRSourceFrames = true
      let supportsWideColorSourceFrames = true
      let sourcePixelBufferAttributes: PixelBufferAttributes? =
        PixelBufferAttributes(pixelFormats: [.biPlanar420p10])
      let requiredPixelBufferAttributesForRenderContext: PixelBufferAttributes? =
        PixelBufferAttributes(pixelFormats: [.biPlanar420p10])

      func compose(_ request: CompositionRequest) throws -> PixelBuffer { request.sourceFrame }
    }
    var session = ExportSession(input: input, presetName: .hevcHighestQuality)
    session.videoComposition = VideoComposition(compositor: Pass())
    try await session.export(to: output)
    // end
    #expect(try tags() == "bt2020nc,arib-std-b67,bt2020")
  }

  @Test func retagging() async throws {
    // example: retagging
    var changes = TagChanges()
    changes.color = .pq
    changes.chromaLocation = .stated(.topLeft)
    let notices = try await Retagger(changes).retag(input, to: output)
    for notice in notices { print(notice) }
    // end
    #expect(try tags() == "bt2020nc,smpte2084,bt2020")
  }

  @Test func deciding() async throws {
    let settings = try Preset.settings("hevc-hlg", changes: [])
    // example: notices
    let plan = try await TranscodePlan.make(input: input, settings: settings)
    for notice in plan.notices where notice.severity != .note { print(notice.code, notice.text) }
    // end
    #expect(!plan.notices.contains { $0.severity == .error })
  }

  @Test func validating() async throws {
    // example: validating
    let verdict = try await ValidationReport.make(path: input)
    print(verdict.format, verdict.conforms)
    for rule in verdict.rules where rule.outcome == .fail { print(rule.rule, rule.evidence) }
    // end
    #expect(verdict.format == "HLG" && verdict.conforms)
  }

  @Test func planning() async throws {
    // example: planning
    let settings = try Preset.settings("h264-sdr", changes: ["video.width=64"])
    let plan = try await TranscodePlan.make(input: input, settings: settings)
    for notice in plan.notices { print(notice.severity, notice.text) }
    // end
    let report = PlanReport(plan, input: input, preset: settings.name)
    #expect(report.video?.encoding?.bitstream.color == .bt709)
  }

  @Test func timeRange() async throws {
    // example: timeRange
    // From 0.05 s to 0.1 s. What begins at 0.1 s is not included.
    var session = ExportSession(input: input, presetName: .passthrough)
    session.timeRange = MediaTimeRange(
      start: MediaTime(seconds: 0.05, preferredTimescale: 600),
      end: MediaTime(seconds: 0.1, preferredTimescale: 600))
    try await session.export(to: output)
    // end
    let duration = try Tool.probe(output, "format=duration").first.flatMap { Double($0) }
    #expect(abs((duration ?? 0) - 0.05) < 0.002)
  }

  @Test func images() async throws {
    // example: images
    var generator = AssetImageGenerator(asset: try await MediaAsset.load(path: input))
    generator.appliesPreferredTrackTransform = true
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    let (image, time) = try await generator.image(at: MediaTime(value: 1, timescale: 10))
    // end
    #expect(image.size == VideoDimensions(width: 128, height: 96) && time.seconds == 0.1)
  }

  /// Every code example in the catalog is one of the examples above, which compile and work.
  @Test func theCatalogHasTheseExamples() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let catalog = root.appendingPathComponent("Sources/Transcoding/Transcoding.docc")
    func plain(_ text: some StringProtocol) -> String {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
    let source = plain(try String(contentsOf: here, encoding: .utf8))
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalog.path)
      .filter { $0.hasSuffix(".md") }
    var count = 0
    for page in pages {
      let text = try String(contentsOf: catalog.appendingPathComponent(page), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let code = try #require(block.components(separatedBy: "```").first)
        let isCompiled = source.contains(plain(code))
        #expect(isCompiled, "\(page): \(code)")
        count += 1
      }
    }
    #expect(count == source.components(separatedBy: "// example: ").count - 2)
  }
}
