// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import MediaCore

/// How many cores an encoder keeps busy.
///
/// The numbers are used only for predictions, so encoded samples never depend on them.
/// `Performance.md` says how they were measured.
package struct EncoderParallelism: Hashable, Sendable {
  /// The share of an encoder's work that cannot run in parallel, even if the encoder has all the
  /// threads it wants.
  package let serialShare: Double
  /// One worker keeps at most this many cores busy. A worker is an encoder with reproducible
  /// samples, together with the decoding and conversion for it.
  package let ofWorker: Double
  /// How many cores each thread of a worker's pool keeps busy, or `nil` if the size of the pool
  /// does not matter to the encoder.
  package let ofPoolThread: Double?

  /// Returns how many cores a worker keeps busy.
  ///
  /// - Parameter threads: the number of threads in the worker's pool.
  package func ofWorker(threads: Int) -> Double {
    ofPoolThread.map { min(ofWorker, $0 * Double(max(threads, 1))) } ?? ofWorker
  }

  /// Returns how many cores one encoder keeps busy if it has all the threads it wants (Amdahl's
  /// law).
  package func ofProcess(cores: Int) -> Double {
    1 / (serialShare + (1 - serialShare) / Double(max(cores, 1)))
  }

  /// How many cores a worker keeps busy if a buffer makes it encode one frame at a time. In that
  /// case, decoding, conversion and encoding run at the same time, but nothing else does.
  static let withBuffer = 1.3
}

extension X264Encoder {
  /// Each thread works on its own frame, and all of them wait for the lookahead.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    EncoderParallelism(
      serialShare: 0.0194,
      ofWorker: needsBuffer(settings) ? EncoderParallelism.withBuffer : 2.6, ofPoolThread: nil)
  }

  /// How many seconds one core takes for a million pixels, by speed.
  package static let secondsPerMegapixel = [
    "ultrafast": 0.007, "superfast": 0.014, "veryfast": 0.022, "faster": 0.037, "fast": 0.05,
    "medium": 0.056, "slow": 0.086, "slower": 0.17, "veryslow": 0.36, "placebo": 1,
  ]
}

extension X265Encoder {
  /// x265 encodes a frame's tree units along a diagonal. Each row stays two units behind the row
  /// above it.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    let unit = min(max(settings.options["ctu"].flatMap { Double($0) } ?? 64, 16), 64)
    // In this wavefront parallel processing, a unit waits for the unit to its upper right. So the
    // mean length of the diagonal limits how many threads find work.
    let columns = max((Double(settings.size.width) / unit).rounded(.up), 1)
    let rows = max((Double(settings.size.height) / unit).rounded(.up), 1)
    let diagonal = max(columns * rows / (columns + 2 * (rows - 1)), 1)
    return EncoderParallelism(
      serialShare: min(serialShareOfHD * diagonalOfHD / diagonal, 1),
      ofWorker: needsBuffer(settings)
        ? EncoderParallelism.withBuffer : max(frameThreads * usedShare * diagonal, 1.8),
      ofPoolThread: 0.92)
  }

  /// The mean length of the diagonal and the measured serial share of 1920×1080 frames. Units of 64
  /// make 30 columns and 17 rows there.
  private static let (diagonalOfHD, serialShareOfHD) = (510.0 / 62, 0.0226)
  /// How many frames a reproducible encoder works on at once, and how much of the diagonal of each
  /// it keeps busy (measured).
  private static let (frameThreads, usedShare) = (2.0, 0.38)

  /// How many seconds one core takes for a million pixels, by speed.
  package static let secondsPerMegapixel = [
    "ultrafast": 0.045, "superfast": 0.078, "veryfast": 0.096, "faster": 0.1, "fast": 0.12,
    "medium": 0.15, "slow": 0.38, "slower": 1.7, "veryslow": 2.6, "placebo": 6,
  ]
}
