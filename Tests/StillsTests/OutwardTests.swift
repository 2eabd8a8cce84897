// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Stills
import Testing

/// Wherever damage ends, few attempts are needed to find what is whole.
@Suite struct OutwardTests {
  /// After a single stretch of damage, the first whole item is found, however far away it is.
  @Test func theFirstBehindDamage() {
    for count in [0, 1, 15, 16, 17, 18, 33, 34, 100, 5000] {
      for firstWhole in [0, 1, 15, 16, 17, 31, 32, 33, 64, 99, 4999] {
        var attempts = 0
        let found = (0..<count).firstWhole { index -> Int? in
          attempts += 1
          return index >= firstWhole ? index : nil
        }
        #expect(found == (firstWhole < count ? firstWhole : nil), "\(count)")
        #expect(attempts <= 16 + 24)
      }
    }
  }

  /// The search also ends soon if nothing is whole.
  @Test func nothingIsWhole() {
    var attempts = 0
    let found = (0..<100_000).firstWhole { _ -> Int? in
      attempts += 1
      return nil
    }
    #expect(found == nil && attempts < 40)
  }

  /// If a few whole items are in the middle of damage, at least one of them is found.
  @Test func someAmongDamage() {
    var attempts = 0
    let found = (0..<1000).someWhole { index -> Int? in
      attempts += 1
      return (500..<520).contains(index) ? index : nil
    }
    #expect(!found.isEmpty && found.allSatisfy { (500..<520).contains($0) })
    #expect(attempts <= 254)
    #expect((0..<0).someWhole { $0 }.isEmpty)
  }
}
