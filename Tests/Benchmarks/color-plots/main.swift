// SPDX-License-Identifier: GPL-2.0-or-later
// Draws the curves of the color core, as the documentation shows them:
//
//   color-plots FOLDER

import ColorScience
import Foundation

/// A plot of functions over a range.
struct Plot {
  let title: String
  let x: (label: String, range: ClosedRange<Double>, marks: [Double])
  let y: (label: String, range: ClosedRange<Double>, marks: [Double])
  var isLogarithmic = false
  var curves: [(name: String, color: String, function: (Double) -> Double)] = []

  private let width = 640.0
  private let height = 400.0
  private let margin = 60.0

  private func place(_ x: Double) -> Double {
    let low = self.x.range.lowerBound
    let high = self.x.range.upperBound
    let share = isLogarithmic ? log(x / low) / log(high / low) : (x - low) / (high - low)
    return margin + share * (width - 2 * margin)
  }

  private func level(_ y: Double) -> Double {
    let share = (y - self.y.range.lowerBound) / (self.y.range.upperBound - self.y.range.lowerBound)
    return height - margin - share * (height - 2 * margin)
  }

  private func line(_ function: (Double) -> Double) -> String {
    (0...300).map { step in
      let share = Double(step) / 300
      let (low, high) = (x.range.lowerBound, x.range.upperBound)
      let value = isLogarithmic ? low * pow(high / low, share) : low + (high - low) * share
      let y = min(max(function(value), self.y.range.lowerBound), self.y.range.upperBound)
      return String(format: "%.1f,%.1f", place(value), level(y))
    }.joined(separator: " ")
  }

  var svg: String {
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" "
        + "font-family=\"sans-serif\" font-size=\"12\"><rect width=\"640\" height=\"400\" "
        + "fill=\"white\"/><text x=\"320\" y=\"28\" text-anchor=\"middle\" font-size=\"15\">"
        + "\(title)</text>"
    ]
    for mark in x.marks {
      let place = place(mark)
      parts.append(
        "<path d=\"M\(place) \(margin)V\(height - margin)\" stroke=\"#ddd\"/><text x=\"\(place)\" "
          + "y=\"\(height - margin + 18)\" text-anchor=\"middle\">\(mark.formatted())</text>")
    }
    for mark in y.marks {
      let place = level(mark)
      parts.append(
        "<path d=\"M\(margin) \(place)H\(width - margin)\" stroke=\"#ddd\"/><text "
          + "x=\"\(margin - 8)\" y=\"\(place + 4)\" text-anchor=\"end\">\(mark.formatted())</text>")
    }
    for (index, curve) in curves.enumerated() {
      parts.append(
        "<polyline points=\"\(line(curve.function))\" fill=\"none\" stroke=\"\(curve.color)\" "
          + "stroke-width=\"2\"/><text x=\"\(margin + 12)\" y=\""
          + "\(margin + 18 + 16 * Double(index))\" fill=\"\(curve.color)\">\(curve.name)</text>")
    }
    parts.append(
      "<text x=\"320\" y=\"390\" text-anchor=\"middle\">\(x.label)</text><text x=\"18\" y=\"200\" "
        + "text-anchor=\"middle\" transform=\"rotate(-90 18 200)\">\(y.label)</text></svg>\n")
    return parts.joined(separator: "\n")
  }
}

/// Returns the SDR signal for a luminance, in percent, if SDR's white is at 203 cd/m².
func signal(_ luminance: Double) -> Double {
  ComponentTransfer.bt1886.toSignal(luminance / 203) * 100
}

let gray: (Double) -> Triple = { Triple(repeating: $0) }
var tones = Plot(
  title: "The SDR signal of grays in HDR (from 1000 to 203 cd/m²)",
  x: ("cd/m² in HDR", 5...1000, [5, 10, 20, 50, 100, 203, 400, 1000]),
  y: ("SDR signal in %", 0...110, [0, 20, 40, 60, 80, 100]), isLogarithmic: true)
let bt2390 = BT2390EETF(sourcePeak: 1000, targetPeak: 203)
let spline = SplineToneCurve(sourcePeak: 1000, targetPeak: 203)
let reinhard = ReinhardToneCurve(sourcePeak: 1000, targetPeak: 203)
tones.curves = [
  ("spline", "#d62728", { signal(spline.map($0)) }),
  ("bt2390", "#1f77b4", { signal(bt2390.map($0)) }),
  ("reinhard", "#2ca02c", { signal(reinhard.map($0)) }),
  ("bt2446a", "#9467bd", { signal(BT2446A().map(gray($0)).x) }),
  ("bt2446b", "#17becf", { signal(BT2446B().map(gray($0)).x) }),
  ("bt2446c", "#8c564b", { signal(BT2446C().map(gray($0)).x) }),
  ("none", "#7f7f7f", { signal(min($0, 203)) }),
]
var fitted = Plot(
  title: "The SDR signal of grays in HDR, for four signals of 203 cd/m²",
  x: tones.x, y: tones.y, isLogarithmic: true)
fitted.curves = [(0.9, "#7f7f7f"), (0.85, "#1f77b4"), (0.8, "#2ca02c"), (0.75, "#d62728")].map {
  white, color in
  let curve = FittedToneCurve(sourcePeak: 1000, targetPeak: 203, shoulder: 800, white: white)
  return ("\(Int(100 * white)) %", color, { signal(curve.map($0)) })
}
var transfers = Plot(
  title: "What a signal shows on its display", x: ("signal in %", 0...100, [0, 25, 50, 75, 100]),
  y: ("cd/m², fourth root", 0...6, [0, 1, 2, 3, 4, 5, 6]))
func root(_ x: Double) -> Double { pow(max(x, 0), 0.25) }
transfers.curves = [
  (
    "HLG on a display of 1000 cd/m²", "#d62728",
    {
      root(1000 * pow(HLG.inverseOETF($0 / 100), 1.2))
    }
  ),
  ("PQ, to 1300 cd/m²", "#1f77b4", { root(min(PQ.eotf($0 / 100), 1300)) }),
  (
    "SDR, BT.1886, white at 203 cd/m²", "#2ca02c",
    {
      root(203 * ComponentTransfer.bt1886.toLinear($0 / 100))
    }
  ),
]

guard let folder = CommandLine.arguments.dropFirst().first else {
  print("usage: color-plots FOLDER")
  exit(64)
}
for (name, plot) in [
  ("tone-curves", tones), ("fitted-curves", fitted), ("transfer-functions", transfers),
] {
  try plot.svg.write(toFile: "\(folder)/\(name).svg", atomically: true, encoding: .utf8)
}
