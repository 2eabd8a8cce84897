/// Why bytes or bits cannot be read.
package enum BitstreamError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The data ends before a value does.
  case endOfData(bitPosition: Int, wanted: Int, available: Int)
  /// An Exp-Golomb code of more than 32 leading zeros (H.265, 9.2).
  case invalidExpGolomb(bitPosition: Int)

  /// What broke, and where.
  package var description: String {
    switch self {
    case .endOfData(let position, let wanted, let available):
      "the data ends: \(wanted) bits are needed at bit \(position), \(available) are left"
    case .invalidExpGolomb(let position):
      "an Exp-Golomb code at bit \(position) has more than 32 leading zeros"
    }
  }
}
