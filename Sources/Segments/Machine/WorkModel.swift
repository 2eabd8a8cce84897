// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore
package import Planning
package import VideoEncoders

/// A prediction of how long work lasts on a number of cores, from what encoders keep busy. It
/// chooses numbers of workers and threads, and never bits.
package struct WorkModel: Hashable, Sendable {
  /// The cores that share the work: those of the machine, or of them a file's part.
  package let cores: Int
  /// The cores that encoders keep busy.
  package let parallelism: EncoderParallelism
  /// Seconds of one core for a frame that is decoded, converted and encoded.
  private let secondsOfFrame: Double
  /// Seconds of one core for a frame that is only decoded.
  private let secondsOfDecoding: Double

  /// Frames that are to be encoded.
  package struct Work: Hashable, Sendable {
    /// The codec that they get.
    let codec: VideoCodec
    /// The settings of their encoder.
    let settings: VideoEncoderSettings
    /// Number of the frames, by the duration; 0 where it is not known.
    let frames: Int

    /// Work by its parts.
    package init(_ codec: VideoCodec, _ settings: VideoEncoderSettings, frames: Int) {
      (self.codec, self.settings, self.frames) = (codec, settings, frames)
    }

    /// The work of a plan; nil where no frames are encoded.
    package init?(_ plan: TranscodePlan) {
      guard let codec = plan.encodedCodec, let settings = plan.encoderSettings else { return nil }
      let frames = (plan.secondsOfSource ?? 0) * settings.frameRate.framesPerSecond
      self.init(
        codec, settings, frames: frames.isFinite ? Int(min(max(frames, 0), Self.mostFrames)) : 0)
    }

    /// Frames of the segments, where no scene begins near the places where they may.
    package var usualSegments: [Int] { settings.segmentCounts(among: frames) }

    /// More than anybody has: bounds what a wrong duration costs.
    private static let mostFrames = 1e7
  }

  /// A model of work on a number of cores.
  package init(_ work: Work, cores: Int) {
    let (encoder, settings) = (work.codec.encoder, work.settings)
    self.cores = max(cores, 1)
    parallelism = encoder.parallelism(settings)
    let pixels = Double(settings.size.width) * Double(settings.size.height) / 1e6
    let usual = encoder.secondsPerMegapixel[VideoEncoderSettings.usualSpeed] ?? 0
    let encoding = encoder.secondsPerMegapixel[settings.speed] ?? usual
    secondsOfDecoding = pixels * Self.decoding
    secondsOfFrame = pixels * (encoding + Self.conversion) + secondsOfDecoding
  }

  /// Seconds of one core for a million pixels that are decoded, and that are converted.
  private static let (decoding, conversion) = (0.0087, 0.0037)
  /// Frames that are decoded to see whether a scene begins near a place.
  private static let framesOfPlace = 65.0
  /// Cores that a decoder keeps busy which looks at one place.
  private static let coresOfPlace = 1.7
  /// Seconds for the start of workers and the join of their segments.
  private static let secondsAround = 1.0

  // MARK: Threads and workers

  /// Number of threads of each worker: those of its decoder and those of x265's pool. Every worker
  /// has as many as there are cores, since threads without work cost next to nothing: the last one
  /// that works has the whole machine.
  package static func threads(cores: Int) -> Int { min(max(cores, 2), 16) }

  /// Number of workers for segments with such costs: the fewest with which the work ends as early
  /// as with any number, and enough to keep the cores busy where each is slower than predicted.
  package func workers(for costs: [Double]) -> Int {
    let each = parallelism.ofWorker(threads: Self.threads(cores: cores))
    let enough = max(Int((Self.reserve * Double(cores) / each).rounded(.up)), 1)
    let most = min(costs.count, max(cores, 2))
    guard enough < most else { return max(most, 1) }
    guard costs.count <= Self.fewPerCore * most else { return enough }
    let times = (enough...most).map { seconds(costs, workers: $0) }
    let best = times.min() ?? 0
    return enough + (times.firstIndex { $0 <= best * Self.nearlyBest } ?? 0)
  }

  /// The part of the cores that workers could keep busy together.
  private static let reserve = 1.5
  /// With more segments than these for a core, the end is a small part of all.
  private static let fewPerCore = 8
  /// Times that differ less are the same.
  private static let nearlyBest = 1.01

  // MARK: Time

  /// Costs of segments with so many frames, in seconds of one core.
  package func costs(ofFrames counts: [Int]) -> [Double] {
    counts.map { Double($0) * secondsOfFrame }
  }

  /// Encodes segments with such costs, in seconds of one core, by so many workers.
  ///
  /// - Returns: as ``WorkSchedule/simulated(cores:parallelism:)``.
  package func simulation(of costs: [Double], workers: Int) -> [(end: Double, busy: Double)] {
    let items = costs.enumerated().map { (number: $0, cost: $1) }
    return WorkSchedule(items, workers: workers).simulated(
      cores: cores, parallelism: parallelism.ofWorker(threads: Self.threads(cores: cores)))
  }

  /// Seconds in which so many workers encode segments with such costs.
  package func seconds(_ costs: [Double], workers: Int) -> Double {
    simulation(of: costs, workers: workers).last?.end ?? 0
  }

  /// Seconds until segments with such costs are encoded.
  ///
  /// - Parameter before: seconds of one core for the search of the places where they begin.
  package func seconds(_ costs: [Double], before: Double, workers: Int) -> Double {
    let lanes = Double(max(costs.count - 1, 1)) * Self.coresOfPlace
    return before / min(Double(cores), lanes) + seconds(costs, workers: workers)
  }

  /// Seconds of all that is done in segments with so many frames.
  package func seconds(ofSegments counts: [Int], workers: Int) -> Double {
    let before = Double(max(counts.count - 1, 0)) * Self.framesOfPlace * secondsOfDecoding
    return seconds(costs(ofFrames: counts), before: before, workers: workers)
      + Self.secondsAround
  }

  /// True if one process is done clearly sooner than segments with so many frames.
  package func processIsFaster(thanSegments counts: [Int], workers: Int) -> Bool {
    guard counts.count <= Self.fewPerCore * max(cores, 2) else { return false }
    let one = seconds(ofProcess: counts.reduce(0, +))
    return max(one * Self.clearly, one + Self.worthSaying)
      < seconds(ofSegments: counts, workers: workers)
  }

  /// The model is not good enough to tell times apart that differ by less than this factor, and
  /// nobody cares for fewer seconds than these.
  private static let (clearly, worthSaying) = (1.1, 5.0)

  /// Seconds that one process takes for so many frames.
  package func seconds(ofProcess frames: Int) -> Double {
    Double(frames) * secondsOfFrame / parallelism.ofProcess(cores: cores)
  }
}
