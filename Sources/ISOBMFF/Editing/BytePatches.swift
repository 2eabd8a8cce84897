// SPDX-License-Identifier: GPL-2.0-or-later
/// Replaces parts of a file with other bytes. No two parts overlap.
package struct BytePatches: Hashable, Sendable {
  /// One part of the file and the bytes that replace it.
  package struct Patch: Hashable, Sendable {
    let range: Range<UInt64>
    let bytes: [UInt8]

    // This is a running sum, so that the growth of any part is one subtraction, even with a patch
    // in every sample of a long track.
    /// By how many bytes this patch and all patches before it make the file longer.
    fileprivate(set) var growth: Int64 = 0

    /// Replaces `range` with `bytes`, which may be longer or shorter than the range.
    package init(_ range: Range<UInt64>, with bytes: [UInt8]) {
      self.range = range
      self.bytes = bytes
    }
  }

  /// The patches, sorted by their place in the file.
  let patches: [Patch]

  /// Makes patches that change nothing.
  package init() { patches = [] }

  /// Makes patches from parts in any order.
  ///
  /// - Throws: ``ISOBMFFError/overlappingSamples(offset:)`` if two patches overlap.
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
        // Two tracks may share their samples and then ask for the same patch twice. It is applied
        // once. Any other overlap has no meaning.
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

  /// Whether nothing is replaced.
  package var isEmpty: Bool { patches.isEmpty }

  /// Returns by how many bytes a part of the file grows; below 0 if it shrinks.
  ///
  /// - Throws: ``ISOBMFFError/overlappingSamples(offset:)`` if a patch crosses the part's border.
  package func growth(in range: Range<UInt64>) throws(ISOBMFFError) -> Int64 {
    guard !isEmpty else { return 0 }
    let inside = indices(in: range)
    // Patches do not overlap. So only two of them can cross a border of the range: the last one
    // before the patches inside, and the first one after them.
    for patch in [inside.lowerBound - 1, inside.upperBound] where patches.indices.contains(patch) {
      guard !patches[patch].range.overlaps(range) else {
        throw .overlappingSamples(offset: range.lowerBound)
      }
    }
    return growth(before: inside.upperBound) - growth(before: inside.lowerBound)
  }

  /// Whether any patch is completely inside a part of the file.
  package func touches(_ range: Range<UInt64>) -> Bool { !indices(in: range).isEmpty }

  /// Returns the patches that are completely inside a part of the file.
  func within(_ range: Range<UInt64>) -> ArraySlice<Patch> { patches[indices(in: range)] }

  /// Returns a part of the file with its patches applied.
  ///
  /// - Parameter bytes: the bytes of the part without the patches.
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

  /// Finds the first patch that meets the condition. All patches after it must meet the condition,
  /// too.
  private func firstIndex(where isBehind: (Patch) -> Bool) -> Int {
    patches.partitioningIndex(where: isBehind)
  }
}
