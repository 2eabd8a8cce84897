// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF

/// Why a PNG file (ISO/IEC 15948) cannot be used.
enum PNGFault: Error, Hashable {
  case notPNG
  case tooLarge(String)

  // The checks come before anything is unpacked, because a few compressed bytes may expand to
  // gigabytes.
  private static let largestArea = 8192 * 8192
  /// The largest file, in bytes. Pixels that look like noise do not compress, and take four or
  /// eight bytes each.
  private static let largestFile: UInt64 = 512 << 20
  /// For each type of compressed chunk, how many bytes all chunks of that type may have together.
  /// Each byte may expand to a thousand bytes.
  private static let compressed: [FourCC: UInt64] = [
    "iCCP": 128 << 10, "zTXt": 64 << 10, "iTXt": 64 << 10,
  ]
  /// The largest number of chunks that a file may have.
  private static let mostChunks = 100_000

  /// Throws if a file's chunks show that it cannot be used.
  static func check(_ source: some ByteSource) throws(PNGFault) {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // The first 24 bytes are the signature, then length, type, width and height of the first chunk.
    guard let start = try? source.read(at: 0, count: 24), start.count == 24,
      start.starts(with: signature), start[12..<16].elementsEqual("IHDR".utf8)
    else { throw .notPNG }
    var reader = ByteReader(start, at: 16)
    guard let width = try? reader.integer(UInt32.self),
      let height = try? reader.integer(UInt32.self), width > 0, height > 0
    else { throw .notPNG }
    guard max(width, height) <= VideoDimensions.longestSide,
      Int(width) * Int(height) <= largestArea
    else {
      throw .tooLarge(
        "\(width)×\(height) pixels; the limit is \(VideoDimensions.longestSide) pixels a side and "
          + "\(largestArea >> 20) Mpixel in all")
    }
    guard source.size <= largestFile else {
      throw .tooLarge("\(source.size >> 20) MB; the limit is \(largestFile >> 20) MB")
    }
    try checkChunks(source)
  }

  private static func checkChunks(_ source: some ByteSource) throws(PNGFault) {
    var sums: [FourCC: UInt64] = [:]
    var position: UInt64 = 8
    for _ in 0..<mostChunks where position + 12 <= source.size {
      var reader = ByteReader((try? source.read(at: position, count: 8)) ?? [])
      guard let length = try? reader.integer(UInt32.self),
        let type = try? reader.integer(UInt32.self)
      else { throw .notPNG }
      // Besides its data, a chunk has a length, a type and a checksum, of four bytes each.
      position += UInt64(length) + 12
      guard let limit = compressed[FourCC(rawValue: type)] else { continue }
      sums[FourCC(rawValue: type), default: 0] += UInt64(length)
      guard sums[FourCC(rawValue: type), default: 0] <= limit else {
        throw .tooLarge(
          "more than \(limit >> 10) KB in '\(FourCC(rawValue: type))' chunks; remove them")
      }
    }
    if position + 12 <= source.size { throw .tooLarge("more than \(mostChunks) chunks") }
  }
}
