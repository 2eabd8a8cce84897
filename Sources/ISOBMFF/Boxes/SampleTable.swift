internal import Bitstreams

/// Where a track's samples lie in the file: `stsc`, `stsz`, `stco` or `co64`, `stss` (ISO/IEC
/// 14496-12, 8.6.2, 8.7).
public struct SampleTable: Hashable, Sendable {
  /// The bytes of each sample, in the order of decoding.
  public let ranges: [Range<UInt64>]
  /// The indices of samples that decoding can start at; nil where all are (no `stss`).
  public let syncSamples: [Int]?

  /// The most samples that are looked at: a day of pictures at 120 a second.
  private static let limit = 12_000_000

  /// Reads the tables of a track.
  ///
  /// - Throws: ``ISOBMFFError`` where a table is missing, cut off or contradicts another.
  public init(_ track: Movie.Track) throws(ISOBMFFError) {
    guard let stbl = track.box.first("mdia", "minf", "stbl") else {
      throw .missingBox("stbl", in: "minf")
    }
    let sizes = try Self.sizes(stbl)
    let offsets = try Self.offsets(stbl)
    let runs = try Self.numbers(stbl, "stsc", fieldsBefore: 4, each: 3)
    var ranges: [Range<UInt64>] = []
    ranges.reserveCapacity(sizes.count)
    for run in stride(from: 0, to: runs.count, by: 3) {
      let first = max(Int(runs[run]), 1) - 1
      let next = run + 3 < runs.count ? max(Int(runs[run + 3]), 1) - 1 : offsets.count
      guard first <= next, next <= offsets.count else {
        throw .shortPayload(
          "stsc", .endOfData(bitPosition: 0, wanted: next, available: offsets.count))
      }
      for chunk in first..<next {
        var position = offsets[chunk]
        for _ in 0..<min(Int(runs[run + 1]), sizes.count - ranges.count) {
          let (end, overflow) = position.addingReportingOverflow(UInt64(sizes[ranges.count]))
          guard !overflow else { throw .missingSamples(end: .max, fileSize: position) }
          ranges.append(position..<end)
          position = end
        }
      }
    }
    self.ranges = ranges
    let sync =
      stbl.child("stss") == nil ? nil : try Self.numbers(stbl, "stss", fieldsBefore: 4, each: 1)
    syncSamples = sync.map { [count = ranges.count] numbers in
      numbers.map { Int($0) - 1 }.filter { (0..<count).contains($0) }
    }
  }

  private static func sizes(_ stbl: Box) throws(ISOBMFFError) -> [UInt32] {
    guard let box = stbl.child("stsz") else { throw .missingBox("stsz", in: "stbl") }
    var reader = ByteReader(box.fields, at: 4)
    do {
      let common = try reader.integer(UInt32.self)
      let count = Int(try reader.integer(UInt32.self))
      if common > 0 { return [UInt32](repeating: common, count: min(count, limit)) }
      var sizes: [UInt32] = []
      for _ in 0..<count { sizes.append(try reader.integer()) }
      return sizes
    } catch {
      throw .shortPayload("stsz", error)
    }
  }

  private static func offsets(_ stbl: Box) throws(ISOBMFFError) -> [UInt64] {
    guard let box = stbl.child("co64") else {
      return try numbers(stbl, "stco", fieldsBefore: 4, each: 1).map { UInt64($0) }
    }
    let words = try numbers(Box("stbl", children: [box]), "co64", fieldsBefore: 4, each: 2)
    return stride(from: 0, to: words.count, by: 2).map { index in
      UInt64(words[index]) << 32 | UInt64(words[index + 1])
    }
  }

  /// The numbers of a table: a count, then entries of `each` numbers of 32 bits.
  private static func numbers(
    _ stbl: Box, _ type: FourCC, fieldsBefore: Int, each: Int
  ) throws(ISOBMFFError) -> [UInt32] {
    guard let box = stbl.child(type) else { throw .missingBox(type, in: "stbl") }
    var reader = ByteReader(box.fields, at: fieldsBefore)
    do {
      let count = Int(try reader.integer(UInt32.self)) * each
      var numbers: [UInt32] = []
      for _ in 0..<count { numbers.append(try reader.integer()) }
      return numbers
    } catch {
      throw .shortPayload(type, error)
    }
  }
}

extension Box {
  /// Sets the sizes of samples in a `stsz` box.
  ///
  /// - Parameter sizes: new sizes by the sample's index.
  public mutating func setSampleSizes(_ sizes: [Int: UInt32]) throws(ISOBMFFError) {
    var reader = ByteReader(fields)
    var writer = ByteWriter()
    do {
      writer.append(try reader.integer(UInt32.self))
      let common = try reader.integer(UInt32.self)
      let count = try reader.integer(UInt32.self)
      writer.append(UInt32(0))
      writer.append(count)
      for index in 0..<Int(count) {
        let size = common > 0 ? common : try reader.integer(UInt32.self)
        writer.append(sizes[index] ?? size)
      }
    } catch {
      throw .shortPayload(type, error)
    }
    fields = writer.bytes
  }
}
