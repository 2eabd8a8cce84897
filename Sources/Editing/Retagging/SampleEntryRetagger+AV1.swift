// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits
internal import OBUs

/// Changes the tags of AV1, which are in sequence headers and metadata units, both in `av1C` and in
/// samples.
extension SampleEntryRetagger {
  /// Changes the sequence header and the metadata units in `av1C`.
  func changeAV1Configuration(_ entry: inout Box) throws {
    guard entry.holdsAV1, let fields = entry.child("av1C")?.fields else { return }
    let old = AV1ConfigurationRecord(fields)
    var new = old
    try new.replaceUnits { try retag($0) }
    if new != old { entry.set(Box("av1C", fields: new.bytes)) }
  }

  /// Returns the changes to the units of a sample.
  func av1Patches(
    _ sample: Range<UInt64>, _ source: FileByteSource
  ) throws -> [BytePatches.Patch] {
    guard sample.upperBound <= source.size else {
      throw ISOBMFFError.missingSamples(end: sample.upperBound, fileSize: source.size)
    }
    // Read the header of each unit, and the whole unit only if it may carry tags. Nearly all of a
    // movie's gigabytes are frames.
    var patches: [BytePatches.Patch] = []
    var start = sample.lowerBound
    while start < sample.upperBound {
      let rest = Int(sample.upperBound - start)
      let beginning = try source.read(at: start, count: min(OBU.longestHeader, rest))
      guard let length = OBU.length(of: beginning, in: rest) else { break }
      let range = start..<start + UInt64(length)
      start = range.upperBound
      guard OBU.mayCarryTags(beginning) else { continue }
      for unit in OBU.split(try source.read(at: range.lowerBound, count: length)) {
        let new = try retag(unit)
        if new != unit { patches.append(.init(range, with: new.map { Array($0.bytes) } ?? [])) }
      }
    }
    return patches
  }

  /// Returns a unit after the changes, or `nil` if it is removed.
  private func retag(_ unit: OBU) throws -> OBU? {
    switch unit.kind {
    case .sequenceHeader: try retagHeader(unit)
    case .metadata: retagMetadata(unit)
    default: unit
    }
  }

  private func retagHeader(_ unit: OBU) throws -> OBU {
    var fault = "these tags"
    do throws(BitstreamError) {
      let old = try AV1SequenceHeader(unit.payload)
      var wanted = old.signal
      changes.apply(to: &wanted)
      let new = try AV1SequenceHeader.retagging(unit) { $0 = wanted }
      // R'G'B' has no chroma to subsample (AV1, 6.4.2), so it needs 4:4:4. Headers for sRGB have a
      // short form without range and subsampling, so tags are never changed from or to sRGB. If
      // such a change is asked for, `new` is the old header.
      let isPossible = wanted.color.matrixCoefficients != .identity || old.chromaFormatIdc == 3
      var stated = try AV1SequenceHeader(new.payload).signal
      var possible = AV1SequenceHeader.expressible(wanted)
      if isPossible, stated == possible { return new }
      let location = possible.chromaLocation
      (stated.chromaLocation, possible.chromaLocation) = (nil, nil)
      if let location, isPossible, stated == possible {
        fault = "the chroma location \(location), which is only for 4:2:0"
      }
    } catch {
      throw TranscodingError(.unusableInput, "its sequence header cannot be read: \(error)")
    }
    throw TranscodingError(.unusableInput, "its sequence header cannot state \(fault)")
  }

  private func retagMetadata(_ unit: OBU) -> OBU? {
    guard let metadata = unit.metadata else { return unit }
    let new = changes.retagSEI(metadata)
    return new == metadata ? unit : new.flatMap { OBU(metadata: $0) }
  }
}

extension Box {
  /// Whether the sample entry is for AV1 and not encrypted.
  var holdsAV1: Bool { child("av1C") != nil && !SampleEntry.isEncrypted(type) }
}
