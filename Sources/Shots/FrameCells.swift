// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorConversion
internal import ColorScience
internal import MediaCore

/// The mean level of each cell of a grid on a frame. Comparing the cells of two frames shows how
/// much of a scene stands still.
///
/// A level is a limited-range luma code value of PQ, divided by the largest code value. HLG's luma
/// is converted to PQ's, so that a video is divided into the same shots in HLG and in PQ.
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
    /// Two frames belong to the same shot if at least this share of their cells is unchanged.
    private static let stillShare = 0.5

    var isStill: Bool { unchangedShare >= Self.stillShare }
  }

  /// The grid has this many cells across, and as many down.
  private static let count = 16
  /// Every fourth sample across and down is counted. That is enough for a mean, because about 500
  /// samples are still counted in a cell of a 1920 × 1080 frame.
  private static let step = 4
  /// Cells that differ by less than `same` count as unchanged, and cells below `black` as black.
  /// Both are fractions of the largest code value. Limited-range black is 16/255 = 0.063 of full
  /// scale; the bound is higher, so that noise in black counts as black.
  private static let (same, black) = (0.01, 0.085)

  private let means: [Double]
  /// The share of samples that are brighter than white, and the share that are much brighter, 0…1.
  let (brightShare, glareShare): (Double, Double)

  /// The levels that code values of luma stand for.
  struct Scale: Sendable {
    /// The level of each code value.
    let levels: [Double]
    /// The level above which luma counts as brighter than diffuse white, and the level above which
    /// it counts as much brighter.
    let (white, glare): (Double, Double)

    init(_ plan: ConversionPlan, hlgPeakLuminance: Double) {
      let (signal, depth) = (plan.source.signal, plan.source.format.bitDepth)
      let quantization = Quantization(
        component: 0, of: signal.color.matrixCoefficients,
        isFullRange: signal.videoFullRangeFlag ?? false, bitDepth: depth)
      let system = LightSystem(signal.color.transferCharacteristics)
      levels = (0..<1 << depth).map { code in
        let signal = quantization.signal(Double(code))
        // An absolute signal is PQ already, and a signal below black is only noise. So signals of
        // these two kinds are not converted.
        guard let system, !system.isAbsolute, signal > 0 else { return Self.level(signal) }
        let peak = system.peak(on: hlgPeakLuminance)
        let scene = system.transfer.toLinear(min(signal, 1))
        let light = scene * system.ootfGain(luminance: scene, peak: peak)
        return Self.level(PQ.inverseEOTF(light))
      }
      func level(ofWhite multiple: Double) -> Double {
        Self.level(PQ.inverseEOTF(multiple * plan.brightLuminance))
      }
      white = level(ofWhite: ShotSurvey.Sample.aboveWhite)
      glare = level(ofWhite: ShotSurvey.Sample.farAboveWhite)
    }

    private init(levels: [Double], _ other: Scale) {
      self.levels = levels
      (white, glare) = (other.white, other.glare)
    }

    /// Returns this scale for the code values of a Dolby Vision base layer. Each luma value is
    /// reshaped as if its sample were gray, so only grays get exactly PQ's luma. Colors get values
    /// that are close enough to show what stands still.
    func reshaped(by reshaping: SignalReshaping, bitDepth: Int) -> Scale {
      let largest = Double(1 << bitDepth - 1)
      return Scale(
        levels: (0..<1 << bitDepth).map {
          Self.level(reshaping.intensity(of: Double($0) / largest))
        },
        self)
    }

    /// Returns the level of a PQ signal.
    private static func level(_ signal: Double) -> Double { 16.0 / 255 + 219.0 / 255 * signal }
  }

  init(of picture: PixelBuffer, _ scale: Scale) {
    var sums = Sums(width: picture.width)
    let isWide = picture.format.bytesPerSample == 2
    for y in stride(from: 0, to: picture.height, by: Self.step) {
      let first = y * Self.count / picture.height * Self.count
      if isWide {
        picture.withRow(y, as: UInt16.self) { sums.add($0, scale, toCellsFrom: first) }
      } else {
        picture.withRow(y, as: UInt8.self) { sums.add($0, scale, toCellsFrom: first) }
      }
    }
    means = zip(sums.levels, sums.counts).map { $1 > 0 ? $0 / Double($1) : 0 }
    let total = Double(max(sums.counts.reduce(0, +), 1))
    (brightShare, glareShare) = (Double(sums.bright) / total, Double(sums.glaring) / total)
  }

  /// What has been counted of a frame.
  private struct Sums {
    let width: Int
    /// The sum of the levels in each cell, and the number of samples.
    var levels = [Double](repeating: 0, count: FrameCells.count * FrameCells.count)
    var counts = [Int](repeating: 0, count: FrameCells.count * FrameCells.count)
    /// The number of samples that are brighter than white, and of those that are much brighter.
    var (bright, glaring) = (0, 0)

    init(width: Int) { self.width = width }

    /// Adds a row.
    ///
    /// - Parameter first: the first of the cells that the row lies in.
    mutating func add<Sample: FixedWidthInteger & BitwiseCopyable>(
      _ row: Span<Sample>, _ scale: Scale, toCellsFrom first: Int
    ) {
      let (known, white, glare) = (scale.levels, scale.white, scale.glare)
      for x in stride(from: 0, to: width, by: FrameCells.step) {
        let cell = first + x * FrameCells.count / width
        // A sample that is stored in 16 bits can hold a larger value than its depth allows.
        let level = known[min(Int(row[x]), known.count - 1)]
        levels[cell] += level
        counts[cell] += 1
        if level > white { bright += 1 }
        if level > glare { glaring += 1 }
      }
    }
  }

  /// Returns the change since another frame, without the black bars that both frames have.
  func change(since other: FrameCells) -> Change {
    // Bars never change and would make any letterboxed film look still. Black edges count as bars
    // only as far as opposite sides both have them. Other black is part of the scene, and counts as
    // unchanged.
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
