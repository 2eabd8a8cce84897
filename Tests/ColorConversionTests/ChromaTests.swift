// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import ColorScience
import Foundation
import MediaCore
import Testing

@testable import ColorConversion

/// Chroma stays in its place when it is converted between 4:2:0, 4:2:2 and 4:4:4. The material is
/// smooth, so its values between samples are known.
@Suite struct ChromaTests {
  /// Returns a 10-bit code value that is a smooth function of the place, in luma samples.
  private static func smooth(_ plane: Int, _ x: Double, _ y: Double) -> Double {
    512 + 180 * sin(x / 12 + Double(plane)) * cos(y / 12)
  }

  private static func description(
    _ subsampling: ChromaSubsampling, _ location: ChromaLocation, bitDepth: Int = 10,
    isInterlaced: Bool = false
  ) -> FrameDescription {
    FrameDescription(
      signal: SignalDescription(
        color: .bt709, videoFullRangeFlag: false, chromaLocation: location),
      format: PixelFormat(bitDepth: bitDepth, chromaSubsampling: subsampling),
      isInterlaced: isInterlaced)
  }

  /// Returns where a chroma sample lies, in luma samples.
  private static func place(
    _ subsampling: ChromaSubsampling, _ location: ChromaLocation, _ x: Int, _ y: Int
  ) -> (Double, Double) {
    switch subsampling {
    case .cs420:
      (
        Double(2 * x) + (location.rawValue % 2 == 0 ? 0 : 0.5),
        Double(2 * y) + [0.5, 0.5, 0, 0, 1, 1][Int(location.rawValue)]
      )
    case .cs422: (Double(2 * x) + (location.rawValue % 2 == 0 ? 0 : 0.5), Double(y))
    default: (Double(x), Double(y))
    }
  }

  /// Returns a frame with 16 bits, so that rounding in the source plays no part.
  private static func picture(
    _ subsampling: ChromaSubsampling, _ location: ChromaLocation
  ) -> PixelBuffer {
    Pictures.make(PixelFormat(bitDepth: 16, chromaSubsampling: subsampling), 96, 80) {
      plane, x, y in
      guard plane > 0 else { return 500 * 64 }
      let (x, y) = place(subsampling, location, x, y)
      return Int((smooth(plane, x, y) * 64).rounded())
    }
  }

  private static func plan(
    from source: FrameDescription, to target: FrameDescription
  ) throws -> ConversionPlan {
    var options = ConversionOptions()
    options.dither = .none
    return try ConversionPlan(from: source, to: target, options: options)
  }

  static let subsamplings: [ChromaSubsampling] = [.cs420, .cs422, .cs444]

  /// Chroma is right for all six locations, from and to each subsampling. Except at the edges, it
  /// is at most one code value away from the function.
  @Test(arguments: 0..<6, 0..<6)
  func samplesAreWhereTheyBelong(from: Int, to: Int) throws {
    let old = ChromaLocation(rawValue: UInt8(from))
    let new = ChromaLocation(rawValue: UInt8(to))
    for source in Self.subsamplings {
      for target in Self.subsamplings where source != target || source != .cs444 {
        let plan = try Self.plan(
          from: Self.description(source, old, bitDepth: 16), to: Self.description(target, new))
        let result = FrameConverter(plan: plan, width: 96, height: 80)
          .convert(Self.picture(source, old))
        var worst = 0.0
        let samples = Pictures.samples(result, plane: 1)
        for (y, row) in samples.enumerated() where (8..<samples.count - 8).contains(y) {
          for (x, code) in row.enumerated() where (8..<row.count - 8).contains(x) {
            let (x, y) = Self.place(target, new, x, y)
            worst = max(worst, abs(Double(code) - Self.smooth(1, x, y)))
          }
        }
        #expect(worst <= 1, "\(source.rawValue) \(old) to \(target.rawValue) \(new): \(worst)")
      }
    }
  }

  /// If neighboring chroma rows have different colors, and a conversion changes all of them alike,
  /// no color leaks into another row.
  @Test(arguments: [ChromaLocation.left, .center])
  func rowsOfDifferentColorsDoNotMix(location: ChromaLocation) throws {
    let source = Self.description(.cs420, location)
    var target = source
    target.signal.color.matrixCoefficients = .bt2020NonConstant
    let plan = try Self.plan(from: source, to: target)
    func convert(_ color: (Int) -> Int) -> [[Int]] {
      let picture = Pictures.make(.yuv420p10, 32, 48) { plane, _, y in
        plane == 0 ? 500 : color(y)
      }
      let result = FrameConverter(plan: plan, width: 32, height: 48).convert(picture)
      return Pictures.samples(result, plane: 1)
    }
    let (even, odd) = (convert { _ in 460 }, convert { _ in 560 })
    for (y, row) in convert({ $0 % 2 == 0 ? 460 : 560 }).enumerated()
    where (4..<20).contains(y) {
      for (code, alone) in zip(row, y % 2 == 0 ? even[y] : odd[y]) {
        #expect(abs(code - alone) <= 1, "row \(y)")
      }
    }
  }

