// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import Planning
import Testing
import VideoEncoders

@testable import Segments

/// Segments are encoded in the order in which the work ends soonest, and by as many workers as suit
/// the machine. Predicted times are close to measured ones.
@Suite struct WorkModelTests {
  private static func work(
    _ codec: VideoCodec, _ speed: String, size: (Int, Int) = (1920, 1080), frames: Int = 3615
  ) -> WorkModel.Work {
    var settings = VideoEncoderSettings(
      size: VideoDimensions(width: size.0, height: size.1), format: .yuv420p10,
      signal: SignalDescription(), timescale: 600, frameRate: FrameRate(framesPerSecond: 30))
    settings.speed = speed
    return WorkModel.Work(codec, settings, frames: frames)
  }

  private static func items(_ costs: [Double]) -> [(number: Int, cost: Double)] {
    costs.enumerated().map { (number: $0, cost: $1) }
  }

  private static func seconds(_ spans: [(end: Double, busy: Double)]) -> Double {
    spans.last?.end ?? 0
  }

  @Test func theLongestSegmentBegins() {
    let schedule = WorkSchedule(Self.items([250, 250, 120, 391]), workers: 2)
    #expect(schedule.items.map(\.number) == [3, 0, 1, 2])
    // There are more segments than workers, so none needs a lower priority.
    #expect((0..<4).allSatisfy { schedule.niceness(of: $0) == 0 })
  }

  /// Each step of niceness divides a worker's share of the cores by 1.25, so three steps nearly
  /// halve it.
  @Test func shortSegmentsGiveWayWhereAllBeginAtOnce() {
    let schedule = WorkSchedule(Self.items([250, 500, 1, 500]), workers: 4)
    #expect((0..<4).map { schedule.niceness(of: $0) } == [3, 0, 6, 0])
    #expect(schedule.niceness(of: 7) == 0)
  }

  @Test func coresAreShared() {
    // Two workers share 4 cores, although each could use all 4. Once one of them is done, the other
    // one has all 4.
    let schedule = WorkSchedule(Self.items([8, 16]), workers: 2, isSorted: false)
    let spans = schedule.simulated(cores: 4, parallelism: 4)
    #expect(abs(Self.seconds(spans) - 6) < 1e-9)
    // If each worker keeps only one core busy, the longest segment alone decides.
    let narrow = schedule.simulated(cores: 4, parallelism: 1)
    #expect(narrow.map(\.busy) == [2, 1] && Self.seconds(narrow) == 16)
    // A single worker encodes one segment after the other.
    let lonely = WorkSchedule(Self.items([8, 16]), workers: 1)
    #expect(Self.seconds(lonely.simulated(cores: 2, parallelism: 8)) == 12)
    #expect(WorkSchedule([], workers: 3).simulated(cores: 2, parallelism: 1).isEmpty)
  }

  /// Each worker has as many threads as the machine has cores, but at least 2 and at most 16. There
  /// are only as many workers as it takes to keep the cores busy.
  @Test(arguments: [
    (cores: 1, hevc: 2, h264: 2, threads: 2), (2, 2, 2, 2), (4, 2, 3, 4), (8, 2, 5, 8),
    (16, 5, 14, 16), (32, 8, 14, 16), (64, 14, 14, 16),
  ])
  func choicesFollowTheCores(cores: Int, hevc: Int, h264: Int, threads: Int) {
    #expect(WorkModel.threads(cores: cores) == threads)
    for (codec, speed, count) in [(VideoCodec.hevc, "medium", hevc), (.h264, "veryfast", h264)] {
      let work = Self.work(codec, speed)
      let wanted = WorkerCount.auto.wanted(forFrames: work.usualSegments, cores: cores) {
        WorkModel(work, cores: $0)
      }
      #expect(wanted == count, "\(codec)")
    }
  }

  @Test func filesShareTheCores() {
    let work = Self.work(.hevc, "medium")
    func wanted(files: Int) -> Int {
      WorkerCount.shared(files: files).wanted(forFrames: work.usualSegments, cores: 16) {
        WorkModel(work, cores: $0)
      }
    }
    #expect(wanted(files: 4) == 2 && wanted(files: 16) == 1 && wanted(files: 100) == 1)
  }

  /// Impossible amounts of work, far too much or none at all, are predicted quickly and without a
  /// crash.
  @Test func oddWorkIsPredicted() {
    for work in [
      Self.work(.hevc, "placebo", size: (16, 16), frames: 10_000_000),
      Self.work(.h264, "unheard of", frames: 0), Self.work(.hevc, "medium", frames: 1),
    ] {
      let model = WorkModel(work, cores: 256)
      let counts = work.usualSegments
      #expect(counts.reduce(0, +) == work.frames)
      #expect(model.workers(for: model.costs(ofFrames: counts)) >= 1)
      _ = model.processIsFaster(thanSegments: counts, workers: 256)
    }
    #expect(WorkModel(Self.work(.hevc, "medium"), cores: 2).workers(for: []) == 1)
  }

