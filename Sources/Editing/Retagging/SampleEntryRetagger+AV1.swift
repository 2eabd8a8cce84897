// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits
internal import OBUs

/// Changes the tags of AV1: sequence headers, in `av1C` and in samples, and metadata units.
extension SampleEntryRetagger {
  // Headers and metadata come before the first frame, and are short.
  /// How many bytes of a sample are searched.
  private static let window = 4096

  /// Changes the sequence header in `av1C`.
  func changeAV1Configuration(_ entry: inout Box) throws {
    guard entry.holdsAV1, let fields = entry.child("av1C")?.fields else { return }
    let old = AV1ConfigurationRecord(fields)
    var new = old
    try new.replaceUnits { try retag($0) ?? $0 }
    if new != old { entry.set(Box("av1C", fields: new.bytes)) }
  }

  /// Returns the changes to the units of a sample.
  func av1Patches(
    _ sample: Range<UInt64>, _ source: FileByteSource
  ) throws -> [BytePatches.Patch] {
    guard sample.upperBound <= source.size else {
      throw ISOBMFFError.missingSamples(end: sample.upperBound, fileSize: source.size)
    }
    let beginning = try source.read(
      at: sample.lowerBound, count: min(Self.window, sample.count))
    return try OBU.split(beginning).compactMap { unit in
      let new = try retag(unit)
      guard new != unit else { return nil }
      let start = sample.lowerBound + UInt64(unit.bytes.startIndex)
      return .init(
        start..<start + UInt64(unit.bytes.count), with: new.map { Array($0.bytes) } ?? [])
    }
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
    do throws(BitstreamError) {
      let old = try AV1SequenceHeader(unit.payload)
      var wanted = old.signal
      changes.apply(to: &wanted)
      let new = try AV1SequenceHeader.retagging(unit) { $0 = wanted }
      // R'G'B' has no chroma to subsample (AV1, 6.4.2), and some headers have a short form that
      // cannot change.
      let isPossible = wanted.color.matrixCoefficients != .identity || old.chromaFormatIdc == 3
      if isPossible,
        try AV1SequenceHeader(new.payload).signal == AV1SequenceHeader.expressible(wanted)
      {
        return new
      }
    } catch {
      throw TranscodingError(.unusableInput, "its sequence header cannot be read: \(error)")
    }
    throw TranscodingError(.unusableInput, "its sequence header cannot state these tags")
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
