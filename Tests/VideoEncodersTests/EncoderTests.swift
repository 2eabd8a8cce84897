// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import TestSupport
import Testing

@testable import VideoEncoders

@Suite(.serialized) struct EncoderTests {
  private static func settings(
    _ width: Int, _ height: Int, _ format: PixelFormat = .yuv420p10
  ) -> VideoEncoderSettings {
    var settings = VideoEncoderSettings(
      size: VideoDimensions(width: width, height: height), format: format,
      signal: SignalDescription(color: .hlg),
      timescale: 600, frameRate: FrameRate(framesPerSecond: 30))
    settings.speed = "ultrafast"
    return settings
  }

  private static func frame(_ settings: VideoEncoderSettings, _ time: Int64) -> VideoFrame {
    let pool = PixelBufferPool(
      settings.format, width: settings.size.width, height: settings.size.height)
    let buffer = pool.makeBuffer(attachments: Attachments()) { planes in
      for plane in planes {
        for y in 0..<plane.height {
          let row = plane.baseAddress + y * plane.bytesPerRow
          for x in 0..<plane.width * settings.format.bytesPerSample {
            row.storeBytes(
              of: UInt8(truncatingIfNeeded: (x & y) + Int(time)) & 3, toByteOffset: x,
              as: UInt8.self)
          }
        }
      }
    }
    return VideoFrame(
      pixelBuffer: buffer, presentationTimeStamp: MediaTime(value: time, timescale: 600),
      duration: MediaTime(value: 20, timescale: 600))
  }

  private static func encode(
    _ encoder: any VideoEncoder, _ settings: VideoEncoderSettings, times: [Int64]
  ) throws -> [EncodedSample] {
    var samples: [EncodedSample] = []
    for time in times { samples += try encoder.encode(frame(settings, time)) }
    while case let rest = try encoder.drain(), !rest.isEmpty { samples += rest }
    return samples
  }

