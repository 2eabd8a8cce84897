import Foundation

/// Movies with boxes that no encoder at hand writes, made by changing the bytes of others.
public enum SyntheticMovie {
  /// Why a movie cannot be changed.
  public struct Failure: Error {
    /// The box that was looked for.
    public let missing: String
  }

  /// Puts a box behind the others of a track's first sample entry. The movie's samples have to stand
  /// before its `moov`, so that they stay where they are.
  ///
  /// - Parameters:
  ///   - track: the index of the track.
  ///   - format: what becomes of the sample entry's four characters; nil to leave them.
  public static func insert(
    _ box: [UInt8], into bytes: [UInt8], track: Int = 0, format: String? = nil
  ) throws -> [UInt8] {
    var bytes = bytes
    var (start, end) = (0, bytes.count)
    var chain: [Int] = []
    for (type, index) in [
      ("moov", 0), ("trak", track), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 0),
    ] {
      let place = try find(type, index, in: bytes, start..<end)
      chain.append(place.lowerBound)
      (start, end) = (place.lowerBound + 8, place.upperBound)
    }
    // Behind the version, the flags and the number of entries.
    let entry = start + 8
    chain.append(entry)
    if let format { bytes.replaceSubrange(entry + 4..<entry + 8, with: Array(format.utf8)) }
    bytes.insert(contentsOf: box, at: entry + number(bytes, entry))
    for position in chain {
      let size = number(bytes, position) + box.count
      bytes.replaceSubrange(position..<position + 4, with: bigEndian(size))
    }
    return bytes
  }

  /// A box with a Dolby Vision configuration record, version 1.0 ("Dolby Vision Streams Within the
  /// ISO Base Media File Format", 2.2).
  public static func dolbyVision(
    _ type: String, profile: Int, level: Int = 4, enhancementLayer: Bool = false,
    baseLayer: Bool = true, compatibility: Int
  ) -> [UInt8] {
    let word =
      profile << 9 | level << 3 | 4 | (enhancementLayer ? 2 : 0) | (baseLayer ? 1 : 0)
    return bigEndian(32) + Array(type.utf8) + [1, 0, UInt8(word >> 8), UInt8(word & 0xFF)]
      + [UInt8(compatibility << 4)] + [UInt8](repeating: 0, count: 19)
  }

  /// A byte stream of HEVC (H.265, Annex B) with NAL units put behind each slice.
  ///
  /// - Parameter units: gets a slice's NAL unit and gives those that follow it.
  public static func append(
    to stream: [UInt8], units: ([UInt8]) -> [[UInt8]]
  ) -> [UInt8] {
    var result: [UInt8] = []
    let code = Data([0, 0, 1])
    let data = Data(stream)
    var found = data.range(of: code)
    while let place = found {
      found = data.range(of: code, in: place.upperBound..<data.endIndex)
      var unit = Array(data[place.upperBound..<(found?.lowerBound ?? data.endIndex)])
      while unit.last == 0 { unit.removeLast() }
      let isSlice = unit.first.map { $0 >> 1 < 32 } ?? false
      for unit in [unit] + (isSlice ? units(unit) : []) { result += [0, 0, 0, 1] + unit }
    }
    return result
  }

  private static func find(
    _ type: String, _ index: Int, in bytes: [UInt8], _ range: Range<Int>
  ) throws -> Range<Int> {
    var (position, left) = (range.lowerBound, index)
    while position + 8 <= range.upperBound {
      let size = max(number(bytes, position), 8)
      if Array(bytes[position + 4..<position + 8]) == Array(type.utf8) {
        if left == 0 { return position..<position + size }
        left -= 1
      }
      position += size
    }
    throw Failure(missing: type)
  }

  private static func number(_ bytes: [UInt8], _ position: Int) -> Int {
    bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
