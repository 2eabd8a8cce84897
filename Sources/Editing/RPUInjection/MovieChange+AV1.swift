// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits
internal import OBUs

extension MovieChange {
  /// Returns the patches for a sample of AV1. They put the RPU before the frame that the sample
  /// shows, and remove other RPUs.
  static func av1Patches(
    _ sample: Range<UInt64>, _ entry: SampleEntry?, _ source: FileByteSource, _ rpu: [UInt8]
  ) throws -> [BytePatches.Patch] {
    let units = OBU.split(try source.read(at: sample.lowerBound, count: sample.count))
    let stored = AV1ConfigurationRecord(entry?.configuration?.payload ?? []).units
    guard let frame = units.shownFrameIndex(after: stored).map({ units[$0] }),
      let new = OBU(metadata: NALUnit(dolbyVisionRPU: rpu)), let first = frame.bytes.first
    else {
      throw TranscodingError(
        .unusableInput, "the sample at byte \(sample.lowerBound) shows no frame")
    }
    func range(_ unit: OBU) -> Range<UInt64> {
      let start = sample.lowerBound + UInt64(unit.bytes.startIndex)
      return start..<start + UInt64(unit.bytes.count)
    }
    let dropped = units.filter { $0.metadata?.isDolbyVisionRPU == true }
      .map { BytePatches.Patch(range($0), with: []) }
    // A patch has to replace existing bytes, so it covers the first byte of the frame.
    let start = range(frame).lowerBound
    return dropped + [.init(start..<start + 1, with: Array(new.bytes) + [first])]
  }
}