  /// Small frames are encoded, although x265 hangs or crashes on frames smaller than its tree unit,
  /// corrupts memory with 33 to 48 columns, and gives the first frames wild decode times if there
  /// are fewer frames than its delay.
  @Test(arguments: [
    (16, 16), (18, 40), (36, 100), (48, 48), (48, 144), (62, 64), (64, 32), (130, 70),
  ])
  func smallPicturesAreEncoded(width: Int, height: Int) async {
    // This needs its own process, because x265 has one tree unit size per process and other tests
    // encode, too.
    await #expect(processExitsWith: .success) { [width, height] in
      for format in [PixelFormat.yuv420p10, .yuv420p8] {
        var settings = Self.settings(width, height, format)
        settings.signal = SignalDescription()
        let encoder = try X265Encoder(settings)
        let samples = try Self.encode(encoder, settings, times: (0..<12).map { $0 * 20 })
        #expect(samples.count == 12)
      }
    }
  }

  @Test(arguments: [(2, 2), (15, 64), (64, 14)])
  func tooSmallPicturesAreRefusedBeforeX265IsCalled(width: Int, height: Int) {
    let error = #expect(throws: VideoEncoderError.self) {
      try X265Encoder(Self.settings(width, height))
    }
    guard case .unsupportedSize = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// A phone's times are not on a grid. Even so, each sample has its frame's time and duration,
  /// decoding never comes after presentation, and decode times rise.
  @Test(arguments: [1, 2, 3, 4, 40]) func timesAreKeptExactly(count: Int) throws {
    let times = (0..<Int64(count)).map { $0 * 20 + ($0 % 3 == 0 ? 1 : 0) }
    let hevc = Self.settings(128, 96)
    let avc = Self.settings(128, 96, .yuv420p8)
    for (encoder, settings) in [
      (try X265Encoder(hevc) as any VideoEncoder, hevc), (try X264Encoder(avc), avc),
    ] {
      let samples = try Self.encode(encoder, settings, times: times)
      #expect(samples.map(\.presentationTimeStamp.value).sorted() == times)
      #expect(samples.allSatisfy { $0.duration.value == 20 })
      #expect(samples.allSatisfy { $0.decodeTimeStamp <= $0.presentationTimeStamp })
      #expect(
        zip(samples, samples.dropFirst()).allSatisfy { $0.decodeTimeStamp < $1.decodeTimeStamp })
      #expect(samples.first?.isSync == true)
    }
  }

  /// Frames before the first one only inform rate control and give no samples. The first frame is a
  /// sync sample. It gets more bytes than it would get if the encoder did not know how still the
  /// scene is.
  @Test func x264KnowsTheFramesBeforeTheFirst() throws {
    var settings = Self.settings(128, 96, .yuv420p8)
    settings.speed = "veryfast"
    let times = (0..<40).map { Int64($0) * 20 }
    func frame(_ time: Int64) -> VideoFrame {
      var frame = Self.frame(settings, 0)
      frame.presentationTimeStamp = MediaTime(value: time, timescale: 600)
      return frame
    }
    func samples(after ahead: Int) throws -> [EncodedSample] {
      let encoder = try X264Encoder(settings)
      for number in 0..<ahead { try encoder.follow(frame(Int64(number - ahead) * 20)) }
      var samples: [EncodedSample] = []
      for time in times { samples += try encoder.encode(frame(time)) }
      while case let rest = try encoder.drain(), !rest.isEmpty { samples += rest }
      return samples
    }
    let (cold, warm) = (try samples(after: 0), try samples(after: 32))
    #expect(warm.map(\.presentationTimeStamp.value).sorted() == times)
    #expect(warm.allSatisfy { $0.duration.value == 20 })
    #expect(warm.map(\.decodeTimeStamp) == cold.map(\.decodeTimeStamp))
    let first = try #require(warm.first)
    #expect(first.isSync && first.presentationTimeStamp.value == 0)
    #expect(try first.bytes.count > #require(cold.first).bytes.count)
    // Frames before the first one change how full a decoder's buffer is. That does no harm if the
    // buffer's rate is so high that scenes hardly ever reach it. If the rate is low, the encoder
    // asks for no such frames.
    for (rate, count) in [("500", 32), ("20", 0)] {
      settings.options = ["vbv-maxrate": rate, "vbv-bufsize": rate]
      #expect(X264Encoder.framesAhead(settings, isStill: true) == count)
    }
  }

  @Test func buffersAreReadFromOptions() throws {
    var settings = Self.settings(128, 96)
    #expect(settings.buffer == nil)
    settings.options = ["vbv-maxrate": "800", "vbv_bufsize": "400", "vbv-init": "100"]
    let buffer = try #require(settings.buffer)
    #expect(buffer.rate == 800_000 && buffer.size == 400_000 && buffer.start == 0.25)
    settings.setBuffer(start: 0.5, rate: 700_000)
    #expect(settings.buffer?.start == 0.5 && settings.buffer?.rate == 700_000)
    var fullness = BufferFullness(buffer, share: 0.5)
    for tick in [Int64(0), 60] {
      fullness.take(
        EncodedSample(
          bytes: [UInt8](repeating: 0, count: 10_000), presentationTimeStamp: .zero,
          decodeTimeStamp: MediaTime(value: tick, timescale: 600), duration: .zero, isSync: true))
    }
    // Half of the buffer is 200 000 bits. Each sample takes 80 000, and as many flow in after it.
    #expect(abs(fullness.share - 0.5) < 1e-9 && fullness.seconds == 0.1)
    #expect(!fullness.hasRunEmpty)
    fullness = BufferFullness(buffer, share: 0.1)
    fullness.take(
      EncodedSample(
        bytes: [UInt8](repeating: 0, count: 10_000), presentationTimeStamp: .zero,
        decodeTimeStamp: .zero, duration: .zero, isSync: true))
    #expect(fullness.hasRunEmpty)
    for options in [
      ["vbv-bufsize": "400"], ["vbv-maxrate": "800", "vbv-bufsize": "many"],
      ["vbv-maxrate": "1e400", "vbv-bufsize": "400"], ["vbv-maxrate": "nan", "vbv-bufsize": "400"],
    ] {
      settings.options = options
      #expect(settings.buffer == nil)
    }
  }

  @Test(arguments: ["colorprim", "crf", "repeat_headers", "level-idc", "master-display"])
  func optionsThatContradictATagAreRefused(name: String) {
    var settings = Self.settings(128, 96)
    settings.options = [name: "1"]
    let error = #expect(throws: VideoEncoderError.self) { try X265Encoder(settings) }
    guard case .contradictingOption(_, name, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func unknownOptionsAndValuesAreRefused() {
    for (name, value) in [("no-such-thing", "1"), ("ref", "many")] {
      var settings = Self.settings(128, 96)
      settings.options = [name: value]
      #expect(throws: VideoEncoderError.invalidOption(encoder: "x265", name: name, value: value)) {
        try X265Encoder(settings)
      }
    }
  }

  @Test func theReportTellsWhatWasAskedAndWhatIsUsed() throws {
    var settings = Self.settings(128, 96)
    settings.options = ["aq-mode": "1"]
    settings.rateControl = .constantRateFactor(17)
    let report = try X265Encoder(settings).parameterReport
    #expect(report.requested.contains { $0 == ("aq-mode", "1") })
    #expect(report.effective.contains { $0 == ("aq-mode", "1") })
    #expect(report.effective.contains { $0.name == "crf" && $0.value.hasPrefix("17") })
    #expect(report.effective.contains { $0 == ("color", "9/18/9") })
  }

  @Test func twoTreeUnitsAtATimeAreRefused() async {
    await #expect(processExitsWith: .success) {
      let first = try X265Encoder(Self.settings(128, 96))
      #expect(throws: VideoEncoderError.treeUnitInUse(size: 32)) {
        try X265Encoder(Self.settings(48, 48))
      }
      _ = first
    }
  }
}
