// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// Numbers of cores that an encoder keeps busy. They are for predictions, and decide no samples.
/// `Performance.md` tells where the numbers are from.
package struct EncoderParallelism: Hashable, Sendable {
  /// The share of an encoder's work that nothing else is done beside, where it has as many threads
  /// as it wants.
  package let serialShare: Double
  /// The most cores that a worker keeps busy: an encoder whose samples are reproducible, and what
  /// decodes and converts for it.
  package let ofWorker: Double
  /// Cores that each thread of a worker's pool keeps busy; nil where its encoder has a number of
  /// threads of its own.
  package let ofPoolThread: Double?

  /// Cores that a worker keeps busy.
  ///
  /// - Parameter threads: number of threads of its pool.
  package func ofWorker(threads: Int) -> Double {
    ofPoolThread.map { min(ofWorker, $0 * Double(max(threads, 1))) } ?? ofWorker
  }

  /// Cores that one encoder keeps busy that has as many threads as it wants, by Amdahl's law.
  package func ofProcess(cores: Int) -> Double {
    1 / (serialShare + (1 - serialShare) / Double(max(cores, 1)))
  }

  /// Cores of a worker that encodes one frame at a time: its stages alone work side by side.
  static let withBuffer = 1.3
}

extension X264Encoder {
  /// Each thread has a frame of its own; all of them wait for the lookahead.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    EncoderParallelism(
      serialShare: 0.0194,
      ofWorker: settings.buffer == nil ? 2.6 : EncoderParallelism.withBuffer, ofPoolThread: nil)
  }

  /// Seconds of one core for a million pixels, by the speed.
  package static let secondsPerMegapixel = [
    "ultrafast": 0.007, "superfast": 0.014, "veryfast": 0.022, "faster": 0.037, "fast": 0.05,
    "medium": 0.056, "slow": 0.086, "slower": 0.17, "veryslow": 0.36, "placebo": 1,
  ]
}

extension X265Encoder {
  /// A frame's tree units are encoded along a diagonal: each row two units behind the one above.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    let unit = min(max(settings.options["ctu"].flatMap { Double($0) } ?? 64, 16), 64)
    let columns = max((Double(settings.size.width) / unit).rounded(.up), 1)
    let rows = max((Double(settings.size.height) / unit).rounded(.up), 1)
    let diagonal = max(columns * rows / (columns + 2 * (rows - 1)), 1)
    return EncoderParallelism(
      serialShare: min(serialShareOfHD * diagonalOfHD / diagonal, 1),
      ofWorker: settings.buffer == nil
        ? max(frameThreads * usedShare * diagonal, 1.8) : EncoderParallelism.withBuffer,
      ofPoolThread: 0.92)
  }

  /// The mean length of the diagonal in frames of 1920×1080 with units of 64, and the serial share
  /// that was measured with them.
  private static let (diagonalOfHD, serialShareOfHD) = (510.0 / 62, 0.0226)
  /// Number of frames at once in a worker, and the share of the diagonal that is encoded at once.
  private static let (frameThreads, usedShare) = (2.0, 0.38)

  /// Seconds of one core for a million pixels, by the speed.
  package static let secondsPerMegapixel = [
    "ultrafast": 0.045, "superfast": 0.078, "veryfast": 0.096, "faster": 0.1, "fast": 0.12,
    "medium": 0.15, "slow": 0.38, "slower": 1.7, "veryslow": 2.6, "placebo": 6,
  ]
}
