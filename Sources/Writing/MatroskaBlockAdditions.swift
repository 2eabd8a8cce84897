// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc
internal import Host
internal import LibAV

/// Marks the block additions of a finished Matroska file as messages of ITU-T T.35, such as HDR10+
/// (RFC 9559, 5.1.3.5.2 and 5.1.4.1.17).
///
/// Before FFmpeg 6.1, libavformat writes all additions with the number 1, whose meaning depends on
/// the codec. It also describes no addition in the track's header.
struct MatroskaBlockAdditions {
  /// How many tracks of a file can have additions. libavformat leaves padding for the descriptions
  /// of this many.
  static let mostTracks = 3

  private let path: String
  private let source: FileByteSource
  private let file: OpenFile
  /// The Matroska numbers of the tracks with additions.
  private let tracks: Set<UInt8>

  /// The number and the type of additions that are messages of ITU-T T.35.
  private static let number: UInt8 = 4

  /// - Parameter indices: the indices of the tracks with additions, at most ``mostTracks``.
  init(path: String, tracks indices: Set<Int>) throws {
    self.path = path
    source = try FileByteSource(path: path)
    file = OpenFile(closing: PosixPath.open(path, O_WRONLY))
    // libavformat counts tracks from 1. In a block, numbers from 127 on take several bytes.
    tracks = Set(indices.filter { $0 < 126 }.map { UInt8($0 + 1) })
    guard file.descriptor >= 0 else { throw Self.failure(path, errno) }
  }

  private static func failure(_ path: String, _ error: Int32) -> TranscodingError {
    TranscodingError(.inputOutput, "writing \(path) failed: \(SystemCall.text(error))")
  }

  /// Changes the file in place. Frames stay where they are.
  func mark(_ checkpoint: Pipeline.Checkpoint) throws {
    guard let segment = try MatroskaHeader.segment(of: source) else { return }
    var place = segment.content.lowerBound
    var isInHeader = true
    while let element = try EBMLElement(at: place, of: source, until: segment.content.upperBound) {
      try checkpoint()
      if element.id == EBMLElement.clusterID {
        if isInHeader { try describe(in: segment.content.lowerBound..<place) }
        isInHeader = false
        try mark(cluster: element.content)
      }
      place = element.content.upperBound
    }
  }

  /// Gives the additions in a cluster their number.
  private func mark(cluster place: Range<UInt64>) throws {
    var cluster = try source.read(at: place.lowerBound, count: place.count)
    let numbers = numbers(in: cluster)
    guard !numbers.isEmpty else { return }
    for index in numbers { cluster[index] = Self.number }
    let checksum = EBMLElement.updateChecksum(&cluster) ?? 0..<0
    for range in numbers.map({ $0..<$0 + 1 }) + [checksum] {
      try write(cluster[range], at: place.lowerBound + UInt64(range.lowerBound))
    }
  }

  /// Returns the places of the additions' numbers in a cluster.
  private func numbers(in cluster: [UInt8]) -> [Int] {
    func parts(_ id: UInt32, in place: Range<Int>) -> [Range<Int>] {
      EBMLElement.places(in: cluster[place]).filter { $0.id == id }.map(\.content)
    }
    let groups = parts(EBMLElement.blockGroupID, in: cluster.indices).filter { group in
      // A block begins with the track's number, which has a length marker.
      let block = parts(EBMLElement.blockID, in: group).first
      let number = block.flatMap { cluster[$0].first } ?? 0
      return number & 0x80 != 0 && tracks.contains(number & 0x7F)
    }
    return groups.flatMap { parts(EBMLElement.blockAdditionsID, in: $0) }
      .flatMap { parts(EBMLElement.blockMoreID, in: $0) }
      .flatMap { parts(EBMLElement.blockAddIDID, in: $0) }
      .filter { $0.count == 1 }.map(\.lowerBound)
  }

  private func write(_ bytes: ArraySlice<UInt8>, at place: UInt64) throws {
    let isPlaced = lseek(file.descriptor, off_t(place), SEEK_SET) >= 0
    let error = isPlaced ? SystemCall.write(Array(bytes), to: file.descriptor) : errno
    guard error == 0 else { throw Self.failure(path, error) }
  }

