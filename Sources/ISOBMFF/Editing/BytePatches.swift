// SPDX-License-Identifier: GPL-2.0-or-later
/// Other bytes in the places of parts of a file; none overlaps another.
package struct BytePatches: Hashable, Sendable {
  /// One part and what takes its place.
  package struct Patch: Hashable, Sendable {
    let range: Range<UInt64>
    let bytes: [UInt8]
    /// Number of bytes by which the patches up to this one make the file longer.
    fileprivate(set) var growth: Int64 = 0

    /// A patch.
    package init(_ range: Range<UInt64>, with bytes: [UInt8]) {
      self.range = range
      self.bytes = bytes
    }
  }

  /// Patches in the order of the file.
  let patches: [Patch]

  /// No patches.
  package init() { patches = [] }

  /// Patches in any order. The same bytes for the same part, as two tracks with the same samples
  /// ask for, count once.
  ///
  /// - Throws: ``ISOBMFFError/overlappingSamples(offset:)`` where two patches share some of a part.
  package init(
    _ parts: [Patch], checkpoint: Checkpoint = {}
  ) throws(ISOBMFFError) {
    var patches: [Patch] = []
    patches.reserveCapacity(parts.count)
    let ordered = try parts.sorted(by: \.range.lowerBound, checkpoint)
    for (index, var patch) in ordered.enumerated() {
      if index % checkpointInterval == 0 { try checkpoint() }
      let before = patches.last
      if let before, before.range.upperBound > patch.range.lowerBound {
        guard before.range == patch.range, before.bytes == patch.bytes else {
          throw .overlappingSamples(offset: patch.range.lowerBound)
        }
        continue
      }
      patch.growth =
        (before?.growth ?? 0) + Int64(patch.bytes.count) - Int64(patch.range.count)
      patches.append(patch)
    }
    self.patches = patches
  }

  /// True if nothing is replaced.
  package var isEmpty: Bool { patches.isEmpty }

  /// Number of bytes by which a part of the file becomes longer.
  ///
  /// - Throws: ``ISOBMFFError/overlappingSamples(offset:)`` where a patch lies across its border.
  package func growth(in range: Range<UInt64>) throws(ISOBMFFError) -> Int64 {
    guard !isEmpty else { return 0 }
    let inside = indices(in: range)
    for patch in [inside.lowerBound - 1, inside.upperBound] where patches.indices.contains(patch) {
      guard !patches[patch].range.overlaps(range) else {
        throw .overlappingSamples(offset: range.lowerBound)
      }
    }
    return growth(before: inside.upperBound) - growth(before: inside.lowerBound)
  }

  /// True if anything in a part of the file is replaced.
  package func touches(_ range: Range<UInt64>) -> Bool { !indices(in: range).isEmpty }

  /// The patches that lie wholly in a part of the file.
  func within(_ range: Range<UInt64>) -> ArraySlice<Patch> { patches[indices(in: range)] }

  /// A part of the file after the patches in it.
  ///
  /// - Parameter bytes: the part as it was.
  package func apply(to bytes: [UInt8], at range: Range<UInt64>) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for patch in within(range) {
      let start = Int(patch.range.lowerBound - range.lowerBound)
      guard position <= start, start + patch.range.count <= bytes.count else { break }
      result += bytes[position..<start] + patch.bytes
      position = start + patch.range.count
    }
    return result + bytes[position...]
  }

  private func indices(in range: Range<UInt64>) -> Range<Int> {
    let first = firstIndex { $0.range.lowerBound >= range.lowerBound }
    return first..<max(first, firstIndex { $0.range.upperBound > range.upperBound })
  }

  private func growth(before index: Int) -> Int64 { index > 0 ? patches[index - 1].growth : 0 }

  /// The first patch for which the condition is true, as it is for all behind it.
  private func firstIndex(where isBehind: (Patch) -> Bool) -> Int {
    patches.partitioningIndex(where: isBehind)
  }
}
