// SPDX-License-Identifier: GPL-2.0-or-later

/// Number of the first ones, which are tried one by one.
private let triedCount = 16
/// Number of equal parts that all are divided into at most, to try one of each.
private let mostParts = 128

/// Searches for what is whole among many, by few attempts, since each takes long.
extension RandomAccessCollection where Index == Int {
  /// The first that is whole. Beyond those that are tried one by one, what is not is taken for one
  /// piece, whose other side is found by doubling and halving.
  ///
  /// - Parameter attempt: takes an element; nil for what is not whole.
  func firstWhole<Found>(_ attempt: (Element) throws -> Found?) rethrows -> Found? {
    for element in prefix(triedCount) {
      if let found = try attempt(element) { return found }
    }
    var (low, high, nearest) = (triedCount - 1, triedCount, Found?.none)
    while high < count {
      nearest = try attempt(self[startIndex + high])
      guard nearest == nil else { break }
      (low, high) = (high, high == count - 1 ? count : Swift.min(2 * high, count - 1))
    }
    while nearest != nil, high - low > 1 {
      let middle = (low + high) / 2
      if let found = try attempt(self[startIndex + middle]) {
        (high, nearest) = (middle, found)
      } else {
        low = middle
      }
    }
    return nearest
  }

  /// Some that are whole: those in the middles of equal parts, of as few parts as there are whole
  /// ones among them.
  func someWhole<Found>(_ attempt: (Element) throws -> Found?) rethrows -> [Found] {
    var parts = 2
    while parts <= Swift.min(count, mostParts) {
      let found = try (0..<parts).compactMap {
        try attempt(self[startIndex + (2 * $0 + 1) * count / (2 * parts)])
      }
      if !found.isEmpty { return found }
      parts *= 2
    }
    return []
  }
}