  /// Adds the description of the additions to the tracks. The padding before them becomes shorter
  /// by as much. Without enough padding, nothing is changed.
  private func describe(in header: Range<UInt64>) throws {
    let bytes = try source.read(at: header.lowerBound, count: header.count)
    let elements = EBMLElement.places(in: bytes[...])
    guard let padding = elements.first(where: { $0.id == EBMLElement.voidID }),
      let tracks = elements.first(where: { $0.id == EBMLElement.tracksID }),
      padding.whole.upperBound <= tracks.whole.lowerBound
    else { return }
    let described = EBMLElement.bytes(
      EBMLElement.tracksID, described(tracks: bytes[tracks.content]))
    let growth = described.count - tracks.whole.count
    guard let rest = EBMLElement.padding(padding.whole.count - growth) else { return }
    var new: [UInt8] = []
    for element in elements {
      switch element.id {
      case EBMLElement.voidID where element.whole == padding.whole: new += rest
      case EBMLElement.tracksID: new += described
      case EBMLElement.seekHeadID:
        let moved = padding.whole.upperBound...tracks.whole.lowerBound
        new += bytes[element.whole.lowerBound..<element.content.lowerBound]
        new += Self.moving(Array(bytes[element.content]), moved, by: -growth)
      default: new += bytes[element.whole]
      }
    }
    try write(new[...], at: header.lowerBound)
  }

  /// Returns the content of an index of elements after the elements in a range were moved.
  private static func moving(
    _ index: [UInt8], _ moved: ClosedRange<Int>, by distance: Int
  ) -> [UInt8] {
    var index = index
    for entry in EBMLElement.places(in: index[...]) where entry.id == EBMLElement.seekEntryID {
      for field in EBMLElement.places(in: index[entry.content])
      where field.id == EBMLElement.seekPositionID && field.content.count <= 8 {
        let position = index[field.content].reduce(0) { $0 << 8 | UInt64($1) }
        guard let place = Int(exactly: position), moved ~= place else { continue }
        for (number, byte) in field.content.reversed().enumerated() {
          index[byte] = UInt8(truncatingIfNeeded: (place + distance) >> (8 * number))
        }
      }
    }
    _ = EBMLElement.updateChecksum(&index)
    return index
  }

  /// Returns the content of the header's list of tracks, with descriptions of the additions.
  private func described(tracks list: ArraySlice<UInt8>) -> [UInt8] {
    var new: [UInt8] = []
    for entry in EBMLElement.places(in: list) {
      let fields = EBMLElement.places(in: list[entry.content])
      let number = fields.first { $0.id == EBMLElement.trackNumberID }.flatMap {
        list[$0.content].last
      }
      guard entry.id == EBMLElement.trackEntryID, let number, tracks.contains(number) else {
        new += list[entry.whole]
        continue
      }
      let others = fields.filter { $0.id != EBMLElement.maxBlockAdditionID }.flatMap {
        list[$0.whole]
      }
      new += EBMLElement.bytes(entry.id, others + Self.description)
    }
    _ = EBMLElement.updateChecksum(&new)
    return new
  }

  /// What a track's header says about its additions.
  private static let description =
    EBMLElement.bytes(EBMLElement.maxBlockAdditionID, [number])
    + EBMLElement.bytes(
      EBMLElement.blockAdditionMappingID,
      EBMLElement.bytes(EBMLElement.blockAddIDValueID, [number])
        + EBMLElement.bytes(EBMLElement.blockAddIDTypeID, [number]))
}

extension EBMLElement {
  /// Returns an element with its header.
  fileprivate static func bytes(_ id: UInt32, _ content: [UInt8], sizeLength: Int = 1) -> [UInt8] {
    // A size whose bits are all 1 would mean that the size is unknown (RFC 8794, 6.2).
    let length = (sizeLength...8).first { content.count < 1 << (7 * $0) - 1 } ?? 8
    let size = UInt64(content.count) | 1 << UInt64(7 * length)
    let header = (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * $0)) }
    let digits = (0..<length).map {
      UInt8(truncatingIfNeeded: size >> UInt64(8 * (length - 1 - $0)))
    }
    return header.drop { $0 == 0 } + digits + content
  }

  /// Returns an element that means nothing and takes a given number of bytes, or `nil` if the
  /// number is too small.
  fileprivate static func padding(_ count: Int) -> [UInt8]? {
    guard count >= 2 else { return nil }
    let sizeLength = count < 128 ? 1 : 8
    let content = [UInt8](repeating: 0, count: count - 1 - sizeLength)
    return bytes(voidID, content, sizeLength: sizeLength)
  }

  /// Computes the checksum with which the content of an element begins anew (RFC 8794, 11.3.1).
  ///
  /// - Returns: the place of the checksum, or `nil` if there is none.
  fileprivate static func updateChecksum(_ content: inout [UInt8]) -> Range<Int>? {
    guard let first = places(in: content[...], most: 1).first, first.id == checksumID,
      first.content.count == 4
    else { return nil }
    let checksum = FFmpeg.checksum(content[first.content.upperBound...])
    for (number, index) in first.content.enumerated() {
      content[index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(number)))
    }
    return first.content
  }
}
