// SPDX-License-Identifier: GPL-2.0-or-later
// Predicts how long a job would take on other numbers of cores, with the program's own schedule:
//
//   worker-simulation < MEASURED.json
//
// It prints how many seconds the job would take with each number of cores and workers, and how many
// cores are busy in each second while segments are encoded. `Scripts/bench workers --simulate`
// takes the measurements and runs this program.

import CodePoints
import Foundation
import MediaCore
import Segments
import VideoEncoders

/// The measurements that the program reads from standard input.
struct Measured: Decodable {
  let codec: String
  let width: Int
  let height: Int
  /// The seconds that one core needs for the whole job in one process.
  let process: Double
  /// The seconds that one core needs for the work before the segments.
  let before: Double
  /// The seconds that one core needs for each segment.
  let segments: [Double]
  /// The seconds that one core needs for the join. Other cores cannot share this work.
  let after: Double
  let cores: [Int]
  /// Numbers of workers to try besides the one that the program chooses; 1 means one process.
  let workers: [Int]
}

func model(_ measured: Measured, cores: Int) -> WorkModel? {
  guard let codec = VideoCodec(rawValue: measured.codec) else { return nil }
  let settings = VideoEncoderSettings(
    size: VideoDimensions(width: measured.width, height: measured.height), format: .yuv420p8,
    signal: SignalDescription(), timescale: 600, frameRate: FrameRate(framesPerSecond: 30))
  return WorkModel(WorkModel.Work(codec, settings, frames: 0), cores: cores)
}

func busy(_ simulation: [(end: Double, busy: Double)]) -> String {
  var (texts, spans) = ([String](), simulation[...])
  for second in 0..<Int((simulation.last?.end ?? 0).rounded(.up)) {
    while let span = spans.first, span.end < Double(second) + 0.5 { spans.removeFirst() }
    texts.append((spans.first?.busy ?? 0).formatted(.number.precision(.fractionLength(1))))
  }
  return texts.joined(separator: " ")
}

func line(_ cores: Int, _ workers: String, _ seconds: Double) {
  let text = seconds.formatted(.number.precision(.fractionLength(2)).grouping(.never))
  print("\(cores) \(workers) \(text)")
}

let measured = try JSONDecoder().decode(
  Measured.self, from: FileHandle.standardInput.readToEnd() ?? Data())
for cores in measured.cores {
  guard let model = model(measured, cores: cores) else {
    FileHandle.standardError.write(Data("there is no codec \(measured.codec)\n".utf8))
    exit(64)
  }
  let chosen = max(model.workers(for: measured.segments), 2)
  for workers in measured.workers where workers != chosen {
    let seconds =
      workers == 1
      ? measured.process / model.parallelism.ofProcess(cores: cores)
      : model.seconds(measured.segments, before: measured.before, workers: workers)
        + measured.after
    line(cores, "\(workers)", seconds)
  }
  let seconds = model.seconds(measured.segments, before: measured.before, workers: chosen)
  line(cores, "\(chosen)=auto", seconds + measured.after)
  print("  busy", busy(model.simulation(of: measured.segments, workers: chosen)))
}
