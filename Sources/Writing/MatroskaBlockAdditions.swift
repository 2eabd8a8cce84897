// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Glibc
internal import Host
internal import ISOBMFF
internal import LibAV

/// Marks the block additions of a finished Matroska file as messages of ITU-T T.35, such as HDR10+
/// (RFC 9559, 5.1.3.5.2 and 5.1.4.1.17).
///
/// Before FFmpeg 6.1, libavformat writes all additions with the number 1, whose meaning depends on
/// the codec. It also describes no addition in the track's header.
struct MatroskaBlockAdditions {
  private let name: String
  private let source: FileByteSource
  private let file: OpenFile
  /// The Matroska numbers of the tracks with additions. They are below 127.
  private let tracks: Set<UInt8>

  /// The number and the type of additions that are messages of ITU-T T.35.
  private static let number: UInt8 = 4

  /// - Parameter indices: the indices of the tracks with additions.
  init(path: String, tracks indices: Set<Int>) throws {
    name = path
    source = try FileByteSource(path: path)
    file = OpenFile(closing: PosixPath.open(path, O_WRONLY))
    // libavformat counts tracks from 1. A larger number would take more than one byte in a block.
    tracks = Set(indices.filter { $0 < 126 }.map { UInt8($0 + 1) })
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
        let content = try source.read(at: element.content.lowerBound, count: element.content.count)
        let marked = marked(cluster: content)
        if marked != content { try write(marked, at: element.content.lowerBound) }
      }
      place = element.content.upperBound
    }
  }

  private func write(_ bytes: [UInt8], at place: UInt64) throws {
    let isPlaced = lseek(file.descriptor, off_t(place), SEEK_SET) >= 0
    let error = isPlaced ? SystemCall.write(bytes, to: file.descriptor) : errno
    guard error == 0 else {
      throw ISOBMFFError.inputOutput("writing \(name) failed: \(SystemCall.text(error))")
    }
  }

  /// Returns a cluster in which the additions of the tracks have their number.
  private func marked(cluster: [UInt8]) -> [UInt8] {
    var cluster = cluster
    for group in EBMLElement.places(in: cluster) where group.id == EBMLElement.blockGroupID {
      let parts = EBMLElement.places(in: Array(cluster[group.content]))
      func places(_ id: UInt32, in content: Range<Int>) -> [Range<Int>] {
        EBMLElement.places(in: Array(cluster[content])).filter { $0.id == id }.map {
          content.lowerBound + $0.content.lowerBound..<content.lowerBound + $0.content.upperBound
        }
      }
      // A block begins with the track's number, which has a length marker.
      let block = parts.first { $0.id == EBMLElement.blockID }.map {
        cluster[group.content.lowerBound + $0.content.lowerBound]
      }
      guard let block, tracks.contains(block & 0x7F) else { continue }
      for additions in places(EBMLElement.blockAdditionsID, in: group.content) {
        for more in places(EBMLElement.blockMoreID, in: additions) {
          for number in places(EBMLElement.blockAddIDID, in: more) where number.count == 1 {
            cluster[number.lowerBound] = Self.number
          }
        }
      }
    }
    return EBMLElement.checked(cluster)
  }

  /// Adds the description of the additions to the tracks. The padding before them becomes shorter
  /// by as much. Without enough padding, nothing is changed: players know the number 4, too.
  private func describe(in header: Range<UInt64>) throws {
    let bytes = try source.read(at: header.lowerBound, count: header.count)
    let elements = EBMLElement.places(in: bytes)
    let starts = [0] + elements.map(\.content.upperBound)
    guard let padding = elements.firstIndex(where: { $0.id == EBMLElement.voidID }),
      let tracks = elements.firstIndex(where: { $0.id == EBMLElement.tracksID }),
      padding < tracks
    else { return }
    let described = EBMLElement.bytes(
      EBMLElement.tracksID, described(tracks: Array(bytes[elements[tracks].content])))
    let growth = described.count - (starts[tracks + 1] - starts[tracks])
    guard let rest = EBMLElement.padding(starts[padding + 1] - starts[padding] - growth) else {
      return
    }
    var new: [UInt8] = []
    for (index, element) in elements.enumerated() {
      switch index {
      case padding: new += rest
      case tracks: new += described
      default:
        var whole = Array(bytes[starts[index]..<starts[index + 1]])
        if element.id == EBMLElement.seekHeadID {
          let place = element.content.lowerBound - starts[index]
          let moved = starts[padding + 1]...starts[tracks]
          whole[place...] = Self.moving(Array(whole[place...]), moved, by: -growth)[...]
        }
        new += whole
      }
    }
    try write(new, at: header.lowerBound)
  }

  /// Returns the content of an index of elements after the elements in a range were moved.
  private static func moving(
    _ index: [UInt8], _ moved: ClosedRange<Int>, by distance: Int
  ) -> [UInt8] {
    var index = index
    for entry in EBMLElement.places(in: index) where entry.id == EBMLElement.seekID {
      for field in EBMLElement.places(in: Array(index[entry.content]))
      where field.id == EBMLElement.seekPositionID && field.content.count <= 8 {
        let start = entry.content.lowerBound + field.content.lowerBound
        let bytes = start..<start + field.content.count
        let position = index[bytes].reduce(0) { $0 << 8 | Int($1) }
        guard moved ~= position else { continue }
        for (number, byte) in bytes.reversed().enumerated() {
          index[byte] = UInt8(truncatingIfNeeded: (position + distance) >> (8 * number))
        }
      }
    }
    return EBMLElement.checked(index)
  }

  /// Returns the content of the header's list of tracks, with descriptions of the additions.
  private func described(tracks list: [UInt8]) -> [UInt8] {
    var new: [UInt8] = []
    var start = 0
    for entry in EBMLElement.places(in: list) {
      let content = Array(list[entry.content])
      let fields = EBMLElement.places(in: content)
      let number = fields.first { $0.id == EBMLElement.trackNumberID }.map { content[$0.content] }
      if entry.id == EBMLElement.trackEntryID, let number = number?.last, tracks.contains(number) {
        new += EBMLElement.bytes(entry.id, described(track: content))
      } else {
        new += list[start..<entry.content.upperBound]
      }
      start = entry.content.upperBound
    }
    return EBMLElement.checked(new)
  }

  private func described(track: [UInt8]) -> [UInt8] {
    var new: [UInt8] = []
    var start = 0
    for field in EBMLElement.places(in: track) {
      if field.id != EBMLElement.maxBlockAdditionID {
        new += track[start..<field.content.upperBound]
      }
      start = field.content.upperBound
    }
    let number = [Self.number]
    return new + EBMLElement.bytes(EBMLElement.maxBlockAdditionID, number)
      + EBMLElement.bytes(
        EBMLElement.blockAdditionMappingID,
        EBMLElement.bytes(EBMLElement.blockAddIDValueID, number)
          + EBMLElement.bytes(EBMLElement.blockAddIDTypeID, number))
  }
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

  /// Returns the content of an element. If it begins with a checksum (RFC 8794, 11.3.1), the
  /// checksum is computed anew.
  fileprivate static func checked(_ content: [UInt8]) -> [UInt8] {
    guard let first = places(in: content).first, first.id == checksumID, first.content.count == 4
    else { return content }
    let checksum = FFmpeg.checksum(content[first.content.upperBound...])
    var content = content
    for (number, index) in first.content.enumerated() {
      content[index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(number)))
    }
    return content
  }
}
