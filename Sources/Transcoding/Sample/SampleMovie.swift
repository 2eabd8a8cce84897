internal import Assets
internal import CodePoints
internal import Foundation
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// A generated movie: HLG color bars with a moving part and a tone, Main10, so that everything can
/// be tried with no file at hand.
public struct SampleMovie: Sendable {
  private let width: Int
  private let height: Int
  private let seconds: Double

  private static let framesPerSecond: Int64 = 30
  private static let sampleRate = 48_000
  private static let timescale: Int32 = 600

  /// A movie.
  ///
  /// - Parameters:
  ///   - width: luma samples in a row, even, 64…8192.
  ///   - height: luma rows, even, 64…8192.
  ///   - seconds: how long it is, up to an hour.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for other values.
  public init(width: Int, height: Int, seconds: Double) throws {
    guard [width, height].allSatisfy({ (64...8192).contains($0) && $0 % 2 == 0 }) else {
      throw TranscodingError(
        .invalidSettings, "a sample movie has even sides of 64 to 8192, not \(width)×\(height)")
    }
    guard (0.1...3600).contains(seconds) else {
      throw TranscodingError(
        .invalidSettings, "a sample movie lasts 0.1 to 3600 seconds, not \(seconds)")
    }
    self.width = width
    self.height = height
    self.seconds = seconds
  }

  /// Writes the movie: `.mov` or `.mp4`.
  ///
  /// - Throws: ``TranscodingError``; `CancellationError` when the task was cancelled.
  public func write(to path: String, overwrite: Bool = false) async throws {
    let container = try container(of: path)
    let file = try UnfinishedFile(destination: path, overwrite: overwrite)
    defer { file.discard() }
    do {
      let pipeline = Pipeline()
      let samples = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
      let stages = try await Pipeline.onThread("prepare") { _ in
        try Stages(self, path: file.samplesPath, container: container, samples: samples)
      }
      pipeline.start("pictures") { try stages.drawPictures(frameCount) }
      pipeline.start("sound") { try stages.makeSound(sampleCount) }
      pipeline.start("write") { try stages.writer.write(for: path) }
      try await pipeline.finish()
      let delivery = OutputDelivery(
        file: file, container: container, movieTimescale: Self.timescale, metadata: nil,
        verification: .normal, promise: stages.promise)
      try await Pipeline.onThread("finish") { checkpoint in
        try delivery.deliver(stages.writer.writtenTracks(), checkpoint: checkpoint)
      }
    } catch {
      throw TranscodingError.meaning(of: error, output: path)
    }
  }

  private func container(of path: String) throws -> FileType {
    let suffix = URL(fileURLWithPath: path).pathExtension.lowercased()
    guard let container = FileType(rawValue: suffix) else {
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

  /// What makes pictures and sound, each on a thread of its own.
  private final class Stages: @unchecked Sendable {
    // Sendable although encoders have state: each is used by one thread.
    let writer: MovieWriter
    let promise: OutputPromise
    private let pictures: SamplePictures
    private let sound: SoundEncoder
    private let inputs: [AssetWriterInput]

    init(
      _ movie: SampleMovie, path: String, container: FileType,
      samples: BoundedQueue<MovieWriter.Item>
    ) throws {
      guard let pictures = SamplePictures(width: movie.width, height: movie.height) else {
        throw TranscodingError(.internalFault, "the matrix of BT.2020 is missing")
      }
      self.pictures = pictures
      var settings = VideoEncoderSettings(
        size: VideoDimensions(width: movie.width, height: movie.height), format: .yuv420p10,
        signal: SamplePictures.signal,
        timescale: SampleMovie.timescale,
        frameRate: FrameRate(framesPerSecond: Int(SampleMovie.framesPerSecond)))
      settings.speed = "veryfast"
      settings.rateControl = .constantRateFactor(16)
      let encoder = try X265Encoder(settings)
      sound = try SoundEncoder(
        sampleRate: SampleMovie.sampleRate, channelCount: 2, bitRate: 128_000)
      let format = VideoTrackFormat(
        codec: .hevc, size: settings.size, sampleAspectRatio: .square,
        parameterSets: encoder.parameterSets, timescale: settings.timescale,
        frameRate: settings.frameRate)
      // The sound encoder's times begin before zero by its priming.
      let timeline = EditTimeline(edits: [.init(duration: movie.length, mediaStart: .zero)])
      inputs = [
        AssetWriterInput(
          mode: .encode(encoder, format: format),
          boxes: TrackBoxes(timeline: timeline, color: .stated(settings.signal))),
        AssetWriterInput(
          mode: .encodedSound(sound.codec, timescale: Int32(SampleMovie.sampleRate)),
          boxes: TrackBoxes(timeline: timeline)),
      ]
      writer = try MovieWriter(
        path: path, container: container, inputs: inputs, movieTimescale: SampleMovie.timescale,
        queue: samples)
      promise = OutputPromise(
        sampleEntry: "hvc1", width: movie.width, height: movie.height, signal: settings.signal,
        vuiSignal: settings.signal.inVUI)
    }

    /// The box goes from left to right and back in four seconds.
    func drawPictures(_ count: Int64) throws {
      let step = Int64(SampleMovie.timescale) / SampleMovie.framesPerSecond
      let period = SampleMovie.framesPerSecond * 2
      for index in 0..<count {
        let phase = Double(index % (2 * period)) / Double(period)
        let picture = pictures.picture(boxAt: phase <= 1 ? phase : 2 - phase)
        try inputs[0].append(
          VideoFrame(
            pixelBuffer: picture,
            presentationTime: MediaTime(value: index * step, timescale: SampleMovie.timescale),
            duration: MediaTime(value: step, timescale: SampleMovie.timescale)))
      }
      try inputs[0].markAsFinished()
    }

    /// 1 kHz at −18 dB below full scale, the alignment level of EBU R 68.
    func makeSound(_ count: Int) throws {
      let amplitude = pow(10, -18.0 / 20)
      var position = 0
      while position < count {
        let end = min(position + sound.samplesPerPacket, count)
        let tone = (position..<end).map { index in
          Float(amplitude * sin(2 * .pi * 1000 * Double(index) / Double(SampleMovie.sampleRate)))
        }
        for sample in try sound.encode([tone, tone]) { try inputs[1].append(sample) }
        position = end
      }
      for sample in try sound.finish() { try inputs[1].append(sample) }
      try inputs[1].markAsFinished()
    }
  }
}
