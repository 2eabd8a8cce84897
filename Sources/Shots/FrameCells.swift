// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// The mean luma of each cell of a grid on a frame. Comparing the cells of two frames shows how
/// much of a scene stands still.
struct FrameCells: Sendable {
  /// The change from one frame to another.
  struct Change: Sendable {
    /// The share of cells that did not change, 0…1.
    var unchangedShare: Double
    /// The mean absolute change of all cells, as a fraction of the largest code value.
    var mean: Double
    /// The mean signed change: positive if the frame became brighter.
    var rise: Double

    static let none = Change(unchangedShare: 1, mean: 0, rise: 0)
    /// The smallest share of unchanged cells with which two frames belong to the same shot.
    private static let stillShare = 0.5

    var isStill: Bool { unchangedShare >= Self.stillShare }
  }

  /// Number of cells across and down.
  private static let count = 16
  /// Every fourth sample across and down is counted. That is enough for a mean: a cell of a 1920 ×
  /// 1080 frame still counts about 500 samples.
  private static let step = 4
  /// Cells that differ by less than `same` count as unchanged, and cells below `black` as black.
  /// Both are fractions of the largest code value. Limited-range black is 16/255 = 0.063 of full
  /// scale; the bound is higher, so that noise in black counts as black.
  private static let (same, black) = (0.01, 0.085)

  private let means: [Double]

  init(of picture: PixelBuffer) {
    var sums = [Int](repeating: 0, count: Self.count * Self.count)
    var counts = sums
    func add<Sample: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(_ y: Int, _: Sample.Type) {
      let first = y * Self.count / picture.height * Self.count
      picture.withRow(y, as: Sample.self) { row in
        for x in stride(from: 0, to: picture.width, by: Self.step) {
          let cell = first + x * Self.count / picture.width
          sums[cell] += Int(row[x])
          counts[cell] += 1
        }
      }
    }
    let isWide = picture.format.bytesPerSample == 2
    for y in stride(from: 0, to: picture.height, by: Self.step) {
      if isWide { add(y, UInt16.self) } else { add(y, UInt8.self) }
    }
    let most = Double((1 << picture.format.bitDepth) - 1)
    means = zip(sums, counts).map { $1 > 0 ? Double($0) / Double($1) / most : 0 }
  }

  /// Returns the change since another frame, without the black bars around both.
  func change(since other: FrameCells) -> Change {
    // Bars never change and would make any letterboxed film look still. Only bars of equal width on
    // both sides count as bars. Other black is part of the scene, and counts as unchanged.
    let lit = means.indices.filter { max(means[$0], other.means[$0]) > Self.black }
    let rows = Self.withoutBars(lit.map { $0 / Self.count })
    let columns = Self.withoutBars(lit.map { $0 % Self.count })
    var (sum, rise, unchanged) = (0.0, 0.0, 0)
    for cell in rows.flatMap({ row in columns.map { row * Self.count + $0 } }) {
      let difference = means[cell] - other.means[cell]
      sum += abs(difference)
      rise += difference
      if abs(difference) < Self.same { unchanged += 1 }
    }
    let area = Double(rows.count * columns.count)
    return Change(unchangedShare: Double(unchanged) / area, mean: sum / area, rise: rise / area)
  }

  /// Returns the rows or columns of cells between the bars, or all if nothing is lit.
  private static func withoutBars(_ lit: [Int]) -> Range<Int> {
    guard let first = lit.min(), let last = lit.max() else { return 0..<count }
    let bar = min(first, count - 1 - last)
    return bar..<count - bar
  }
}