  /// One process is faster for a short clip on 64 cores: two segments keep fewer of them busy than
  /// a single H.264 encoder does.
  @Test func oneProcessIsFasterWithFewSegments() {
    let short = Self.work(.h264, "medium", frames: 720)
    let model = WorkModel(short, cores: 64)
    #expect(model.processIsFaster(thanSegments: short.usualSegments, workers: 2))
    let long = Self.work(.h264, "medium", frames: 50_000)
    let small = WorkModel(long, cores: 2)
    #expect(!small.processIsFaster(thanSegments: long.usualSegments, workers: 2))
  }

  // MARK: Against measurements

  /// The number of frames in each of the 14 segments of an 86 s clip. The measured jobs encoded
  /// this clip.
  private static let frames = [Double](repeating: 250, count: 13) + [365]

  /// A measurement of how many seconds a job took with 32 or 16 cores of a Xeon. Segments started
  /// in the order of their numbers, thread pools had ``threads`` threads, and all workers had the
  /// same niceness.
  struct Measurement: Sendable {
    let codec: VideoCodec
    let speed: String
    let cores: Int
    /// 1 means one process without segments.
    let workers: Int
    let threads: Int
    let seconds: Double
  }

  private static let measurements = [
    Measurement(codec: .hevc, speed: "medium", cores: 32, workers: 1, threads: 0, seconds: 135.8),
    Measurement(codec: .hevc, speed: "medium", cores: 32, workers: 16, threads: 2, seconds: 146.0),
    Measurement(codec: .hevc, speed: "medium", cores: 32, workers: 8, threads: 4, seconds: 119.6),
    Measurement(codec: .h264, speed: "veryfast", cores: 32, workers: 1, threads: 0, seconds: 25.3),
    Measurement(codec: .h264, speed: "veryfast", cores: 32, workers: 16, threads: 2, seconds: 34.3),
    Measurement(codec: .h264, speed: "veryfast", cores: 32, workers: 16, threads: 2, seconds: 30.3),
    Measurement(codec: .h264, speed: "veryfast", cores: 16, workers: 1, threads: 0, seconds: 40.8),
    Measurement(codec: .h264, speed: "veryfast", cores: 16, workers: 8, threads: 2, seconds: 44.1),
  ]

  /// The seconds that one core would need for each job, which are the seconds that the job took,
  /// multiplied by the number of busy cores.
  private static let total = [VideoCodec.hevc: 146.0 * 17.5, .h264: 25.3 * 20]
  /// The seconds before workers start and after they end. In both jobs, cuts are found, workers are
  /// started, and segments are joined. The H.264 job, from HDR to SDR, also searches for shots
  /// twice. These steps were timed on another machine, and the seconds were scaled to the slower
  /// Xeon.
  private static let around = [VideoCodec.hevc: 4.0, .h264: 8.0]
  /// The same seconds, now that shots are searched for only once and cuts are found with more
  /// threads.
  private static let aroundNow = [VideoCodec.hevc: 3.5, .h264: 5.0]

  private static func costs(_ codec: VideoCodec) -> [Double] {
    frames.map { $0 / frames.reduce(0, +) * (total[codec] ?? 0) }
  }

  @Test(arguments: measurements) func measurementsArePredicted(measured: Measurement) {
    let (codec, cores) = (measured.codec, measured.cores)
    let model = WorkModel(Self.work(codec, measured.speed), cores: cores)
    var seconds = (Self.total[codec] ?? 0) / model.parallelism.ofProcess(cores: cores)
    if measured.workers > 1 {
      let schedule = WorkSchedule(
        Self.items(Self.costs(codec)), workers: measured.workers, isSorted: false,
        lowersPriority: false)
      let each = model.parallelism.ofWorker(threads: measured.threads)
      seconds =
        Self.seconds(schedule.simulated(cores: cores, parallelism: each))
        + (Self.around[codec] ?? 0)
    }
    #expect(abs(seconds / measured.seconds - 1) < 0.15, "\(seconds) for \(measured.seconds)")
  }

  /// With many cores, the schedule is predicted to take at most a given part of the time that
  /// ffmpeg took on the same machine.
  @Test(arguments: [
    (VideoCodec.hevc, "medium", 32, 154.7, 0.60), (.h264, "veryfast", 32, 47.4, 0.55),
    (.h264, "veryfast", 16, 61.1, 0.65),
  ])
  func manyCoresAreKeptBusy(
    codec: VideoCodec, speed: String, cores: Int, ffmpeg: Double, part: Double
  ) {
    let model = WorkModel(Self.work(codec, speed), cores: cores)
    let costs = Self.costs(codec)
    let workers = model.workers(for: costs)
    let seconds =
      model.seconds(costs, workers: workers) + (Self.aroundNow[codec] ?? 0)
    #expect(seconds / ffmpeg <= part, "\(seconds) by \(workers)")
  }
}
