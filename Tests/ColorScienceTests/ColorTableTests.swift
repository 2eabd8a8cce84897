// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import Foundation
import TestSupport
import Testing

@testable import ColorScience

/// Writes the table that `Scripts/check color-science` compares with another implementation. Each
/// value has a line, with tabs between function, subject, input and output.
@Suite struct ColorTableTests {
  private static let path = ProcessInfo.processInfo.environment["CANDELA_COLOR_TABLE"]

  private static let known = (0..<32).map { UInt16($0) }

  @Test(.enabled(if: path != nil, "Scripts/check color-science names the file"))
  func writeTable() throws {
    let path = try #require(Self.path)
    let lines = curves() + displays() + spaces() + codings()
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
  }

  private func line(
    _ function: String, _ subject: String, _ input: [Double], _ output: [Double]
  ) -> String {
    func row(_ numbers: [Double]) -> String { numbers.map(\.description).joined(separator: " ") }
    return [function, subject, row(input), row(output)].joined(separator: "\t")
  }

  private func list(_ color: Triple) -> [Double] { [color.x, color.y, color.z] }

  /// Returns lines for each code point and reading, from signals to light and from light to
  /// signals.
  private func curves() -> [String] {
    var lines: [String] = []
    for code in Self.known {
      for reading in SDRReading.allCases {
        let transfer = TransferCharacteristics(rawValue: code)
        guard let curve = ComponentTransfer(transfer, as: reading) else { continue }
        // For most code points, all readings are the same.
        if reading != .bt1886 && curve == ComponentTransfer(transfer) { continue }
        for step in -1000...4000 {
          let x = Double(step) / 4000
          guard x >= 0 || curve.negativeScale > 0 else { continue }
          lines.append(line("toLinear", "\(code) \(reading)", [x], [curve.toLinear(x)]))
          lines.append(line("toSignal", "\(code) \(reading)", [x], [curve.toSignal(x)]))
        }
      }
    }
    return lines
  }

  /// Returns the points of a lattice and random colors between them.
  private func colors() -> [Triple] {
    var random = SeededGenerator(seed: 21)
    var colors: [Triple] = []
    for index in 0..<512 {
      let place = SIMD3(index % 8, index / 8 % 8, index / 64)
      colors.append(Triple(place) / 7)
    }
    for _ in 0..<2000 {
      let (red, green) = (
        Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random)
      )
      colors.append(Triple(red, green, .random(in: 0...1, using: &random)))
    }
    return colors
  }

  /// Returns lines for HLG and BT.1886 on displays with a given peak and black, both in cd/m².
  private func displays() -> [String] {
    var lines: [String] = []
    let weights: Triple = [0.2627, 0.6780, 0.0593]
    for (peak, black) in [(1000.0, 0.0), (400, 0.005), (2000, 0.05)] {
      for color in colors() {
        let light = HLG.eotf(color, weights: weights, peakLuminance: peak, blackLuminance: black)
        lines.append(line("hlg", "\(peak) \(black)", list(color), list(light)))
      }
      let display = BT1886(whiteLuminance: peak, blackLuminance: black)
      for step in 0...1000 {
        let signal = Double(step) / 1000
        lines.append(line("bt1886", "\(peak) \(black)", [signal], [display.eotf(signal)]))
      }
    }
    return lines
  }

  /// Returns a line for every pair of primaries, with the nine numbers of the matrix.
  private func spaces() -> [String] {
    var lines: [String] = []
    for a in Self.known {
      for b in Self.known {
        guard let from = RGBSpace(ColorPrimaries(rawValue: a)),
          let to = RGBSpace(ColorPrimaries(rawValue: b))
        else { continue }
        lines.append(line("space", "\(a) \(b)", [], from.matrix(to: to).rows.flatMap(list)))
      }
    }
    return lines
  }

  /// Returns lines for combinations of primaries, transfer function and matrix, from R'G'B' to
  /// components and back.
  private func codings() -> [String] {
    var lines: [String] = []
    let pairs: [(UInt16, UInt16)] = [(1, 1), (9, 14), (9, 16), (9, 18), (12, 13)]
    for matrix in Self.known {
      for (primaries, transfer) in pairs {
        let color = ColorDescription(
          ColorPrimaries(rawValue: primaries), TransferCharacteristics(rawValue: transfer),
          MatrixCoefficients(rawValue: matrix))
        guard let coding = SignalCoding(color) else { continue }
        for signal in colors() {
          let components = coding.fromRGB(signal)
          lines.append(line("fromRGB", color.triple, list(signal), list(components)))
          lines.append(
            line("toRGB", color.triple, list(components), list(coding.toRGB(components))))
        }
      }
    }
    return lines
  }
}
