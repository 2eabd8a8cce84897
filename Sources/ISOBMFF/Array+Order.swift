// SPDX-License-Identifier: GPL-2.0-or-later
extension Array {
  /// Returns the index of the first element that meets the condition, or `count` if there is none.
  /// All elements after it must meet the condition, too.
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBehind(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// Returns the elements in rising order of their keys. Elements with equal keys keep their order.
  ///
  /// - Throws: the errors of `checkpoint`.
  package func sorted<Key: Comparable>(
    by key: (Element) -> Key, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count)
    // A table may have millions of entries, and the standard library's `sorted` cannot be stopped.
    // Sort short runs and merge them in pairs, with checkpoints in between.
    for start in stride(from: 0, to: count, by: checkpointInterval) {
      try checkpoint()
      let run = self[start..<Swift.min(start + checkpointInterval, count)]
      result += run.sorted { key($0) < key($1) }
    }
    var length = checkpointInterval
    while length < count {
      result = try result.merged(runsOf: length, by: key, checkpoint)
      length *= 2
    }
    return result
  }

  /// Merges pairs of sorted runs: one pass of a merge sort.
  private func merged<Key: Comparable>(
    runsOf length: Int, by key: (Element) -> Key, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count)
    for start in stride(from: 0, to: count, by: 2 * length) {
      let middle = Swift.min(start + length, count)
      let end = Swift.min(middle + length, count)
      var (left, right) = (start, middle)
      while left < middle || right < end {
        if result.count % checkpointInterval == 0 { try checkpoint() }
        // `<=` takes the left of two elements with equal keys, which keeps the sort stable.
        if right == end || (left < middle && key(self[left]) <= key(self[right])) {
          result.append(self[left])
          left += 1
        } else {
          result.append(self[right])
          right += 1
        }
      }
    }
    return result
  }
}
