// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import LibAV
internal import MediaCore
internal import Planning
internal import VideoEncoders
internal import Writing

/// A generated movie: HLG color bars with a moving box, in HEVC's Main10 profile, and a tone in
/// AAC. With it, people can try things out without a source file.
public struct SampleMovie: Sendable {
  private let width: Int
  private let height: Int
  private let seconds: Double

  private static let framesPerSecond: Int64 = 30
  private static let sampleRate = 48_000
  private static let timescale: Int32 = 600

  /// Creates a movie.
  ///
  /// - Parameters:
  ///   - width: luma samples in a row, even, 64…8192.
  ///   - height: luma rows, even, 64…8192.
  ///   - seconds: the duration in seconds, 0.1…3600.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for values that are not allowed.
  public init(width: Int, height: Int, seconds: Double) throws {
    guard [width, height].allSatisfy({ (64...8192).contains($0) && $0 % 2 == 0 }) else {
      throw TranscodingError(
        .invalidSettings,
        "a sample movie needs an even width and height from 64 to 8192, not \(width)×\(height)")
    }
    guard (0.1...3600).contains(seconds) else {
      throw TranscodingError(
        .invalidSettings, "a sample movie lasts 0.1 to 3600 seconds, not \(seconds)")
    }
    self.width = width
    self.height = height
    self.seconds = seconds
  }

  /// Writes the movie as `.mov` or `.mp4`, depending on the path's extension.
  ///
  /// - Throws: ``TranscodingError``; `CancellationError` if the task is cancelled.
  public func write(to path: String, overwrite: Bool = false) async throws {
    let container = try container(of: path)
    let file = try UnfinishedFile(
      destination: path, overwrite: overwrite, in: .withoutInput())
    defer { file.discard() }
    do {
      let pipeline = Pipeline()
      let samples = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
      // Opening and finishing block on the disk, and threads of Swift's cooperative pool must not
      // block.
      let writer = try await Pipeline.onThread("prepare") { _ in
        Exclusive(
          try MovieWriter(
            path: file.samplesPath, movieType: container, container: container, trackCount: 2,
            movieTimescale: Self.timescale, queue: samples))
      }
      pipeline.start("video") { try drawFrames(to: TrackWriter(index: 0, queue: samples)) }
      pipeline.start("audio") { try makeAudio(to: TrackWriter(index: 1, queue: samples)) }
      pipeline.start("write") { try writer.use { try $0.write(for: path) } }
      try await pipeline.finish()
      let delivery = OutputDelivery(
        file: file, movieType: container, container: container,
        movieTimescale: Self.timescale, metadata: nil, verification: .normal, promise: promise)
      let tracks = writer.use { $0.writtenTracks() }
      try await Pipeline.onThread("finish") { checkpoint -> Void in
        _ = try delivery.deliver(tracks, checkpoint: checkpoint)
      }
    } catch {
      throw TranscodingError.meaning(of: error, output: path)
    }
  }

  private func container(of path: String) throws -> FileType {
    let suffix = URL(fileURLWithPath: path).pathExtension.lowercased()
    guard let container = FileType(rawValue: suffix), container.isMovie else {
      throw TranscodingError(.invalidSettings, "\(path): a sample movie is a .mov or .mp4 file")
    }
    return container
  }

  private var frameCount: Int64 {
    max(Int64((seconds * Double(Self.framesPerSecond)).rounded()), 1)
  }
  private var length: MediaTime {
    MediaTime(value: frameCount, timescale: Int32(Self.framesPerSecond))
  }
  private var sampleCount: Int {
    Int(frameCount) * Self.sampleRate / Int(Self.framesPerSecond)
  }

  private var promise: OutputPromise {
    OutputPromise(
      sampleEntry: VideoCodec.hevc.sampleEntry, bitstream: VideoCodec.hevc.bitstream,
      size: VideoDimensions(width: width, height: height),
      signal: SampleFrames.signal, vuiSignal: SampleFrames.signal.inVUI)
  }

  /// The edit that presents the media from time zero.
  private var timeline: EditTimeline {
    // The audio encoder's priming has times before zero, which this edit leaves out.
    EditTimeline(edits: [.init(duration: length, mediaStart: .zero)])
  }

  private func openEncoder() throws -> EncodingStage {
    var settings = VideoEncoderSettings(
      size: VideoDimensions(width: width, height: height), format: .yuv420p10,
      signal: SampleFrames.signal, timescale: Self.timescale,
      frameRate: FrameRate(framesPerSecond: Int(Self.framesPerSecond)))
    settings.speed = "veryfast"
    settings.rateControl = .constantRateFactor(16)
    let encoder = try X265Encoder(settings)
    let format = VideoTrackFormat(
      codecName: VideoCodec.hevc.rawValue, sampleEntry: VideoCodec.hevc.sampleEntry,
      size: settings.size, sampleAspectRatio: .square,
      parameterSets: encoder.parameterSets, timescale: settings.timescale,
      frameRate: settings.frameRate)
    return EncodingStage(encoder, format: format)
  }

  /// Draws and encodes the frames. The box goes from left to right and back in four seconds.
  private func drawFrames(to output: TrackWriter) throws {
    guard let pictures = SampleFrames(width: width, height: height) else {
      throw TranscodingError(.internalFault, "the matrix of BT.2020 is missing")
    }
    let encoding = try openEncoder()
    try encoding.open(output)
    let step = Int64(Self.timescale) / Self.framesPerSecond
    let period = Self.framesPerSecond * 2
    for index in 0..<frameCount {
      let phase = Double(index % (2 * period)) / Double(period)
      let picture = pictures.picture(boxAt: phase <= 1 ? phase : 2 - phase)
      try encoding.encode(
        VideoFrame(
          pixelBuffer: picture,
          presentationTimeStamp: MediaTime(value: index * step, timescale: Self.timescale),
          duration: MediaTime(value: step, timescale: Self.timescale)), to: output)
    }
    var boxes = TrackBoxes(timeline: timeline)
    boxes.color = .stated(SampleFrames.signal)
    try encoding.finish(boxes, to: output)
  }

  /// Encodes the tone: 1 kHz at 18 dB below full scale, the alignment level of EBU R 68.
  private func makeAudio(to output: TrackWriter) throws {
    let audio = try AudioEncoder(
      AudioEncoderSettings(
        codec: .aac, sampleRate: Self.sampleRate, layout: .stereo, bitRate: 128_000, isDeep: false))
    try output.open(
      .encodedAudio(audio.codec, timescale: Int32(Self.sampleRate), language: nil))
    let amplitude = pow(10, -18.0 / 20)
    var position = 0
    while position < sampleCount {
      let end = min(position + audio.samplesPerPacket, sampleCount)
      let tone = (position..<end).map { index in
        Float(amplitude * sin(2 * .pi * 1000 * Double(index) / Double(Self.sampleRate)))
      }
      let buffer = try AudioBuffer([tone, tone], audio.format)
      for sample in try audio.append(buffer) { try output.write(sample) }
      position = end
    }
    for sample in try audio.finish() { try output.write(sample) }
    try output.end(TrackBoxes(timeline: timeline))
  }
}
