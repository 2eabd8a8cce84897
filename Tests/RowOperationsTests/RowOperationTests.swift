// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations
import Testing

@Suite struct RowOperationTests {
  /// The list of doubtful pixels must have room for every pixel that operations may mark.
  @Test func doubtsFit() {
    let marks = [RowOperation](repeating: RowOperation(.doubtOutside), count: PixelRun.doubtLimit)
    #expect(PixelRun.holds(marks))
    #expect(!PixelRun.holds(marks + [RowOperation(.doubtSmall)]))
    #expect(PixelRun.holds(marks + [RowOperation(.limit), RowOperation(.affine)]))
    #expect(PixelRun.doubtCount > PixelRun.doubtLimit * PixelRun.length)
  }

  /// The scratch memory ends with two rows that only shifts use.
  @Test func scratchHoldsShifts() {
    #expect(PixelRun.shifts + 2 * PixelRun.length <= PixelRun.scratchCount)
  }

  /// Even a curve with as many pieces as files may state does not run into the next curve.
  @Test func curvesDoNotOverlap() {
    let reshaping = RowOperation.reshapingLayout
    #expect(reshaping.firstPiece + 8 * reshaping.pieceLength <= reshaping.curveLength)
    // A piece has its start, its order, a constant, and 7 coefficients for each of three orders.
    #expect(reshaping.pieceLength >= 3 + 3 * 7)
    let gains = RowOperation.gainLayout
    #expect(gains.firstPiece + 31 * gains.pieceLength <= gains.curveLength)
  }
}
