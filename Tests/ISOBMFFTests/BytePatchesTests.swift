// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import ISOBMFF

@Suite struct BytePatchesTests {
  /// A file can list a million samples in reverse order, from its end to its beginning. Patches for
  /// such a file are sorted quickly, too.
  @Test func theOrderIsThatOfTheFile() throws {
    let parts = (0..<200_000).map { index in
      BytePatches.Patch(UInt64(index) * 10..<UInt64(index) * 10 + 2, with: [1, 2, 3])
    }
    let patches = try BytePatches(parts)
    let time = try ThreadTime.seconds { () throws in
      #expect(try BytePatches(parts.reversed()) == patches)
      #expect(try BytePatches(parts.shuffled() + parts) == patches)
    }
    // Comparing each patch with every other would take much longer.
    #expect(time < 60)
    #expect(try patches.growth(in: 0..<2_000_000) == 200_000)
    #expect(try patches.growth(in: 5..<25) == 2)
    #expect(patches.apply(to: Array(10...20), at: 10..<21) == [1, 2, 3] + Array(12...20) + [])
  }

  @Test func patchesOfOneByteAreNotTwo() throws {
    let first = BytePatches.Patch(10..<14, with: [])
    for other in [
      BytePatches.Patch(13..<20, with: [1]), BytePatches.Patch(10..<14, with: [1]),
      BytePatches.Patch(8..<11, with: []), BytePatches.Patch(11..<12, with: []),
    ] {
      for parts in [[first, other], [other, first]] {
        #expect(throws: ISOBMFFError.self) { try BytePatches(parts) }
      }
    }
    #expect(try BytePatches([.init(14..<15, with: [7]), first]).growth(in: 0..<20) == -4)
  }
}

@Suite struct OrderTests {
  @Test(arguments: [0, 1, 2, 65_535, 65_536, 65_537, 300_000])
  func elementsAreSortedAsTheStandardLibrarySorts(count: Int) throws {
    let values = (0..<count).map { _ in Int.random(in: 0..<1000) }
    let pairs = Array(zip(values, values.indices))
    let sorted = try pairs.sorted(by: \.0, {})
    #expect(sorted.map(\.0) == values.sorted())
    // Equal keys keep their order.
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.0 < $1.0 || $0.1 < $1.1 })
  }

  @Test(arguments: 1...8) func sortingCanBeEndedAtAnyTime(steps: Int) throws {
    var rest = steps
    #expect(throws: ISOBMFFError.interrupted) {
      try Array((0..<200_000).reversed()).sorted(by: \.self) { () throws(ISOBMFFError) in
        rest -= 1
        if rest == 0 { throw .interrupted }
      }
    }
  }
}
