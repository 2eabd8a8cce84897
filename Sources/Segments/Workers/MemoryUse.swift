// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Foundation
internal import MediaCore
package import Transcoding
internal import VideoEncoders

/// Memory of the machine and of processes.
package enum MemoryUse {
  /// The bytes that are free, or can be made so; nil where the system does not tell.
  package static var free: UInt64? {
    guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    let number = line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
    let free = number.map { $0 << 10 }
    return [free, roomInGroup].compactMap { $0 }.min()
  }

  /// The bytes that a limit on the process' control group leaves; nil where there is none.
  private static var roomInGroup: UInt64? {
    func number(_ name: String) -> UInt64? {
      let text = try? String(contentsOfFile: "/sys/fs/cgroup/\(name)", encoding: .utf8)
      return text.flatMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }
    guard let limit = number("memory.max") else { return nil }
    return limit - min(number("memory.current") ?? 0, limit)
  }

  /// The bytes that a process has in memory; those that processes share count for a part in each. 0
  /// where it is gone.
  static func ofProcess(_ identifier: Int32) -> UInt64 {
    let path = "/proc/\(identifier)/smaps_rollup"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
      ?? 0
  }

  /// The bytes that a worker takes at most, by estimate: frames that wait for the decoder, the
  /// stages and the encoder, and what libraries take.
  package static func estimate(_ source: SegmentSource) -> UInt64 {
    let encoder = source.encoder
    func bytes(_ width: Int, _ height: Int, _ format: PixelFormat) -> UInt64 {
      let planes =
        format.chromaSubsampling == .cs444 ? 6 : format.chromaSubsampling == .cs422 ? 4 : 3
      return UInt64(width * height * planes / 2 * (format.bitDepth > 8 ? 2 : 1))
    }
    let output = bytes(encoder.size.width, encoder.size.height, encoder.format)
    let (size, format) = source.sourceFrame
    let input = bytes(size.width, size.height, format)
    return base + input * 40 + output * encodedFrames
  }

  /// Bytes of code, tables and threads.
  private static let base: UInt64 = 96 << 20
  /// Frames of the output's size that an encoder has, references, lookahead and its small planes.
  private static let encodedFrames: UInt64 = 110
}
