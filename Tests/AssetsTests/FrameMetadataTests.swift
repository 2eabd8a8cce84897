// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import CodePoints
@testable import DolbyVision
import MediaCore
import NALUnits
import Testing

/// Dynamic metadata of frames is read, kept and filled in according to its kind.
@Suite struct FrameMetadataTests {
  private static func rpu(maxPQ: UInt16 = 2081, beginsShot: Bool = false) throws -> DolbyVisionRPU {
    try DolbyVisionRPU(
      writing: .profile84(
        level1: Level1(minPQ: 0, maxPQ: maxPQ, avgPQ: 819), isSceneRefresh: beginsShot,
        level6: nil, level11: .userGenerated))
  }

  private static func hdr10Plus(_ last: UInt8) -> HDR10Plus {
    HDR10Plus(payload: HDR10PlusMetadata.prefix + [4, last])
  }

  /// If an access unit has several RPUs or HDR10+ messages, its last RPU and its first message are
  /// used.
  @Test func severalInOneAccessUnit() throws {
    let (one, other) = (try Self.rpu(maxPQ: 1000), try Self.rpu(maxPQ: 2000))
    var metadata = FrameMetadata()
    metadata.take([
      Self.hdr10Plus(1).nalUnit(.hevc), Self.hdr10Plus(2).nalUnit(.hevc), one.nalUnit(.hevc),
      other.nalUnit(.hevc),
    ])
    #expect(metadata.payloads["dolbyVision"] == other.payload)
    #expect(metadata[DolbyVisionRPU.self]?.unit == other.unit)
    #expect(metadata.payloads["hdr10Plus"] == Self.hdr10Plus(1).payload)
    // An RPU that comes later but belongs to the frame replaces the earlier one.
    metadata.take([one.nalUnit(.hevc)])
    #expect(metadata[DolbyVisionRPU.self]?.unit == one.unit)
    #expect(metadata.has(HDR10Plus.self))
  }

  /// HDR10+ is found in suffix SEI messages, too.
  @Test func messagesBehindThePicture() {
    let prefix = Self.hdr10Plus(1).nalUnit(.hevc)
    let suffix = NALUnit(HEVCNALUnitType.suffixSEI.header + prefix.bytes.dropFirst(2), .hevc)
    #expect(HDR10Plus.payload(in: [suffix]) == Self.hdr10Plus(1).payload)
  }

  /// Metadata that cannot be read stays with its frame, and changes leave its bytes as they are.
  @Test func damagedBytesStay() throws {
    var bytes = try Self.rpu().payload
    bytes[bytes.count - 3] ^= 1
    let damaged = DolbyVisionRPU(payload: bytes)
    #expect(damaged.unit == nil && damaged.damage != nil)
    #expect(damaged.beginningShot.payload == bytes)
    #expect(!damaged.isUsable(beside: try Self.rpu()))
    var metadata = FrameMetadata()
    metadata.put(damaged)
    #expect(metadata.payloads["dolbyVision"] == bytes)
    #expect(metadata.all.map(\.payload) == [bytes])
  }

  /// The first RPU that can be read represents its track.
  @Test func firstThatCanBeRead() throws {
    let damaged = NALUnit(dolbyVisionRPU: [0x19, 1, 2, 3, 4, 5, 0x80])
    let good = try Self.rpu()
    #expect(
      DolbyVisionRPU.representative(of: [damaged, good.nalUnit(.hevc)])?.payload == good.payload)
    #expect(DolbyVisionRPU.representative(of: [damaged])?.unit == nil)
    #expect(DolbyVisionRPU.representative(of: []) == nil)
  }

  @Test func changesAreWritten() throws {
    let changed = try Self.rpu().beginningShot
    #expect(changed.beginsShot)
    #expect(changed.payload == (try Self.rpu(beginsShot: true)).payload)
    #expect(DolbyVisionRPU(payload: changed.payload).unit == changed.unit)
  }

  /// A frame without metadata takes from the frame before it only what every frame needs.
  @Test func gapsAreFilled() throws {
    var before = FrameMetadata()
    before.put(try Self.rpu())
    before.put(Self.hdr10Plus(1))
    var metadata = FrameMetadata()
    metadata.fill(from: before)
    #expect(metadata.payloads == ["dolbyVision": try Self.rpu().payload])
  }

  /// If a program made the pixels, their attachments replace the source's metadata. Kinds of
  /// metadata that can be recomputed are an exception: the source's metadata stays.
  @Test func attachmentsReplace() throws {
    var metadata = FrameMetadata()
    metadata.put(try Self.rpu())
    metadata.put(Self.hdr10Plus(1))
    var attachments = Attachments()
    attachments.dolbyVisionRPU = try Self.rpu(maxPQ: 1000).payload
    metadata.replace(with: attachments.metadata)
    #expect(metadata.payloads == ["dolbyVision": try Self.rpu().payload])
    var own = FrameMetadata()
    own.replace(with: attachments.metadata)
    #expect(own[DolbyVisionRPU.self]?.unit == (try Self.rpu(maxPQ: 1000)).unit)
  }

  /// No two kinds share a key. Keys are names in JSON and in files that programs read.
  @Test func keysDiffer() {
    let kinds = FrameMetadata.kinds
    #expect(Set(kinds.map { $0.key }).count == kinds.count)
    #expect(Set(kinds.map { $0.sampleKey }).count == kinds.count)
    #expect(Set(kinds.map { $0.frameCount.key }).count == kinds.count)
  }
}
