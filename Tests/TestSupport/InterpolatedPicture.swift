// SPDX-License-Identifier: GPL-2.0-or-later
// swift-format-ignore-file: NeverForceUnwrap

import CodePoints
import ColorScience

/// The R'G'B' values that the standards define for the pixels of a Y'CbCr picture, in double
/// precision and without kernels. Chroma is interpolated between its samples, and the values are
/// limited to 0…1.
package struct InterpolatedPicture {
  /// Rows of code values of Y', Cb and Cr.
  private let planes: [[[Int]]]
  /// Base-two logarithms of the factors by which chroma has fewer columns and rows than luma.
  private let shifts: (x: Int, y: Int)
  /// How far the first chroma sample lies to the right of the first luma sample, and below it.
  private let offset: (x: Double, y: Double)
  private let hasFields: Bool
  private let quantizations: [Quantization]
  private let coding: SignalCoding

  package init(
    _ planes: [[[Int]]], shifts: (x: Int, y: Int), _ color: ColorDescription, bitDepth: Int,
    isFullRange: Bool = false, location: ChromaLocation = .left, isInterlaced: Bool = false
  ) {
    (self.planes, self.shifts) = (planes, shifts)
    // H.273, figure 1: types 0, 2 and 4 lie on a column of luma samples, 2 and 3 on the upper row,
    // 4 and 5 on the lower.
    offset = (
      [0, 0.5, 0, 0.5, 0, 0.5][Int(location.rawValue)],
      [0.5, 0.5, 0, 0, 1, 1][Int(location.rawValue)]
    )
    hasFields = isInterlaced && planes.allSatisfy { $0.count > 1 }
    quantizations = (0..<3).map {
      Quantization(
        component: $0, of: color.matrixCoefficients, isFullRange: isFullRange, bitDepth: bitDepth)
    }
    coding = SignalCoding(color)!
  }

  /// Makes a 4:2:0 picture of 10 bits, limited range and even size from its bytes (`yuv420p10le`).
  package init(
    _ bytes: some Collection<UInt8>, width: Int, height: Int, _ color: ColorDescription,
    location: ChromaLocation = .left
  ) {
    let bytes = Array(bytes)
    func rows(_ start: Int, _ width: Int, _ height: Int) -> [[Int]] {
      (0..<height).map { y in
        (0..<width).map { x in
          let place = 2 * (start + y * width + x)
          return Int(bytes[place]) | Int(bytes[place + 1]) << 8
        }
      }
    }
    let (luma, chroma) = (width * height, width * height / 4)
    let planes = [
      rows(0, width, height), rows(luma, width / 2, height / 2),
      rows(luma + chroma, width / 2, height / 2),
    ]
    self.init(planes, shifts: (1, 1), color, bitDepth: 10, location: location)
  }

  /// Returns R', G' and B' of a pixel.
  package func pixel(_ x: Int, _ y: Int) -> Triple {
    let components = Triple(
      quantizations[0].signal(Double(planes[0][y][x])),
      quantizations[1].signal(chroma(planes[1], x, y)),
      quantizations[2].signal(chroma(planes[2], x, y)))
    return coding.toRGB(components).componentwise { min(max($0, 0), 1) }
  }

  private func chroma(_ plane: [[Int]], _ x: Int, _ y: Int) -> Double {
    guard shifts.y > 0 else { return chroma(plane[y], x) }
    let (first, step) = hasFields ? (y % 2, 2) : (0, 1)
    // Chroma rows keep their places in the frame. A field has every other row, so distances are
    // half as large if they are counted in rows of the field.
    let offset = (offset.y + Double(first)) / Double(step)
    let rows = stride(from: first, to: plane.count, by: step).map { plane[$0] }
    let place = (Double(y / step) - offset) / 2
    return Self.between(place, count: rows.count) { chroma(rows[$0], x) }
  }

  private func chroma(_ row: [Int], _ x: Int) -> Double {
    guard shifts.x > 0 else { return Double(row[x]) }
    return Self.between((Double(x) - offset.x) / 2, count: row.count) { Double(row[$0]) }
  }

  /// Returns the value of a Catmull–Rom spline at a place between samples. This spline is Keys'
  /// cubic convolution with a = −1/2. Beyond the ends, the first and the last sample are repeated.
  private static func between(
    _ place: Double, count: Int, _ sample: (Int) -> Double
  ) -> Double {
    let start = place.rounded(.down)
    let t = place - start
    let near = (-1...2).map { sample(min(max(Int(start) + $0, 0), count - 1)) }
    let (a, b, c, d) = (near[0], near[1], near[2], near[3])
    let cubic = (3 * (b - c) + d - a) * t + 2 * a - 5 * b + 4 * c - d
    return b + t * ((c - a) + t * cubic) / 2
  }
}

extension Tool {
  /// Returns where chroma samples lie according to ffprobe, or `left` if the file states nothing.
  package static func chromaLocation(of path: String) throws -> ChromaLocation {
    let names = ["left", "center", "topleft", "top", "bottomleft", "bottom"]
    let name = try Tool.probe(path, "stream=chroma_location").first ?? ""
    return ChromaLocation(rawValue: UInt8(names.firstIndex(of: name) ?? 0))
  }
}
