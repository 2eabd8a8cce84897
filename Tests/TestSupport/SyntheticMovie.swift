// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// Makes movies with boxes that no available encoder writes, by changing the bytes of other movies.
public enum SyntheticMovie {
  /// Why a movie cannot be changed.
  public struct Failure: Error {
    /// The box that was looked for.
    public let missing: String
  }

  /// Adds a box after the other boxes of a track's first sample entry. The movie's samples have to
  /// come before its `moov`, so that they stay where they are.
  ///
  /// - Parameters:
  ///   - track: the index of the track.
  ///   - format: the sample entry's new four-character code; `nil` to keep the old one.
  public static func insert(
    _ box: [UInt8], into bytes: [UInt8], track: Int = 0, format: String? = nil
  ) throws -> [UInt8] {
    var bytes = bytes
    let (chain, entry) = try sampleEntry(of: bytes, track: track)
    if let format { bytes.replaceSubrange(entry + 4..<entry + 8, with: Array(format.utf8)) }
    insert(box, at: endOfBoxes(in: entry, of: bytes), into: &bytes, growing: chain + [entry])
    return bytes
  }

  /// Turns all tracks of a movie for display. Writes a, b, c and d of the matrix into each `tkhd`,
  /// which has to be of version 0 (ISO/IEC 14496-12, 8.3.2). No option of ffmpeg does this in both
  /// version 5.1 and version 7.1.
  public static func turn(_ bytes: [UInt8], by matrix: [Int]) throws -> [UInt8] {
    var data = Data(bytes)
    var rest = data.startIndex
    while let header = data.range(of: Data("tkhd".utf8), in: rest..<data.endIndex)?.upperBound {
      for (place, value) in zip([0, 4, 12, 16], matrix) {
        let start = header + 40 + place
        data.replaceSubrange(start..<start + 4, with: bigEndian(value << 16))
      }
      rest = header
    }
    guard rest > data.startIndex else { throw Failure(missing: "tkhd") }
    return [UInt8](data)
  }

  /// Returns where the boxes of a video track's sample entry end. In QuickTime files, a terminator
  /// follows them.
  private static func endOfBoxes(in entry: Int, of bytes: [UInt8]) -> Int {
    let end = entry + number(bytes, entry)
    var position = entry + 86
    while position + 8 <= end, number(bytes, position) >= 8 { position += number(bytes, position) }
    return position
  }

  /// Adds a copy of the first track's only sample entry after that entry. In the copy, boxes of the
  /// given types become `free` boxes. As for ``insert(_:into:track:format:)``, the movie's samples
  /// have to come before its `moov`.
  ///
  /// - Parameter isUsed: whether all samples use the copy. If so, the track has to have a single
  ///   run of chunks.
  public static func addSampleEntry(
    without types: [String], to bytes: [UInt8], isUsed: Bool
  ) throws -> [UInt8] {
    var bytes = bytes
    let (chain, entry) = try sampleEntry(of: bytes, track: 0)
    var copy = Data(bytes[entry..<entry + number(bytes, entry)])
    for type in types {
      guard let place = copy.range(of: Data(type.utf8)) else { throw Failure(missing: type) }
      copy.replaceSubrange(place, with: Data("free".utf8))
    }
    insert([UInt8](copy), at: entry + copy.count, into: &bytes, growing: chain)
    bytes.replaceSubrange(entry - 4..<entry, with: bigEndian(2))
    if isUsed, let table = chain.dropLast().last {
      let end = table + number(bytes, table)
      let chunks = try find("stsc", 0, in: bytes, table + 8..<end)
      bytes.replaceSubrange(chunks.upperBound - 4..<chunks.upperBound, with: bigEndian(2))
    }
    return bytes
  }

