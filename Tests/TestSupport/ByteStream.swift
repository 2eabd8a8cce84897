// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// Byte streams of NAL units (H.265, Annex B). Files of RPUs are such streams, too.
public enum ByteStream {
  /// Returns the NAL units of a stream, without start codes and the zeros around them.
  public static func units(_ stream: [UInt8]) -> [[UInt8]] {
    let (data, code) = (Data(stream), Data([0, 0, 1]))
    var units: [[UInt8]] = []
    var found = data.range(of: code)
    while let place = found {
      found = data.range(of: code, in: place.upperBound..<data.endIndex)
      var unit = Array(data[place.upperBound..<(found?.lowerBound ?? data.endIndex)])
      while unit.last == 0 { unit.removeLast() }
      units.append(unit)
    }
    return units
  }

  /// Returns a stream of NAL units, each after a start code of four bytes.
  public static func joined(_ units: [[UInt8]]) -> [UInt8] {
    units.flatMap { [0, 0, 0, 1] + $0 }
  }

  /// Returns an HEVC stream with NAL units added after each slice.
  ///
  /// - Parameter units: takes a slice's NAL unit and returns the ones to add after it.
  public static func append(
    to stream: [UInt8], units: ([UInt8]) throws -> [[UInt8]]
  ) rethrows -> [UInt8] {
    joined(
      try self.units(stream).flatMap { unit in
        let isSlice = unit.first.map { $0 >> 1 < 32 } ?? false
        return [unit] + (isSlice ? try units(unit) : [])
      })
  }

  /// Makes an HEVC stream of eight moving frames in BT.2020. They are not reordered, so that ffmpeg
  /// can give them times.
  ///
  /// - Parameter options: more options for x265.
  public static func encode(to path: String, transfer: Int, options: [String] = []) throws {
    let all =
      ["bframes=0", "log-level=none", "colorprim=9", "transfer=\(transfer)", "colormatrix=9"]
      + options
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25", "-frames:v", "8", "-pix_fmt", "yuv420p10le",
      "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", all.joined(separator: ":"), path)
  }
}
