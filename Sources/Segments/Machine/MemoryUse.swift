// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Glibc
internal import Host
internal import MediaCore
internal import VideoEncoders

/// Memory of the machine and of processes.
package enum MemoryUse {
  /// The bytes that are free, or can be made so; nil where the system does not tell.
  package static var free: UInt64? {
    [kilobytes("MemAvailable", in: "/proc/meminfo"), roomInGroup].compactMap { $0 }.min()
  }

  /// The bytes that all processes of a run may take where nothing else is said: half of what is
  /// free.
  package static var usual: UInt64 { (free ?? 4 << 30) / 2 }

  /// The bytes that a limit on the process' control group leaves; nil where there is none.
  private static var roomInGroup: UInt64? {
    func number(_ name: String) -> UInt64? {
      let line = text("/sys/fs/cgroup/\(name)")?.split(separator: "\n").first
      return line.flatMap { UInt64($0) }
    }
    guard let limit = number("memory.max") else { return nil }
    return limit - min(number("memory.current") ?? 0, limit)
  }

  /// The bytes that a process has in memory; those that processes share count for a part in each. 0
  /// where it is gone. The system walks through all of them, and the process waits meanwhile.
  package static func ofProcess(_ identifier: Int32) -> UInt64 {
    kilobytes("Pss", in: "/proc/\(identifier)/smaps_rollup") ?? 0
  }

  /// The bytes that a process has in memory at most, which cost nothing to ask for: those that
  /// processes share count in each. 0 where it is gone.
  static func mostOfProcess(_ identifier: Int32) -> UInt64 {
    let pages = text("/proc/\(identifier)/statm")?.split(separator: " ").dropFirst().first
    return (pages.flatMap { UInt64($0) } ?? 0) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The bytes that a line of one of the system's tables states, in kB; nil where there is none.
  private static func kilobytes(_ name: String, in path: String) -> UInt64? {
    let line = text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
  }

  private static func text(_ path: String) -> String? {
    OpenFile.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes that a worker takes at most, by estimate: frames that wait for the decoder, the
  /// stages and the encoder, and what libraries take.
  package static func estimate(_ source: SegmentSource) -> UInt64 {
    base + UInt64(WorkModel.threads(cores: WorkerCount.cores)) * ofThread + ofReader(source)
      + bytes(source.encoder.size, source.encoder.format) * encodedFrames
  }

  /// Number of readers of a source that may decode side by side.
  static func readers(of source: SegmentSource, within memory: UInt64) -> Int {
    max(min(Int(clamping: memory / ofReader(source)), WorkerCount.cores), 1)
  }

  /// The bytes that frames take that are decoded, and that wait to be encoded.
  private static func ofReader(_ source: SegmentSource) -> UInt64 {
    max(bytes(source.sourceFrame.0, source.sourceFrame.1) * decodedFrames, 1)
  }

  private static func bytes(_ size: VideoDimensions, _ format: PixelFormat) -> UInt64 {
    let planes = format.chromaSubsampling == .cs444 ? 6 : format.chromaSubsampling == .cs422 ? 4 : 3
    return UInt64(size.width * size.height * planes / 2 * (format.bitDepth > 8 ? 2 : 1))
  }

  /// Bytes of code and tables.
  static let base: UInt64 = 96 << 20
  /// Bytes that x265 has for each thread of its pool.
  private static let ofThread: UInt64 = 4 << 20
  /// Frames of the source's size that a decoder and the queues have.
  private static let decodedFrames: UInt64 = 40
  /// Frames of the output's size that an encoder has, references, lookahead and its small planes.
  private static let encodedFrames: UInt64 = 110
}
