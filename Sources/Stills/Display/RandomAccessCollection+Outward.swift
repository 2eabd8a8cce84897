// SPDX-License-Identifier: GPL-2.0-or-later

/// How many of the first elements are tried one by one.
private let triedCount = 16
/// The largest number of equal parts. In each part, one element is tried.
private let mostParts = 128

/// Searches for an element that is whole, which means undamaged. It makes few attempts, since each
/// decodes frames.
extension RandomAccessCollection where Index == Int {
  /// Returns the first whole element.
  ///
  /// - Parameter attempt: takes an element, and returns `nil` if it is not whole.
  func firstWhole<Found>(_ attempt: (Element) throws -> Found?) rethrows -> Found? {
    for element in prefix(triedCount) {
      if let found = try attempt(element) { return found }
    }
    // Farther away, treat damage as one piece, like the missing end of a file. Doubling the
    // distance finds its other side, and halving finds its border.
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

  /// Returns some whole elements: the middles of equal parts. The parts are as few as possible.
  func someWhole<Found>(_ attempt: (Element) throws -> Found?) rethrows -> [Found] {
    // Damage is on both sides of everything tried so far, so try places all over the collection,
    // ever more densely.
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
