// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore

/// Draws the frames of the sample movie: color bars, with a box that moves across their black part.
struct SampleFrames {
  let width: Int
  let height: Int
  private let pool: PixelBufferPool
  private let still: [[UInt16]]
  private let matrix: YCbCrMatrix

  /// What the frames' code values mean.
  static let signal = SignalDescription(
    color: .hlg, videoFullRangeFlag: false, chromaLocation: .topLeft)

  init?(width: Int, height: Int) {
    guard let matrix = YCbCrMatrix(.bt2020NonConstant, primaries: .bt2020) else { return nil }
    self.matrix = matrix
    self.width = width
    self.height = height
    pool = PixelBufferPool(.yuv420p10, width: width, height: height)
    // The bars never move, so their samples are computed once, and each frame copies them.
    var planes: [[UInt16]] = [[], [], []]
    for y in 0..<height {
      let row = HLGColorBars.colors(row: y, width: width, height: height)
      for (x, color) in row.enumerated() {
        let code = Self.code(color, matrix)
        planes[0].append(code.x)
        // Chroma is cosited with the upper left of four luma samples, as in BT.2100.
        if x % 2 == 0 && y % 2 == 0 {
          planes[1].append(code.y)
          planes[2].append(code.z)
        }
      }
    }
    still = planes
  }

  /// Converts code values of R', G', B' to those of Y', Cb, Cr (BT.2100, tables 6 and 9).
  private static func code(_ rgb: SIMD3<UInt16>, _ matrix: YCbCrMatrix) -> SIMD3<UInt16> {
    func signal(_ code: UInt16) -> Double { (Double(code) - 64) / 876 }
    let color = matrix.fromRGB * Triple(signal(rgb.x), signal(rgb.y), signal(rgb.z))
    // BT.2111 has bars below black and above peak white, so clip only to BT.2100's range of video
    // data. The codes 0 to 3 and 1020 to 1023 are timing references.
    func limited(_ value: Double) -> UInt16 { UInt16(min(max(value.rounded(), 4), 1019)) }
    return SIMD3(
      limited(64 + 876 * color.x), limited(512 + 896 * color.y), limited(512 + 896 * color.z))
  }

  /// Draws a frame.
  ///
  /// - Parameter position: where the box is, from 0 (left) to 1 (right).
  func picture(boxAt position: Double) -> PixelBuffer {
    let box = boxPlace(position)
    return unsafe pool.makeBuffer(attachments: Attachments(signal: Self.signal)) { planes in
      for index in unsafe planes.indices {
        unsafe fill(planes[index], with: still[index])
        let shift = index == 0 ? 0 : 1
        // Diffuse white of BT.2408: 75% of the signal.
        let value: UInt16 = index == 0 ? 721 : 512
        for y in (box.y >> shift)..<((box.y + box.size) >> shift) {
          let row = unsafe (planes[index].baseAddress + y * planes[index].bytesPerRow)
            .assumingMemoryBound(to: UInt16.self)
          for x in (box.x >> shift)..<((box.x + box.size) >> shift) { unsafe row[x] = value }
        }
      }
    }
  }

  /// Returns where the box is: in the black part of the fourth row.
  private func boxPlace(_ position: Double) -> (x: Int, y: Int, size: Int) {
    // Dividing by 2 and doubling again makes sides and corners even, so that the box ends between
    // chroma samples.
    let size = max(height * 54 / 1080 / 2 * 2, 2)
    let left = width * 252 / 1920
    let room = width * 535 / 1920 - size
    let x = left + Int((Double(max(room, 0)) * position).rounded())
    return (x / 2 * 2, height * 738 / 1080 / 2 * 2, size)
  }

  private func fill(_ plane: PixelBuffer.MutablePlane, with samples: [UInt16]) {
    unsafe samples.withUnsafeBufferPointer { source in
      for y in unsafe 0..<plane.height {
        let row = unsafe UnsafeRawBufferPointer(
          rebasing: UnsafeRawBufferPointer(source)[y * plane.width * 2..<(y + 1) * plane.width * 2])
        unsafe UnsafeMutableRawBufferPointer(
          start: plane.baseAddress + y * plane.bytesPerRow, count: row.count
        ).copyMemory(from: row)
      }
    }
  }
}
