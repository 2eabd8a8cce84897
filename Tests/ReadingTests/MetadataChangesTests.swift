// SPDX-License-Identifier: GPL-2.0-or-later
import MediaCore
import TestSupport
import Testing

@testable import Reading

/// Of metadata that lasts until the next value, only changes are kept, but for each frame the same
/// value is found as if all were.
@Suite struct MetadataChangesTests {
  private static func time(_ frame: Int) -> MediaTime {
    MediaTime(value: Int64(frame), timescale: 25)
  }

  /// Returns the numbers of frames in decoding order. Each group of frames begins with its last.
  private static func decodingOrder(_ count: Int, group: Int) -> [Int] {
    stride(from: 0, to: count, by: group).flatMap { start in
      let frames = Array(start..<min(start + group, count))
      return frames.suffix(1) + frames.dropLast()
    }
  }

  /// A late frame may come before as many others as a decoder can hold back.
  private static func reversedOrder(_ count: Int, group: Int) -> [Int] {
    stride(from: 0, to: count, by: group).flatMap { start in
      (start..<min(start + group, count)).reversed()
    }
  }

  @Test(arguments: [1, 2, 8, 17]) func valuesOfReorderedFrames(group: Int) {
    var random = SeededGenerator(seed: UInt64(group))
    // Short runs of few values; some frames have none.
    var payload: [UInt8] = [0]
    let payloads = (0..<300).map { _ -> [UInt8]? in
      if Int.random(in: 0..<4, using: &random) == 0 {
        payload = [UInt8.random(in: 0..<3, using: &random)]
      }
      return Int.random(in: 0..<8, using: &random) == 0 ? nil : payload
    }
    for order in [Self.decodingOrder(300, group: group), Self.reversedOrder(300, group: group)] {
      var changes = MetadataChanges()
      for frame in order {
        if let own = payloads[frame] { changes.add(own, at: Self.time(frame)) }
      }
      changes.finish()
      var inForce: [UInt8]?
      var changeCount = 0
      for frame in 0..<300 {
        if let own = payloads[frame], own != inForce {
          (inForce, changeCount) = (own, changeCount + 1)
        }
        #expect(changes.value(at: Self.time(frame)) == inForce, "frame \(frame)")
      }
      #expect(changes.count == changeCount)
    }
  }

  /// If frames have the same time, the last one in decoding order counts.
  @Test func valuesAtTheSameTime() {
    var changes = MetadataChanges()
    for (value, frame) in [(1, 0), (2, 3), (3, 3), (4, 1)] as [(UInt8, Int)] {
      changes.add([value], at: Self.time(frame))
    }
    changes.finish()
    #expect([0, 1, 2, 3, 4].map { changes.value(at: Self.time($0)) } == [[1], [4], [4], [3], [3]])
  }

  /// A film that repeats a value in each frame takes the memory of one.
  @Test func repeatedValues() {
    var changes = MetadataChanges()
    for frame in 0..<1000 { changes.add(Array(repeating: 7, count: 400), at: Self.time(frame)) }
    changes.finish()
    #expect(changes.count == 1)
  }
}
