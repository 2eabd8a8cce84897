// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import Bitstreams
import CodePoints
import Foundation
@testable import Host
import ISOBMFF
import LibAV
import MediaCore
@testable import Planning
@testable import Reading
@testable import Settings
import Synchronization
import TestSupport
import Testing
@testable import Transcoding
@testable import Writing

/// Files are written from buffers that a program makes, or from what a reader returns. How they are
/// tagged depends on the tags of the buffers and on the colors in the settings.
@Suite struct AssetWriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a gray frame with one code value for luma.
  private static func picture(
    _ luma: Int, _ format: PixelFormat, _ signal: SignalDescription
  ) -> PixelBuffer {
    PixelBufferPool(format, width: 128, height: 96).makeBuffer(
      attachments: Attachments(signal: signal)
    ) { planes in
      for (index, plane) in planes.enumerated() {
        let value = index == 0 ? luma : 1 << (format.bitDepth - 1)
        let shifted = format.layout == .biPlanar ? value << (16 - format.bitDepth) : value
        for y in 0..<plane.height {
          let row = plane.baseAddress + y * plane.bytesPerRow
          let count = plane.width * format.bytesPerPosition(ofPlane: index)
          if format.bytesPerSample == 1 {
            row.initializeMemory(as: UInt8.self, repeating: UInt8(value), count: count)
          } else {
            row.initializeMemory(as: UInt16.self, repeating: UInt16(shifted), count: count / 2)
          }
        }
      }
    }
  }

  private func write(
    _ buffers: [PixelBuffer], _ settings: JSONValue, _ name: String = "out.mov"
  ) async throws -> String {
    let path = folder.path(name)
    let writer = try AssetWriter(path: path, fileType: name.hasSuffix("mp4") ? .mp4 : .mov)
    let input = try AssetWriterInput(outputSettings: VideoSettings(outputSettings: settings))
    try writer.add(input)
    try writer.startWriting()
    try writer.startSession(atSourceTime: MediaTime(value: 100, timescale: 600))
    for (index, buffer) in buffers.enumerated() {
      try await input.append(
        buffer, withPresentationTime: MediaTime(value: 100 + Int64(index) * 20, timescale: 600))
    }
    try await writer.finishWriting()
    return path
  }

  /// A Matroska file is made from a movie, and not every kind of movie can store AV1, so the writer
  /// has to choose a kind that can.
  @Test(arguments: ["mkv", "webm"]) func av1IsEncodedForMatroska(kind: String) async throws {
    let path = folder.path("av1.\(kind)")
    let writer = try AssetWriter(path: path, fileType: #require(FileType(rawValue: kind)))
    let input = try AssetWriterInput(
      outputSettings: VideoSettings(
        outputSettings: ["codec": "av1", "compressionProperties": ["speed": "12"]]))
    #expect(writer.canAdd(input))
    try writer.add(input)
    try writer.startWriting()
    for index in 0..<3 {
      try await input.append(
        Self.picture(500, .yuv420p10, SignalDescription(color: .pq, videoFullRangeFlag: false)),
        withPresentationTime: MediaTime(value: Int64(index) * 20, timescale: 600))
    }
    try await writer.finishWriting()
    #expect(try Tool.probe(path, "stream=codec_name,color_transfer") == ["av1,smpte2084"])
  }

  /// Computed RPUs come with the record of Dolby Vision. WebM has no place for the record, so there
  /// are no RPUs either, and to ask for them is refused.
  @Test(arguments: ["mp4", "mkv", "webm"]) func rpusComeWithTheirRecord(kind: String) async throws {
    let container = try #require(FileType(rawValue: kind))
    func input(_ dolbyVision: String) throws -> AssetWriterInput {
      try AssetWriterInput(
        outputSettings: VideoSettings(
          outputSettings: [
            "codec": "av1", "compressionProperties": ["speed": "12"],
            "hdrMetadata": ["dolbyVision": .string(dolbyVision)],
          ]))
    }
    let path = folder.path("hlg.\(kind)")
    let writer = try AssetWriter(path: path, fileType: container)
    #expect(try writer.canAdd(input("8.4")) == (container != .webm))
    try writer.add(input("auto"))
    try writer.startWriting()
    for index in 0..<3 {
      try await writer.inputs[0].append(
        Self.picture(500, .yuv420p10, SignalDescription(color: .hlg, videoFullRangeFlag: false)),
        withPresentationTime: MediaTime(value: Int64(index) * 20, timescale: 600))
    }
    try await writer.finishWriting()
    let metadata = try #require(try MediaAsset(opening: path).videoTrack?.video?.hdrMetadata)
    #expect((metadata.dolbyVision != nil) == (container != .webm))
    #expect(metadata.dynamicKinds.contains { $0 == DolbyVisionRPU.self } == (container != .webm))
  }

  /// Packets of AV1 are copied into Matroska. The movie from which the Matroska file is made must
  /// then be an MP4.
  @Test(arguments: ["mkv", "webm"]) func av1IsCopiedIntoMatroska(kind: String) async throws {
    let (source, path) = (folder.path("source.mp4"), folder.path("copy.\(kind)"))
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.2", "-c:v", "libsvtav1", "-preset", "12",
      "-pix_fmt", "yuv420p10le", source)
    let asset = try MediaAsset(opening: source)
    let track = try #require(asset.videoTrack)
    let writer = try AssetWriter(path: path, fileType: #require(FileType(rawValue: kind)))
    let input = try AssetWriterInput(outputSettings: nil, source: track)
    try writer.add(input)
    let output = try AssetReaderTrackOutput(track: track, outputSettings: nil)
    _ = try AssetReader(asset: asset, outputs: [output])
    try writer.startWriting()
    while let sample = try output.copyNextSampleBuffer() { try await input.append(sample) }
    try await writer.finishWriting()
    #expect(
      try Tool.frameDigests(path, format: "yuv420p10le")
        == Tool.frameDigests(source, format: "yuv420p10le"))
  }

  /// A codec that the container cannot store is refused before anything is written.
  @Test(arguments: [("av1", FileType.mov), ("hevc", FileType.webm)])
  func codecsWithoutAPlaceAreRefused(codec: String, container: FileType) throws {
    let writer = try AssetWriter(path: folder.path("no.file"), fileType: container)
    let input = try AssetWriterInput(
      outputSettings: VideoSettings(outputSettings: ["codec": .string(codec)]))
    #expect(!writer.canAdd(input))
    #expect(throws: TranscodingError.self) { try writer.add(input) }
  }

  private func tags(_ path: String) throws -> String {
    try Tool.probe(path, "stream=color_space,color_transfer,color_primaries").first ?? ""
  }

  private func hasColorBox(_ path: String) throws -> Bool {
    try MediaAsset(opening: path).videoTrack?.box?.sampleEntries.first?.payload("colr") != nil
  }

  /// MaxCLL is the light of the brightest gray, and MaxFALL is that of the brightest frame. Both
  /// are known only after the last frame. The grays are PQ codes for 100, 203 and 50 cd/m². The
  /// signals are 50.8 %, 58 % and 44 % (SMPTE ST 2084, equation 5.2; the second one also by
  /// BT.2408, table 1).
  @Test func contentLightIsMeasuredFromBuffers() async throws {
    let signal = SignalDescription(color: .pq, videoFullRangeFlag: false)
    let pictures = [509, 572, 449].map { Self.picture($0, .yuv420p10, signal) }
    let path = try await write(
      pictures,
      [
        "codec": "hevc",
        "compressionProperties": [
          "lossless": true, "speed": "ultrafast", "contentLightLevel": "measure",
        ],
      ])
    let metadata = try #require(try MediaAsset(opening: path).videoTrack?.video).hdrMetadata
    let light = try #require(metadata.contentLightLevel)
    #expect((202...204).contains(light.value.maxContentLightLevel))
    #expect(light.value.maxPicAverageLightLevel == light.value.maxContentLightLevel)
    #expect(light.places.starts(with: [.box("clli"), .message(144)]))
  }

  private static let hlg: JSONValue = [
    "codec": "hevc", "profileLevel": "HEVC_Main10_AutoLevel",
    "colorProperties": [
      "colorPrimaries": "ITU_R_2020", "transferFunction": "ITU_R_2100_HLG",
      "yCbCrMatrix": "ITU_R_2020",
    ], "compressionProperties": ["lossless": true, "speed": "ultrafast"],
  ]
  private static let plain: JSONValue = [
    "codec": "hevc", "compressionProperties": ["lossless": true, "speed": "ultrafast"],
  ]

  /// Returns the luma of a file's first pixel, as an independent decoder reads it.
  private func firstLuma(_ path: String, _ format: String) throws -> Int {
    let bytes = try Tool.picture(path, format: format)
    return format.contains("10") ? Int(bytes[0]) | Int(bytes[1]) << 8 : Int(bytes[0])
  }

  @Test func untaggedBuffersAreTaggedBySettings() async throws {
    let buffer = Self.picture(721, .yuv420p10, SignalDescription())
    let path = try await write([buffer, buffer, buffer], Self.hlg)
    #expect(try tags(path) == "bt2020nc,arib-std-b67,bt2020")
    #expect(try firstLuma(path, "yuv420p10le") == 721)
  }

  /// SDR white becomes diffuse white, which is 75 % of HLG.
  @Test func taggedBuffersAreConverted() async throws {
    let buffer = Self.picture(
      940, .yuv420p10, SignalDescription(color: .bt709, videoFullRangeFlag: false))
    let path = try await write([buffer, buffer], Self.hlg, "out.mp4")
    #expect(try tags(path) == "bt2020nc,arib-std-b67,bt2020")
    #expect(abs(try firstLuma(path, "yuv420p10le") - 721) <= 2)
  }

  @Test func tagsPropagateWithoutColorProperties() async throws {
    let buffer = Self.picture(500, .yuv420p10, SignalDescription(color: .p3D65))
    let path = try await write([buffer, buffer], Self.plain)
    #expect(try tags(path) == "bt709,bt709,smpte432")
    #expect(try firstLuma(path, "yuv420p10le") == 500)
  }

  @Test func untaggedStaysUntagged() async throws {
    let buffer = Self.picture(100, .yuv420p8, SignalDescription())
    let path = try await write([buffer, buffer], Self.plain)
    #expect(try tags(path) == "unknown,unknown,unknown")
    #expect(try !hasColorBox(path))
  }

  /// Frames may have the pixel format that Apple demands for Dolby Vision and HLG, or three planes.
  @Test(arguments: [PixelFormat.biPlanar420p10, .yuv420p10])
  func pixelFormats(format: PixelFormat) async throws {
    let buffer = Self.picture(
      600, format, SignalDescription(color: .hlg, videoFullRangeFlag: false))
    let path = try await write([buffer, buffer], Self.hlg)
    #expect(try firstLuma(path, "yuv420p10le") == 600)
  }

  /// Times are those of the buffers, counted from the start time of the session.
  @Test func timesAreExact() async throws {
    let buffer = Self.picture(100, .yuv420p8, SignalDescription())
    let path = try await write(Array(repeating: buffer, count: 5), Self.plain)
    let times = try Tool.probe(path, "packet=pts_time").compactMap(Double.init).sorted()
    #expect(times.count == 5)
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 30) < 1e-5) }
  }

  /// Times in a file are exact, even if a program states them in different timescales. The first
  /// time is usually `.zero`, which has one tick a second, and later ones may be in 24ths.
  @Test(arguments: [30, 24, 1001, 90_000] as [Int32])
  func timesOfAnyTimescale(timescale: Int32) async throws {
    let step: Int64 = timescale == 1001 ? 33 : timescale == 90_000 ? 3003 : 1
    let path = folder.path("times.mov")
    let writer = try AssetWriter(path: path, fileType: .mov)
    let input = try AssetWriterInput(outputSettings: VideoSettings(outputSettings: Self.plain))
    try writer.add(input)
    try writer.startWriting()
    let buffer = Self.picture(100, .yuv420p8, SignalDescription())
    for index in 0..<5 {
      let time = MediaTime(value: Int64(index) * step, timescale: timescale)
      try await input.append(buffer, withPresentationTime: index == 0 ? .zero : time)
    }
    try await writer.finishWriting()
    let times = try Tool.probe(path, "packet=pts_time").compactMap(Double.init).sorted()
    #expect(times.count == 5)
    for (index, time) in times.enumerated() {
      #expect(abs(time - Double(Int64(index) * step) / Double(timescale)) < 2e-6)
    }
    // A finished input or writer takes nothing more, and throws an error.
    await #expect(throws: TranscodingError.self) {
      try await input.append(
        VideoFrame(pixelBuffer: buffer, presentationTimeStamp: .zero, duration: .zero))
    }
    await #expect(throws: TranscodingError.self) { try await writer.finishWriting() }
    #expect(folder.names == ["times.mov"])
  }

  /// Gray R'G'B' stays gray, even if no matrix is stated.
  @Test(arguments: [nil, ColorDescription(.bt709, .bt709, .unspecified), .bt709])
  func halfFloatBuffers(color: ColorDescription?) async throws {
    let buffer = PixelBufferPool(.halfRGBA, width: 128, height: 96).makeBuffer(
      attachments: Attachments(signal: SignalDescription(color: color ?? .unspecified))
    ) { planes in
      planes[0].baseAddress.initializeMemory(
        as: Float16.self, repeating: 0.5, count: planes[0].bytesPerRow / 2 * planes[0].height)
    }
    let path = try await write([buffer, buffer], Self.plain)
    let bytes = try Tool.picture(path, format: "yuv444p10le")
    let plane = 128 * 96 * 2
    let pixel = [0, plane, 2 * plane].map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    #expect(abs(pixel[0] - 502) <= 1 && pixel[1] == 512 && pixel[2] == 512, "\(pixel)")
  }

  /// Pixels that a program paints for a screen are tagged as sRGB in the file, and their colors
  /// come back.
  @Test(arguments: [PixelFormat.bgra8, .rgba8])
  func buffersOfPixels(format: PixelFormat) async throws {
    let pixel: [UInt8] = format == .bgra8 ? [50, 100, 200, 0] : [200, 100, 50, 255]
    let buffer = PixelBufferPool(format, width: 128, height: 96).makeBuffer(
      attachments: Attachments(signal: SignalDescription(color: .sRGB)), rowsOf: UInt8.self
    ) { _, _, row in
      for x in row.indices { row[x] = pixel[x % 4] }
    }
    let path = try await write([buffer, buffer], Self.plain)
    let bytes = try Tool.picture(path, format: "rgb24").prefix(3)
    #expect(zip(bytes, [200, 100, 50]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(bytes)")
    #expect(try tags(path) == "bt709,iec61966-2-1,bt709")
  }

  @Test func buffersThatChangeAreRefused() async throws {
    let first = Self.picture(100, .yuv420p8, SignalDescription(color: .bt709))
    for other in [
      Self.picture(100, .yuv420p8, SignalDescription(color: .p3D65)),
      Self.picture(400, .yuv420p10, SignalDescription(color: .bt709)),
    ] {
      await #expect(throws: TranscodingError.self) {
        try await write([first, first, other, first], Self.plain)
      }
      #expect(folder.names.isEmpty)
    }
  }

  @Test func mistakesAreRefused() async throws {
    #expect(throws: TranscodingError.self) { try AssetWriterInput(outputSettings: nil) }
    let composed: JSONValue = [
      "codec": "hevc", "composition": ["pad": ["width": 64, "height": 64]],
    ]
    #expect(throws: TranscodingError.self) {
      try AssetWriterInput(outputSettings: VideoSettings(outputSettings: composed))
    }
    #expect(throws: TranscodingError.self) {
      try VideoSettings(outputSettings: ["codec": "hevc", "colorProperties": ["colorPrimaries": 9]])
    }
    let writer = try AssetWriter(path: folder.path("a.mov"), fileType: .mov)
    #expect(throws: TranscodingError.self) { try writer.startWriting() }
    try writer.add(AssetWriterInput(outputSettings: VideoSettings(outputSettings: Self.plain)))
    #expect(throws: TranscodingError.self) {
      try writer.add(AssetWriterInput(outputSettings: VideoSettings(outputSettings: Self.plain)))
    }
    // Nothing was appended.
    try writer.startWriting()
    await #expect(throws: TranscodingError.self) { try await writer.finishWriting() }
    #expect(folder.names.isEmpty)
    let keys = AssetWriter.supportedOutputSettingsKeys(for: .video)
    #expect(keys.contains("colorProperties") && keys.contains("compressionProperties"))
  }

  /// Calls in the wrong order and samples for the wrong input are errors, not crashes.
  @Test func wrongOrdersAreErrors() async throws {
    try await SampleMovie(width: 128, height: 96, seconds: 0.1).write(to: folder.path("a.mov"))
    let asset = try await MediaAsset.load(path: folder.path("a.mov"))
    let frame = VideoFrame(
      pixelBuffer: Self.picture(100, .yuv420p8, SignalDescription()), presentationTimeStamp: .zero,
      duration: MediaTime(value: 1, timescale: 30))
    let writer = try AssetWriter(path: folder.path("b.mov"), fileType: .mov)
    let pictures = try AssetWriterInput(outputSettings: VideoSettings(outputSettings: Self.plain))
    let packets = try AssetWriterInput(outputSettings: nil, source: asset.videoTrack)
    // Not started yet.
    await #expect(throws: TranscodingError.self) { try await pictures.append(frame) }
    await #expect(throws: TranscodingError.self) { try await pictures.markAsFinished() }
    await #expect(throws: TranscodingError.self) { try await writer.finishWriting() }
    try writer.add(pictures)
    try writer.add(packets)
    try writer.startWriting()
    #expect(throws: TranscodingError.self) { try writer.startWriting() }
    #expect(throws: TranscodingError.self) { try writer.add(packets) }
    // Each input is given what only the other one accepts.
    await #expect(throws: TranscodingError.self) { try await packets.append(frame) }
    let packet = try Packet(
      bytes: [0], trackIndex: 0, timescale: 30, ticks: (presentation: 0, decode: 0, duration: 1))
    await #expect(throws: TranscodingError.self) {
      try await pictures.append(CompressedSample(packet))
    }
    let other = try AssetWriter(path: folder.path("c.mov"), fileType: .mov)
    try other.add(pictures)
    #expect(throws: TranscodingError.self) { try other.startWriting() }
    other.cancelWriting()
    await #expect(throws: CancellationError.self) { try await other.finishWriting() }
    writer.cancelWriting()
    #expect(folder.names == ["a.mov"])
  }

  /// Inputs can be fed at the same time, each by its own task.
  @Test func inputsSideBySide() async throws {
    let path = folder.path("a.mov")
    try await SampleMovie(width: 128, height: 96, seconds: 1).write(to: path)
    let asset = try await MediaAsset.load(path: path)
    let writer = try AssetWriter(path: folder.path("b.mov"), fileType: .mov)
    let inputs = try asset.tracks.map { try AssetWriterInput(outputSettings: nil, source: $0) }
    for input in inputs { try writer.add(input) }
    try writer.startWriting()
    try await withThrowingTaskGroup { group in
      for (track, input) in zip(asset.tracks, inputs) {
        group.addTask {
          let output = try AssetReaderTrackOutput(track: track, outputSettings: nil)
          _ = try AssetReader(asset: asset, outputs: [output])
          while case .packet(let packet)? = try output.copyNextSampleBuffer() {
            try await input.append(packet)
          }
          try await input.markAsFinished()
        }
      }
      try await group.waitForAll()
    }
    try await writer.finishWriting()
    for stream in ["v:0", "a:0"] {
      let packets = try ["a.mov", "b.mov"].map { name in
        try Tool.probe(folder.path(name), "packet=pts_time,size", stream: stream)
      }
      #expect(packets[0] == packets[1] && !packets[0].isEmpty)
    }
  }

  /// A task that appends gets an error when another task cancels the writer.
  @Test func cancellingEndsAppends() async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"), fileType: .mov)
    let input = try AssetWriterInput(outputSettings: VideoSettings(outputSettings: Self.plain))
    try writer.add(input)
    try writer.startWriting()
    let (appended, counter) = AsyncStream.makeStream(of: Int.self)
    let appending = Task {
      let buffer = Self.picture(100, .yuv420p8, SignalDescription())
      for index in 0... {
        try await input.append(
          buffer, withPresentationTime: MediaTime(value: Int64(index), timescale: 30))
        counter.yield(index)
      }
    }
    for await index in appended where index == 5 { break }
    writer.cancelWriting()
    await #expect(throws: CancellationError.self) { try await appending.value }
    #expect(folder.names.isEmpty)
  }

  /// A writer that is cancelled while it finishes throws a cancellation error and leaves nothing,
  /// no matter how far its work on boxes has come.
  @Test func cancellingEndsFinishing() async throws {
    let path = folder.path("a.mov")
    try await SampleMovie(width: 128, height: 96, seconds: 0.2).write(to: path)
    let samples = try FileBytes.read(path)
    var count = 0
    while true {
      let file = try UnfinishedFile(
        destination: folder.path("b.mov"), overwrite: false, in: .withoutInput())
      defer { file.discard() }
      try Data(samples).write(to: URL(fileURLWithPath: file.samplesPath))
      let delivery = OutputDelivery(
        file: file, movieType: .mov, container: .mov, movieTimescale: 600, metadata: nil,
        verification: .none,
        promise: nil)
      let calls = Mutex(0)
      do {
        try delivery.deliver([]) { [count] in
          try calls.withLock { calls in
            calls += 1
            if calls > count { throw CancellationError() }
          }
        }
        break
      } catch {
        let meaning = TranscodingError.meaning(of: error, output: "b.mov")
        #expect(meaning is CancellationError, "\(meaning)")
        #expect(folder.names == ["a.mov"])
      }
      count += 1
    }
    #expect(count > 2 && folder.names == ["a.mov", "b.mov"])
  }

  /// The encoded track of a file may come after a copied one.
  @Test func encodedPicturesMayBeTheSecondTrack() async throws {
    let path = folder.path("a.mov")
    try await SampleMovie(width: 128, height: 96, seconds: 0.2).write(to: path)
    let asset = try await MediaAsset.load(path: path)
    let track = try #require(asset.videoTrack)
    let writer = try AssetWriter(path: folder.path("out.mov"), fileType: .mov)
    let copy = try AssetWriterInput(outputSettings: nil, source: track)
    let encoded = try AssetWriterInput(
      outputSettings: VideoSettings(outputSettings: Self.plain))
    for input in [copy, encoded] { try writer.add(input) }
    try writer.startWriting()
    let output = try AssetReaderTrackOutput(track: track, outputSettings: nil)
    _ = try AssetReader(asset: asset, outputs: [output])
    while case .packet(let packet)? = try output.copyNextSampleBuffer() {
      try await copy.append(packet)
    }
    let buffer = Self.picture(100, .yuv420p8, SignalDescription())
    for time in 0..<3 {
      try await encoded.append(
        buffer, withPresentationTime: MediaTime(value: Int64(time), timescale: 25))
    }
    try await writer.finishWriting()
    let made = try await MediaAsset.load(path: folder.path("out.mov"))
    #expect(made.tracks.map(\.sampleEntry) == ["hvc1", "hvc1"])
  }

  /// A writer that is released before it finishes leaves nothing.
  @Test func anAbandonedWriterLeavesNothing() async throws {
    do {
      let writer = try AssetWriter(path: folder.path("a.mov"), fileType: .mov)
      let input = try AssetWriterInput(outputSettings: VideoSettings(outputSettings: Self.plain))
      try writer.add(input)
      try writer.startWriting()
      let buffer = Self.picture(100, .yuv420p8, SignalDescription())
      try await input.append(buffer, withPresentationTime: .zero)
    }
    #expect(folder.names.isEmpty)
  }

  /// Audio can be copied as packets while video is encoded, even if all packets come before the
  /// first frame. Without a frame, the writer does not know yet what video it will write.
  @Test(.needsSharedMedia) func readerToWriter() async throws {
    let asset = try await MediaAsset.load(
      path: SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"))
    let video = try #require(asset.videoTrack)
    let audio = try #require(asset.tracks.first { $0.demuxed.kind == .audio })
    let writer = try AssetWriter(path: folder.path("out.mov"), fileType: .mov)
    writer.metadataSource = asset
    let inputs = [
      try AssetWriterInput(
        outputSettings: VideoSettings(outputSettings: Self.hlg), source: video),
      try AssetWriterInput(outputSettings: nil, source: audio),
    ]
    for input in inputs { try writer.add(input) }
    try writer.startWriting()
    for (track, input, settings) in [
      (audio, inputs[1], nil), (video, inputs[0], VideoOutputSettings(allowWideColor: true)),
    ] {
      let output = try AssetReaderTrackOutput(track: track, outputSettings: settings)
      _ = try AssetReader(asset: asset, outputs: [output])
      while let sample = try output.copyNextSampleBuffer() {
        switch sample {
        case .frame(let frame): try await input.append(frame)
        case .packet(let packet): try await input.append(packet)
        }
      }
    }
    try await writer.finishWriting()
    let path = folder.path("out.mov")
    #expect(try tags(path) == "bt2020nc,arib-std-b67,bt2020")
    for (stream, count) in [("v:0", "4"), ("a:0", "\(try audioPackets(audio, asset))")] {
      let counts = try Tool.probe(
        path, "stream=nb_read_packets", stream: stream, options: ["-count_packets"])
      #expect(counts == [count])
    }
    let written = try MediaAsset(opening: path)
    #expect(written.videoTrack?.matrix == video.matrix)
    #expect(written.movie?.header.creationTime == asset.movie?.header.creationTime)
  }

  /// Frames keep the source's metadata byte for byte if a reader delivers them unchanged or only
  /// packs the same samples differently.
  @Test(
    .needsSharedMedia,
    arguments: [
      ("hdr/androidx__dolbyVision-hdr.MOV", nil),
      ("hdr/androidx__dolbyVision-hdr.MOV", PixelFormat.biPlanar420p10),
      ("hdr/androidx__dolbyVision-hdr.MOV", .yuv420p10),
      ("hdr/hdr10plus_tool__regular.mkv", nil),
      ("hdr/hdr10plus_tool__regular.mkv", .biPlanar420p10),
    ] as [(String, PixelFormat?)])
  func packingKeepsMetadataOfFrames(name: String, format: PixelFormat?) async throws {
    let source = SharedMedia.path(name)
    let settings = VideoOutputSettings(allowWideColor: true, pixelFormat: format)
    let notices = try await copy(source, settings)
    #expect(!notices.contains { $0.code == "rpusComputed" }, "\(notices)")
    let (expected, found) = (try metadata(of: source), try metadata(of: folder.path("out.mov")))
    #expect(expected.contains { $0.rpu != nil || $0.hdr10Plus != nil })
    #expect(found.map(\.rpu) == expected.map(\.rpu))
    #expect(found.map(\.hdr10Plus) == expected.map(\.hdr10Plus))
    #expect(found.map(\.light) == expected.map(\.light))
  }

  /// If frames are changed, a notice says that their RPUs are new.
  @Test(.needsSharedMedia) func newRPUsAreTold() async throws {
    let source = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let settings = VideoOutputSettings(allowWideColor: true)
    let notices = try await copy(source, settings, width: 320)
    #expect(notices.contains { $0.code == "rpusComputed" }, "\(notices)")
  }

  /// Encodes the first frames of a file as HEVC. They keep their color.
  private func copy(
    _ source: String, _ settings: VideoOutputSettings, width: Int? = nil
  ) async throws -> [Notice] {
    let asset = try await MediaAsset.load(path: source)
    let video = try #require(asset.videoTrack)
    let writer = try AssetWriter(path: folder.path("out.mov"), fileType: .mov)
    var encoding = try VideoSettings(outputSettings: Self.plain)
    encoding.width = width
    let input = try AssetWriterInput(outputSettings: encoding, source: video)
    try writer.add(input)
    try writer.startWriting()
    let output = try AssetReaderTrackOutput(track: video, outputSettings: settings)
    _ = try AssetReader(asset: asset, outputs: [output])
    var count = 0
    while count < Self.someFrames, case .frame(let frame)? = try output.copyNextSampleBuffer() {
      try await input.append(frame)
      count += 1
    }
    let notices = input.notices
    try await writer.finishWriting()
    return notices
  }

  private static let someFrames = 4

  /// Returns the metadata of a file's first frames.
  private func metadata(
    of path: String
  ) throws -> [(rpu: [UInt8]?, hdr10Plus: [UInt8]?, light: Double?)] {
    let asset = try MediaAsset(opening: path)
    let video = try #require(asset.videoTrack)
    let light = video.formatDescriptions.first?.extensions[.ambientViewingEnvironment]?.illuminance
    let reader = try AssetReading(asset, for: [TrackReading(track: video, decodes: true)])
    var found: [(rpu: [UInt8]?, hdr10Plus: [UInt8]?, light: Double?)] = []
    while found.count < Self.someFrames,
      case .frame(let frame)? = try reader.next()?.sample
    {
      let metadata = frame.metadata.payloads
      found.append((metadata[DolbyVisionRPU.key], metadata[HDR10Plus.key], light))
    }
    return found
  }

  /// Counts the packets that the edits of a track present.
  private func audioPackets(_ track: AssetTrack, _ asset: MediaAsset) throws -> Int {
    let output = try AssetReaderTrackOutput(track: track, outputSettings: nil)
    _ = try AssetReader(asset: asset, outputs: [output])
    var count = 0
    while try output.copyNextSampleBuffer() != nil { count += 1 }
    return count
  }
}
