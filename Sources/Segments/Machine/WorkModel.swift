// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore
package import Planning
package import VideoEncoders

/// Predicts how long work takes on a number of cores. The prediction is based on how many cores
/// encoders keep busy. The model decides how many workers and threads there are, which does not
/// affect the samples.
package struct WorkModel: Hashable, Sendable {
  /// The number of cores that share the work: all cores of the machine, or one file's part of them.
  package let cores: Int
  package let parallelism: EncoderParallelism
  /// The seconds that one core needs to decode, convert and encode a frame.
  private let secondsOfFrame: Double
  /// The seconds that one core needs only to decode a frame.
  private let secondsOfDecoding: Double

  /// Frames to encode.
  package struct Work: Hashable, Sendable {
    let codec: VideoCodec
    let settings: VideoEncoderSettings
    /// The number of frames, computed from the duration; 0 if unknown.
    let frames: Int

    package init(_ codec: VideoCodec, _ settings: VideoEncoderSettings, frames: Int) {
      (self.codec, self.settings, self.frames) = (codec, settings, frames)
    }

    /// The work of a plan; `nil` if it encodes no frames.
    package init?(_ plan: TranscodePlan) {
      guard let codec = plan.encodedCodec, let settings = plan.encoderSettings else { return nil }
      // Audio may be longer than video, and only video has frames.
      let seconds = plan.video?.track.presentedDuration?.seconds ?? plan.secondsOfSource ?? 0
      let frames = (seconds * settings.frameRate.framesPerSecond).rounded()
      self.init(
        codec, settings, frames: frames.isFinite ? Int(min(max(frames, 0), Self.mostFrames)) : 0)
    }

    /// The number of frames in each segment, if no scene begins near the places where segments may
    /// begin.
    package var usualSegments: [Int] { settings.segmentCounts(among: frames) }

    /// A source is assumed to have at most this many frames. The bound limits the work that a wrong
    /// duration causes.
    private static let mostFrames = 1e7
  }

  package init(_ work: Work, cores: Int) {
    let (encoder, settings) = (work.codec.encoder, work.settings)
    self.cores = max(cores, 1)
    parallelism = encoder.parallelism(settings)
    let pixels = Double(settings.size.width) * Double(settings.size.height) / 1e6
    let usual = encoder.secondsPerMegapixel[VideoEncoderSettings.usualSpeed] ?? 0
    // A speed that was not measured is treated as the usual speed.
    let encoding = encoder.secondsPerMegapixel[settings.speed] ?? usual
    secondsOfDecoding = pixels * Self.decoding
    secondsOfFrame = pixels * (encoding + Self.conversion) + secondsOfDecoding
  }

  /// The seconds that one core needs to decode a million pixels, and the seconds to convert them.
  private static let (decoding, conversion) = (0.0087, 0.0037)
  /// How many frames are decoded to find out whether a scene begins near a place where a segment
  /// may begin.
  private static let framesOfPlace = 65.0
  /// How many cores the decoder for one such place keeps busy.
  private static let coresOfPlace = 1.7
  /// How many seconds it takes to start workers and to join their segments.
  private static let secondsAround = 1.0

  // MARK: Threads and workers

  /// Returns how many threads the decoder of each worker has. The pool of x265 or SVT-AV1 has the
  /// same number.
  package static func threads(cores: Int) -> Int {
    // Every worker has as many threads as there are cores, but at least 2 and at most 16. Idle
    // threads cost next to nothing, and the last worker can use all these threads.
    min(max(cores, 2), 16)
  }

  /// Returns how many workers suit segments with these costs.
  package func workers(for costs: [Double]) -> Int {
    let each = parallelism.ofWorker(threads: Self.threads(cores: cores))
    let enough = max(Int((Self.reserve * Double(cores) / each).rounded(.up)), 1)
    let most = min(costs.count, max(cores, 2))
    // In theory, the smallest number of workers with the shortest time is enough. But workers may
    // keep fewer cores busy than predicted, so have enough workers for more cores than there are.
    guard enough < most else { return max(most, 1) }
    // With many segments for each core, the number of workers hardly affects how long the work
    // takes, so trying each number is not worth the time.
    guard costs.count <= Self.fewPerCore * most else { return enough }
    let times = (enough...most).map { seconds(costs, workers: $0) }
    let best = times.min() ?? 0
    return enough + (times.firstIndex { $0 <= best * Self.nearlyBest } ?? 0)
  }

  /// How many cores workers should be able to keep busy together, as a multiple of the cores that
  /// there are.
  private static let reserve = 1.5
  /// With more segments than this for each core, the time at the end in which some cores have no
  /// segment left is a small part of the whole.
  private static let fewPerCore = 8
  /// Times that differ by less than this factor count as equal.
  private static let nearlyBest = 1.01

  // MARK: Time

  /// Returns the costs of segments with these numbers of frames, in seconds of one core.
  package func costs(ofFrames counts: [Int]) -> [Double] {
    counts.map { Double($0) * secondsOfFrame }
  }

  /// Simulates workers that encode segments with these costs, in seconds of one core.
  ///
  /// - Returns: what ``WorkSchedule/simulated(cores:parallelism:)`` returns.
  package func simulation(of costs: [Double], workers: Int) -> [(end: Double, busy: Double)] {
    let items = costs.enumerated().map { (number: $0, cost: $1) }
    return WorkSchedule(items, workers: workers).simulated(
      cores: cores, parallelism: parallelism.ofWorker(threads: Self.threads(cores: cores)))
  }

  /// Returns how many seconds this many workers need for segments with these costs.
  package func seconds(_ costs: [Double], workers: Int) -> Double {
    simulation(of: costs, workers: workers).last?.end ?? 0
  }

  /// Returns how many seconds pass until segments with these costs are encoded.
  ///
  /// - Parameter before: the seconds that one core needs to find the places where segments begin.
  package func seconds(_ costs: [Double], before: Double, workers: Int) -> Double {
    let lanes = Double(max(costs.count - 1, 1)) * Self.coresOfPlace
    return before / min(Double(cores), lanes) + seconds(costs, workers: workers)
  }

  /// Returns how many seconds all the work for segments with these numbers of frames takes.
  package func seconds(ofSegments counts: [Int], workers: Int) -> Double {
    // Each segment but the first needs a look at the frames around its beginning.
    let before = Double(max(counts.count - 1, 0)) * Self.framesOfPlace * secondsOfDecoding
    return seconds(costs(ofFrames: counts), before: before, workers: workers)
      + Self.secondsAround
  }

  /// Returns whether one process would finish clearly sooner than workers that encode segments with
  /// these numbers of frames.
  package func processIsFaster(thanSegments counts: [Int], workers: Int) -> Bool {
    // Many segments keep every core busy, so one process is no faster.
    guard counts.count <= Self.fewPerCore * max(cores, 2) else { return false }
    let one = seconds(ofProcess: counts.reduce(0, +))
    return max(one * Self.clearly, one + Self.worthSaying)
      < seconds(ofSegments: counts, workers: workers)
  }

  /// The factor and the seconds by which times must differ before the user gets advice. The model
  /// is too rough to predict smaller differences.
  private static let (clearly, worthSaying) = (1.1, 5.0)

  /// Returns how many seconds one process needs for this many frames.
  package func seconds(ofProcess frames: Int) -> Double {
    Double(frames) * secondsOfFrame / parallelism.ofProcess(cores: cores)
  }
}