  /// Gives samples of HEVC or H.264 a second sample entry, whose configuration states that the
  /// lengths of NAL units have two bytes, and gives these samples such lengths. The movie has a
  /// single track and a single sample entry with lengths of four bytes, and its samples come before
  /// its `moov`.
  ///
  /// - Parameter first: the index of the first of these samples.
  public static func shortenLengths(from first: Int, in movie: [UInt8]) throws -> [UInt8] {
    let start = try sampleEntry(of: movie, track: 0).entry
    var entry = Array(movie[start..<start + number(movie, start)])
    let places = ["hvcC", "avcC"].compactMap { Data(entry).range(of: Data($0.utf8)) }
    guard let place = places.first else { throw Failure(missing: "hvcC") }
    // `lengthSizeMinusOne` is in the 22nd byte of `hvcC`, and in the fifth byte of `avcC`.
    let field = place.upperBound + (entry[place.lowerBound] == UInt8(ascii: "h") ? 21 : 4)
    entry[field] = entry[field] & ~3 | 1
    let samples = try Self.samples(of: movie)
    return try replaceSamples(
      from: first, in: movie, entry: entry,
      samples[..<first] + samples[first...].map(shortened))
  }

  /// Replaces a movie's last samples by those of another movie with the same times, and adds that
  /// movie's sample entry for them. Both have a single track and a single sample entry, and their
  /// samples come before their `moov`.
  ///
  /// - Parameter first: the index of the first of these samples.
  public static func continueWith(
    _ other: [UInt8], from first: Int, in movie: [UInt8]
  ) throws -> [UInt8] {
    let start = try sampleEntry(of: other, track: 0).entry
    return try replaceSamples(
      from: first, in: movie, entry: Array(other[start..<start + number(other, start)]),
      samples(of: movie)[..<first] + samples(of: other)[first...])
  }

  /// Returns a table of the first track.
  private static func table(_ type: String, of bytes: [UInt8]) throws -> Range<Int> {
    let start = try sampleEntry(of: bytes, track: 0).chain[4]
    return try find(type, 0, in: bytes, start + 8..<start + number(bytes, start))
  }

  /// Returns the samples of a movie with a single track, whose samples come one after another.
  private static func samples(of movie: [UInt8]) throws -> [[UInt8]] {
    let sizes = try table("stsz", of: movie).lowerBound
    var position = number(movie, try table("stco", of: movie).lowerBound + 16)
    return (0..<number(movie, sizes + 16)).map { index in
      defer { position += number(movie, sizes + 20 + 4 * index) }
      return Array(movie[position..<position + number(movie, sizes + 20 + 4 * index)])
    }
  }

  /// Replaces all samples of a movie. Those from `first` on use the added sample entry.
  private static func replaceSamples(
    from first: Int, in movie: [UInt8], entry: [UInt8], _ samples: ArraySlice<[UInt8]>
  ) throws -> [UInt8] {
    var bytes = movie
    let (chain, own) = try sampleEntry(of: bytes, track: 0)
    let start = chain[0] + 8
    let runs = [[1, first, 1], [2, samples.count - first, 2]]
    let starts = [start, start + samples.prefix(first).reduce(0) { $0 + $1.count }]
    let entries = Array(bytes[own..<own + number(bytes, own)]) + entry
    for (type, fields) in [
      ("stsd", bigEndian(2) + entries),
      ("stsz", ([0, samples.count] + samples.map(\.count)).flatMap(bigEndian)),
      ("stsc", ([2] + runs.flatMap { $0 }).flatMap(bigEndian)),
      ("stco", ([2] + starts).flatMap(bigEndian)),
    ] {
      let old = try table(type, of: bytes)
      bytes.removeSubrange(old)
      for place in chain.prefix(5) {
        bytes.replaceSubrange(place..<place + 4, with: bigEndian(number(bytes, place) - old.count))
      }
      insert(
        box(type, bigEndian(0) + fields), at: old.lowerBound, into: &bytes,
        growing: Array(chain.prefix(5)))
    }
    // The boxes before `moov` stay where they are, among them the old samples.
    bytes.insert(contentsOf: box("mdat", samples.flatMap { $0 }), at: chain[0])
    return bytes
  }