  /// The chroma rows of interlaced 4:2:0 belong to the two fields in turn. If the fields have
  /// different colors, neither color leaks into the other field.
  @Test func fieldsDoNotMix() throws {
    let source = Self.description(.cs420, .left, isInterlaced: true)
    let plan = try ConversionPlan(from: source, to: Self.description(.cs444, .left))
    let picture = Pictures.make(.yuv420p10, 32, 32) { plane, _, y in
      plane == 0 ? 500 : y % 2 == 0 ? 400 : 700
    }
    let result = FrameConverter(plan: plan, width: 32, height: 32).convert(picture)
    for (y, row) in Pictures.samples(result, plane: 2).enumerated() {
      #expect(Set(row) == [y % 2 == 0 ? 400 : 700], "row \(y)")
    }
  }

  /// If a frame has only one chroma row, all luma rows get its color, although the chroma row
  /// belongs to the first field. A frame of three rows has one chroma row for each field.
  @Test(arguments: [1, 2, 3])
  func interlacedPicturesOfFewRowsKeepTheirColor(height: Int) throws {
    let source = Self.description(.cs420, .left, isInterlaced: true)
    let plan = try Self.plan(from: source, to: Self.description(.cs444, .left))
    let picture = Pictures.make(.yuv420p10, 16, height) { plane, _, _ in [900, 400, 600][plane] }
    let result = FrameConverter(plan: plan, width: 16, height: height).convert(picture)
    for (plane, code) in [900, 400, 600].enumerated() {
      #expect(Set(Pictures.samples(result, plane: plane).joined()) == [code], "plane \(plane)")
    }
    let back = try Self.plan(
      from: FrameDescription(
        signal: source.signal, format: plan.target.format, isInterlaced: true), to: source)
    let reduced = FrameConverter(plan: back, width: 16, height: height).convert(result)
    #expect(Set(Pictures.samples(reduced, plane: 2).joined()) == [600])
  }

  /// The chroma samples of JPEG's 4:2:2 lie between two luma samples (JFIF 1.02, page 3), and those
  /// of H.264 and H.265 lie on the first of the two (6.2). Chroma that is converted from one to the
  /// other is moved.
  @Test func chromaOf422IsMovedOntoLumaSamples() throws {
    var target = Self.description(.cs422, .left)
    target.signal.chromaLocation = nil
    let plan = try Self.plan(from: Self.description(.cs422, .center, bitDepth: 16), to: target)
    let result = FrameConverter(plan: plan, width: 96, height: 80)
      .convert(Self.picture(.cs422, .center))
    var worst = 0.0
    for (y, row) in Pictures.samples(result, plane: 1).enumerated() {
      for (x, code) in row.enumerated() where (8..<40).contains(x) {
        worst = max(worst, abs(Double(code) - Self.smooth(1, Double(2 * x), Double(y))))
      }
    }
    #expect(worst <= 1)
    #expect(result.attachments.signal.chromaLocation == nil)
  }

  /// If nothing moves, a conversion by fields gives the same result as one of whole frames. In
  /// 4:2:0 of type 0, the chroma rows of both fields are where they are in a frame, halfway between
  /// two rows (H.264, figure 6-2).
  @Test func aStillPictureIsTheSameByFields() throws {
    let source = Self.description(.cs420, .left, bitDepth: 16, isInterlaced: true)
    let plan = try Self.plan(from: source, to: Self.description(.cs444, .left))
    let result = FrameConverter(plan: plan, width: 96, height: 80)
      .convert(Self.picture(.cs420, .left))
    var worst = 0.0
    for (y, row) in Pictures.samples(result, plane: 1).enumerated() where (12..<68).contains(y) {
      for (x, code) in row.enumerated() where (8..<88).contains(x) {
        worst = max(worst, abs(Double(code) - Self.smooth(1, Double(x), Double(y))))
      }
    }
    // A field has half the rows of a frame, so its samples lie twice as far apart. The error grows
    // with the third power of that distance.
    #expect(worst <= 4)
  }
}
