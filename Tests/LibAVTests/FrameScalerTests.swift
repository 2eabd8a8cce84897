// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import LibAV
import MediaCore
import TestSupport
import Testing

@Suite struct FrameScalerTests {
  private static func picture(
    _ format: PixelFormat, _ width: Int, _ height: Int,
    _ sample: (_ plane: Int, _ x: Int, _ y: Int) -> UInt16
  ) -> PixelBuffer {
    PixelBufferPool(format, width: width, height: height).makeBuffer(
      attachments: Attachments(signal: SignalDescription(color: .bt709))
    ) { planes in
      for (index, plane) in planes.enumerated() {
        for y in 0..<plane.height {
          let row = plane.baseAddress + y * plane.bytesPerRow
          for x in 0..<plane.width {
            let value = sample(index, x, y)
            if format.bytesPerSample == 1 {
              row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
            } else {
              row.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
            }
          }
        }
      }
    }
  }

  private static func sample(_ buffer: PixelBuffer, _ plane: Int, _ x: Int, _ y: Int) -> Int {
    let plane = buffer.planes[plane]
    let row = plane.baseAddress + y * plane.bytesPerRow
    return buffer.format.bytesPerSample == 1
      ? Int(row.load(fromByteOffset: x, as: UInt8.self))
      : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
  }

  private static func scaler(
    _ format: PixelFormat, _ signal: SignalDescription = SignalDescription(color: .bt709),
    from source: PixelRectangle, to target: PixelRectangle, _ width: Int, _ height: Int
  ) throws -> FrameScaler {
    try FrameScaler(
      format: format, signal: signal,
      geometry: .init(
        source: source, target: target, size: VideoDimensions(width: width, height: height)))
  }

  /// A part of the source is scaled into the requested part of the new frame. The rest of the new
  /// frame becomes black, with the code values for the range and the color.
  @Test(
    arguments: [
      (.yuv420p8, false, [16, 128]), (.yuv420p8, true, [0, 128]), (.yuv420p10, false, [64, 512]),
    ] as [(PixelFormat, Bool, [Int])])
  func partsGoWhereTheyAreTold(format: PixelFormat, isFull: Bool, black: [Int]) throws {
    let one = UInt16(1) << UInt16(format.bitDepth - 8)
    // The left half is dark, the right one bright.
    let picture = Self.picture(format, 64, 32) { plane, x, _ in
      plane > 0 ? 100 * one : x < 32 ? 50 * one : 200 * one
    }
    let scaler = try Self.scaler(
      format, SignalDescription(color: .bt709, videoFullRangeFlag: isFull),
      from: PixelRectangle(x: 32, y: 0, width: 32, height: 32),
      to: PixelRectangle(x: 8, y: 16, width: 16, height: 16), 40, 48)
    let result = try scaler.scale(picture)
    #expect(result.size == VideoDimensions(width: 40, height: 48) && result.format == format)
    #expect(result.attachments.signal.color == .bt709)
    for (x, y) in [(16, 24), (9, 17), (22, 30)] {
      #expect(Self.sample(result, 0, x, y) == 200 * Int(one), "\(x), \(y)")
      #expect(Self.sample(result, 1, x / 2, y / 2) == 100 * Int(one))
    }
    for (x, y) in [(0, 0), (7, 24), (24, 24), (16, 15), (16, 32), (39, 47)] {
      #expect(Self.sample(result, 0, x, y) == black[0], "\(x), \(y)")
      #expect(Self.sample(result, 2, x / 2, y / 2) == black[1])
    }
  }

  /// A ramp does not shift when it is scaled: each sample has the value that the source has at the
  /// same place.
  @Test(arguments: [(32, 16), (128, 64), (48, 32)])
  func rampsStayInPlace(width: Int, height: Int) throws {
    let picture = Self.picture(.yuv420p10, 64, 32) { plane, x, y in
      plane > 0 ? 512 : UInt16(100 + 8 * x + 4 * y)
    }
    let scaler = try Self.scaler(
      .yuv420p10, from: PixelRectangle(x: 0, y: 0, width: 64, height: 32),
      to: PixelRectangle(x: 0, y: 0, width: width, height: height), width, height)
    let result = try scaler.scale(picture)
    for y in stride(from: height / 4, to: 3 * height / 4, by: 3) {
      for x in stride(from: width / 4, to: 3 * width / 4, by: 3) {
        let column = (Double(x) + 0.5) * 64 / Double(width) - 0.5
        let row = (Double(y) + 0.5) * 32 / Double(height) - 0.5
        let expected = 100 + 8 * column + 4 * row
        #expect(abs(Double(Self.sample(result, 0, x, y)) - expected) <= 3, "\(x), \(y)")
      }
    }
  }

  @Test func theSameSizeChangesNothing() throws {
    let picture = Self.picture(.yuv420p8, 32, 16) { plane, x, y in
      UInt16(20 + (x * 7 + y * 13 + plane * 31) % 200)
    }
    let whole = PixelRectangle(x: 0, y: 0, width: 32, height: 16)
    let result = try Self.scaler(.yuv420p8, from: whole, to: whole, 32, 16).scale(picture)
    for plane in 0..<3 {
      for y in 0..<(plane == 0 ? 16 : 8) {
        for x in 0..<(plane == 0 ? 32 : 16) {
          #expect(Self.sample(result, plane, x, y) == Self.sample(picture, plane, x, y))
        }
      }
    }
  }

  @Test func sizesThatCannotBeAreRefused() {
    #expect(throws: LibAVError.self) {
      try Self.scaler(
        .yuv420p8, from: PixelRectangle(x: 0, y: 0, width: 16, height: 16),
        to: PixelRectangle(x: 0, y: 0, width: 0, height: 0), 16, 16)
    }
  }
}