  /// Returns a sample whose lengths have two bytes instead of four.
  private static func shortened(_ sample: [UInt8]) -> [UInt8] {
    var (result, position) = ([UInt8](), 0)
    while position + 4 <= sample.count {
      let length = number(sample, position)
      result += bigEndian(length).suffix(2) + sample[position + 4..<position + 4 + length]
      position += 4 + length
    }
    return result
  }

  /// Returns where a track's first sample entry and the boxes around it begin.
  private static func sampleEntry(
    of bytes: [UInt8], track: Int
  ) throws -> (chain: [Int], entry: Int) {
    var (start, end) = (0, bytes.count)
    var chain: [Int] = []
    for (type, index) in [
      ("moov", 0), ("trak", track), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 0),
    ] {
      let place = try find(type, index, in: bytes, start..<end)
      chain.append(place.lowerBound)
      (start, end) = (place.lowerBound + 8, place.upperBound)
    }
    // The entry comes after the version, the flags and the number of entries.
    return (chain, start + 8)
  }

  /// Adds references to other tracks (`tref`) after a track's boxes. Each reference has a type and
  /// the numbers of the tracks that it refers to. As for ``insert(_:into:track:format:)``, the
  /// movie's samples have to come before its `moov`.
  public static func addReferences(
    _ references: [(String, [Int])], to bytes: [UInt8], track: Int
  ) throws -> [UInt8] {
    var bytes = bytes
    let movie = try find("moov", 0, in: bytes, 0..<bytes.count)
    let place = try find("trak", track, in: bytes, movie.lowerBound + 8..<movie.upperBound)
    let boxes = references.flatMap { box($0.0, $0.1.flatMap(bigEndian)) }
    insert(
      box("tref", boxes), at: place.upperBound, into: &bytes,
      growing: [movie.lowerBound, place.lowerBound])
    return bytes
  }

  private static func insert(
    _ box: [UInt8], at position: Int, into bytes: inout [UInt8], growing chain: [Int]
  ) {
    bytes.insert(contentsOf: box, at: position)
    for place in chain {
      let size = number(bytes, place) + box.count
      bytes.replaceSubrange(place..<place + 4, with: bigEndian(size))
    }
  }

  /// Returns a box: its size and type, then its fields.
  public static func box(_ type: String, _ fields: [UInt8]) -> [UInt8] {
    bigEndian(8 + fields.count) + Array(type.utf8) + fields
  }

  /// Returns the 24 bytes that `mdcv` and SEI 137 (H.265, D.2.28) have in common, with the
  /// primaries of P3 in the order green, blue, red.
  ///
  /// - Parameters:
  ///   - white: x and y in units of 0.00002.
  ///   - maximum: in units of 0.0001 cd/m², as is the minimum.
  public static func masteringDisplay(
    white: [Int] = [15635, 16450], maximum: Int = 10_000_000, minimum: Int = 1
  ) -> [UInt8] {
    ([13250, 34500, 7500, 3000, 34000, 16000] + white).flatMap { bigEndian($0).suffix(2) }
      + bigEndian(maximum) + bigEndian(minimum)
  }

  /// Returns the 8 bytes that `amve` and SEI 148 (H.265, D.2.39) have in common, with the white of
  /// D65.
  public static func ambientLight(lux: Int) -> [UInt8] {
    bigEndian(lux * 10_000) + [15635, 16450].flatMap { bigEndian($0).suffix(2) }
  }

  /// Returns a box with a Dolby Vision configuration record, version 1.0 ("Dolby Vision Streams
  /// Within the ISO Base Media File Format", 2.2).
  public static func dolbyVision(
    _ type: String, profile: Int, level: Int = 4, enhancementLayer: Bool = false,
    baseLayer: Bool = true, compatibility: Int
  ) -> [UInt8] {
    let word =
      profile << 9 | level << 3 | 4 | (enhancementLayer ? 2 : 0) | (baseLayer ? 1 : 0)
    return bigEndian(32) + Array(type.utf8) + [1, 0, UInt8(word >> 8), UInt8(word & 0xFF)]
      + [UInt8(compatibility << 4)] + [UInt8](repeating: 0, count: 19)
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
