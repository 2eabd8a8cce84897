// SPDX-License-Identifier: GPL-2.0-or-later
import ColorConversion
import MediaCore

/// Runs every conversion with every dither, and prints a digest of each result.
func printDigests() throws {
  let (width, height) = (333, 162)
  let source = picture(width, height)
  for name in names {
    guard let (from, to, given) = conversion(name) else { continue }
    for dither in ConversionOptions.Dither.allCases {
      var options = given
      options.dither = dither
      let plan = try ConversionPlan(from: from, to: to, options: options)
      guard !plan.isIdentity else { continue }
      let result = FrameConverter(plan: plan, width: width, height: height).convert(source)
      print(name, dither.rawValue, digest(result))
    }
  }
}

/// Makes a 10-bit frame with smooth and rough parts, and with legal and illegal colors.
private func picture(_ width: Int, _ height: Int) -> PixelBuffer {
  var state: UInt32 = 8
  func random() -> UInt16 {
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt16(state >> 22)
  }
  let noise = (0..<3).map { _ in (0..<512).map { _ in random() } }
  return PixelBufferPool(.yuv420p10, width: width, height: height).makeBuffer(
    attachments: Attachments()
  ) { planes in
    for (index, plane) in planes.enumerated() {
      for y in 0..<plane.height {
        let row = plane.baseAddress + y * plane.bytesPerRow
        for x in 0..<plane.width {
          let sample =
            y % 32 < 16
            ? noise[index][(x + 37 * y) % 512] : UInt16((x * 1023 / plane.width + y) % 1024)
          row.storeBytes(of: sample, toByteOffset: 2 * x, as: UInt16.self)
        }
      }
    }
  }
}

/// Returns the FNV-1a digest of a frame's samples.
private func digest(_ buffer: PixelBuffer) -> UInt64 {
  var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  for (index, plane) in buffer.planes.enumerated() {
    let length = plane.width * buffer.format.bytesPerPosition(ofPlane: index)
    for y in 0..<plane.height {
      let row = UnsafeRawBufferPointer(
        start: plane.baseAddress + y * plane.bytesPerRow, count: length)
      for byte in row { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
  }
  return digest
}
