// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
@testable import Host
import MediaCore
import TestSupport
import Testing

/// Chapters and crops of Matroska are read without libavformat.
@Suite struct MatroskaHeaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns an element: its ID, a size of four bytes, and its content.
  private func element(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(content.count) | 0x1000_0000
    return bytes(id) + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + content
  }

  private func bytes(_ number: UInt32) -> [UInt8] {
    Array((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }.drop { $0 == 0 })
  }

  private func number(_ id: UInt32, _ value: UInt32) -> [UInt8] {
    element(id, bytes(value).isEmpty ? [0] : bytes(value))
  }

  private func atom(_ start: UInt32, _ title: String, _ more: [UInt8] = []) -> [UInt8] {
    let display = element(0x80, element(0x85, Array(title.utf8)))
    return element(0xB6, number(0x91, start) + display + more)
  }

  private func file(_ chapters: [UInt8], seeksBehindFrames: Bool = false) -> [UInt8] {
    let header = element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))
    let element = self.element(0x1043_A770, chapters)
    let cluster = self.element(0x1F43_B675, [1, 2, 3])
    guard seeksBehindFrames else {
      return header + self.element(0x1853_8067, element + cluster)
    }
    func index(_ position: UInt32) -> [UInt8] {
      self.element(
        0x114D_9B74,
        self.element(
          0x4DBB,
          self.element(0x53AB, [0x10, 0x43, 0xA7, 0x70])
            + self.element(
              0x53AC,
              [
                UInt8(position >> 8), UInt8(position & 0xFF),
              ])))
    }
    let position = UInt32(index(0).count + cluster.count)
    return header + self.element(0x1853_8067, index(position) + cluster + element)
  }

  private func header(_ bytes: [UInt8]) throws -> MatroskaHeader? {
    try MatroskaHeader(FileByteSource(path: folder.write(bytes, to: "a.mkv")))
  }

  private var twoEditions: [UInt8] {
    element(0x45B9, number(0x45DB, 0) + atom(0, "Other"))
      + element(
        0x45B9,
        number(0x45DB, 1)
          + atom(100, "Parent", atom(300, "Child") + atom(100, "First"))
          + atom(200, "Hidden", number(0x98, 1) + atom(250, "Seen"))
          + atom(400, "Disabled", number(0x4598, 0) + atom(450, "Skipped"))
          + atom(350, "Late"))
  }

  /// A number within its bounds is believed. A number beyond them counts as not stated.
  @Test func everyNumberIsReadWithinItsBounds() {
    func read(_ field: EBMLField, _ value: Int64) -> Int64? {
      let content = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
      return EBMLContent(element(field.id, content)).number(field)
    }
    for field in EBMLField.all {
      let bounds = field.number.bounds
      for value in [bounds.lowerBound, bounds.upperBound] {
        #expect(read(field, value) == value, "\(field.number.field)")
      }
      // The file has no signs, so -1 is read as 2⁶⁴ - 1.
      for value in [bounds.lowerBound - 1, bounds.upperBound + 1, .max, -1] {
        #expect(read(field, value) == nil, "\(field.number.field) \(value)")
      }
    }
  }

  /// Files of other kinds contain numbers that say where the file ends. They are believed only
  /// within their bounds.
  @Test func everyEndIsReadWithinItsBounds() throws {
    for number in FileByteSource.endNumbers {
      let bounds = number.bounds
      #expect(number.believed(bounds.upperBound) == bounds.upperBound, "\(number.field)")
      #expect(number.believed(bounds.upperBound + 1) == nil && number.believed(0) == nil)
    }
    // This is the header partition of an MXF file. It states where the file's footer is.
    func end(_ footer: UInt64) throws -> UInt64? {
      let key: [UInt8] = [6, 0x0E, 0x2B, 0x34, 2, 5, 1, 1, 0x0D, 1, 2, 1, 1, 2, 4, 0]
      let place = (0..<8).map { UInt8(truncatingIfNeeded: footer >> (56 - 8 * $0)) }
      let zeros = [UInt8](repeating: 0, count: 24)
      let path = try folder.write(key + [0x58] + zeros + place + zeros + zeros, to: "a.mxf")
      return try FileByteSource(path: path).statedEnd()
    }
    #expect(try end(1 << 62) == 1 << 62 + 1)
    #expect(try end(1 << 62 + 1) == nil && end(.max) == nil)
  }

  @Test(arguments: [false, true]) func defaultEdition(seeks: Bool) throws {
    let chapters = try #require(header(file(twoEditions, seeksBehindFrames: seeks))?.chapters)
    #expect(
      chapters.shown.map { "\($0.start.value) \($0.title)" } == [
        "100 Parent", "100 First", "250 Seen", "300 Child", "350 Late",
      ])
    // These chapters count as left out: the hidden one, the two disabled ones, the one of the other
    // edition, and one of the two that begin at 100, because players show only one of them.
    #expect(chapters.leftOutCount == 5)
  }

  @Test func editionsWithoutDefault() throws {
    let editions =
      element(0x45B9, number(0x45BD, 1) + atom(0, "A")) + element(0x45B9, atom(0, "B"))
    #expect(try header(file(editions))?.chapters?.shown.map(\.title) == ["B"])
    let deep = (0..<100).reduce([UInt8]()) { inside, _ in atom(1, "", inside) }
    #expect(try header(file(element(0x45B9, deep)))?.chapters?.shown.count == 16)
  }

  /// Damage neither stops the program nor makes it read endlessly.
  @Test func damage() throws {
    let whole = file(twoEditions, seeksBehindFrames: true)
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let length = Int.random(in: 0...bytes.count, using: &generator)
      _ = try header(Array(bytes.prefix(length)))
      _ = try header(bytes)
    }
    #expect(try header([]) == nil && header(Array("ftyp".utf8)) == nil)
    let sizes: [[UInt8]] = [[0x01] + [UInt8](repeating: 0xFF, count: 7), [0x08], [0]]
    for size in sizes {
      let start = Array(whole.prefix(while: { $0 != 0x18 })) + [0x18, 0x53, 0x80, 0x67] + size
      _ = try header(start + [UInt8](repeating: 0x80, count: 5000))
    }
  }
}
