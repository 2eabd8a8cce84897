// SPDX-License-Identifier: GPL-2.0-or-later
extension Array {
  /// The index of the first element for which the condition is true, as it is for all behind it.
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBehind(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// The elements by rising keys; those with the same key keep their order. A table of a file may
  /// have millions of them, so that the work can be ended at any time.
  ///
  /// - Throws: the errors of `checkpoint`.
  package func sorted<Key: Comparable>(
    by key: (Element) -> Key, _ checkpoint: Checkpoint
  ) throws(ISOBMFFError) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count)
    // Runs that are sorted at once are merged by twos.
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

  /// One pass of a merge sort: pairs of sorted runs become one each.
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
