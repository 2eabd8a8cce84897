// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints

/// Compresses pixels as PNG.
package enum PNGEncoder {
  /// A PNG file of a picture.
  ///
  /// - Parameter pixels: R', G' and B' of 8 bits for each pixel, row by row: 3 × width × height.
  /// - Throws: ``LibAVError`` where the libraries have no such encoder.
  package static func encode(
    _ pixels: [UInt8], width: Int, height: Int
  ) throws(LibAVError) -> [UInt8] {
    precondition(pixels.count == width * height * 3, "three bytes a pixel")
    let size = VideoDimensions(width: width, height: height)
    return try unsafe ImageEncoder.encode(
      "png", AV_PIX_FMT_RGB24, size: size, options: []
    ) { frame in
      guard let plane = unsafe frame.data.0 else { return }
      for row in 0..<height {
        let line = unsafe plane + row * Int(frame.linesize.0)
        for index in 0..<width * 3 { unsafe line[index] = pixels[row * width * 3 + index] }
      }
    }
  }
}
