// SPDX-License-Identifier: GPL-2.0-or-later
import Bitstreams
import CodePoints
import Testing

@testable import OBUs

/// Sequence headers are read and changed. The tests begin with one that SVT-AV1 1.4.1 wrote.
@Suite struct SequenceHeaderTests {
  /// A header that states 96×64, 10 bits, 9/16/9, limited range, and chroma on the top left luma
  /// sample.
  private static let hdr: [UInt8] = [
    0x0A, 0x0D, 0x00, 0x00, 0x00, 0x03, 0x2D, 0xFF, 0xCF, 0xBF, 0x95, 0x09, 0x10, 0x09, 0x44,
  ]

  private func unit(_ bytes: [UInt8]) throws -> OBU { try #require(OBU.split(bytes).first) }

  private func header(_ unit: OBU) throws -> AV1SequenceHeader {
    try AV1SequenceHeader(unit.payload)
  }

  @Test func fieldsAreRead() throws {
    let header = try header(unit(Self.hdr))
    #expect(header.size == VideoDimensions(width: 96, height: 64))
    #expect(header.bitDepth == 10)
    #expect(header.chromaFormatIdc == 1)
    #expect(
      header.signal
        == SignalDescription(color: .pq, videoFullRangeFlag: false, chromaLocation: .topLeft))
    #expect(header.profileName == "Main")
    #expect(header.levelName == "2.0")
    #expect(!header.hasFilmGrain)
  }

  /// A scalable stream has several operating points. What follows them is read all the same.
  @Test func operatingPointsAreCounted() throws {
    var reader = BitReader(Array(try unit(Self.hdr).payload))
    var writer = BitWriter()
    // These 7 bits are the profile and four flags, which are all 0.
    try writer.copy(7, from: &reader)
    _ = try reader.u(5)
    // These 17 bits are `operating_point_idc` and the level.
    let point = try reader.u(17)
    writer.u(1, 5)
    for _ in 0..<2 { writer.u(point, 17) }
    try writer.copy(reader.contentBitCount - reader.position, from: &reader)
    writer.trailingBits()
    let header = try AV1SequenceHeader(writer.bytes)
    #expect(header.operatingPointCount == 2)
    #expect(header.size == VideoDimensions(width: 96, height: 64))
    #expect(header.signal.color == .pq)
  }

  /// Any signal that is written into a header is read back. If the old signal is then written
  /// again, the header has its old bytes again.
  @Test(arguments: [
    SignalDescription(color: .hlg, videoFullRangeFlag: false, chromaLocation: .left),
    SignalDescription(color: .bt709, videoFullRangeFlag: true),
    SignalDescription(videoFullRangeFlag: true, chromaLocation: .topLeft),
    SignalDescription(videoFullRangeFlag: false),
  ])
  func tagsAreReplaced(signal: SignalDescription) throws {
    let first = try unit(Self.hdr)
    let new = try AV1SequenceHeader.retagging(first) { $0 = signal }
    let read = try header(new)
    #expect(read.signal == signal)
    #expect(read.size == VideoDimensions(width: 96, height: 64))
    #expect(read.bitDepth == 10)
    let old = try header(first).signal
    #expect(try Array(AV1SequenceHeader.retagging(new) { $0 = old }.bytes) == Self.hdr)
  }

  /// AV1 always states a range, and has numbers for only two chroma locations.
  @Test func whatCannotBeStatedIsLeftOut() throws {
    let signal = SignalDescription(color: .bt709, chromaLocation: .center)
    let stated = SignalDescription(color: .bt709, videoFullRangeFlag: false)
    #expect(AV1SequenceHeader.expressible(signal) == stated)
    let new = try AV1SequenceHeader.retagging(unit(Self.hdr)) { $0 = signal }
    #expect(try header(new).signal == stated)
  }

  /// For this header, `av1C` has the same bytes as the one that FFmpeg 5.1 writes.
  @Test func theRecordRepeatsTheHeader() throws {
    let record = AV1ConfigurationRecord(OBU.split(Self.hdr))
    #expect(record.bytes == [0x81, 0x00, 0x4E, 0x00] + Self.hdr)
    #expect(AV1ConfigurationRecord(record.bytes) == record)
  }

  /// A record that has no units, or that states a delay, is kept as it is.
  @Test func recordsAreKept() {
    for bytes in [[0x81, 0x00, 0x0C, 0x13], [0x81, 0x00, 0x4E, 0x13] + Self.hdr] as [[UInt8]] {
      #expect(AV1ConfigurationRecord(bytes).bytes == bytes)
    }
  }

  /// A record that contradicts the samples is replaced by a new one. It is no contradiction if a
  /// header announces tools that the encoder then does not use.
  @Test func recordsAreComparedWithSamples() throws {
    let sample = OBU.split(Self.hdr)
    let good = AV1ConfigurationRecord(sample).bytes
    var tools = good
    // This bit, in the header's ninth byte, announces a tool.
    tools[4 + 2 + 8] ^= 0x20
    for bytes in [good, tools] {
      #expect(AV1ConfigurationRecord.faults(of: bytes, beside: sample) == [])
      #expect(AV1ConfigurationRecord(fitting: sample, stated: bytes)?.bytes == bytes)
    }
    var wrong = good
    wrong[1] ^= 0x03
    wrong[3] = 0x13
    let damaged: [UInt8] = [0x81, 0, 0x4E, 0, 0xFF, 0xFF]
    for bytes in [wrong, Array(good.prefix(3)), damaged] {
      #expect(AV1ConfigurationRecord.faults(of: bytes, beside: sample)?.isEmpty == false)
      let new = try #require(AV1ConfigurationRecord(fitting: sample, stated: bytes)).bytes
      #expect(new[3] == (bytes == wrong ? 0x13 : 0))
      #expect(new.prefix(3) == good.prefix(3) && new.dropFirst(4) == good.dropFirst(4))
    }
    #expect(AV1ConfigurationRecord.faults(of: [0x81, 0, 0, 0], beside: []) == nil)
  }

  /// A header that is cut off gives an error. It neither traps nor counts as a whole header.
  @Test func cutOffHeadersAreErrors() throws {
    let payload = try unit(Self.hdr).payload
    for count in 0..<payload.count - 1 {
      #expect(throws: (any Error).self) { try AV1SequenceHeader(payload.prefix(count)) }
    }
  }
}
