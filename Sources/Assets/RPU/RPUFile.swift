// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import Host
internal import MediaCore
internal import NALUnits
internal import OBUs

/// A file that contains only Dolby Vision RPUs. They are extracted from movies and injected into
/// movies without encoding.
///
/// The format is dovi_tool's: RPUs in presentation order, each after a start code, with emulation
/// prevention and without a NAL unit header. A file with a single RPU in the form of AV1 metadata
/// can be read, too.
public enum RPUFile {
  // The RPUs of a whole day at 60 frames a second take up less than 4 GiB, so a larger file is
  // something else.
  /// The largest file that is read, in bytes.
  private static let largest: UInt64 = 4 << 30

  /// Returns the bytes of a file with these RPUs.
  static func bytes(_ rpus: [[UInt8]]) -> [UInt8] { rpus.flatMap { [0, 0, 0, 1] + $0 } }

  /// Returns whether a file is a file of RPUs, judging by its first bytes.
  package static func isOne(_ path: String) throws -> Bool {
    let start = try bytes(of: path, atMost: 8)
    if MetadataOBU.isDolbyVision(start) { return true }
    return rpus(in: start).first?.first == 0x19
  }

  /// Reads the payloads of a file's RPUs. If a writer did store NAL unit headers, they are removed.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the file is not a file of RPUs, or
  ///   if an RPU is damaged.
  package static func read(_ path: String) throws -> [[UInt8]] {
    try TranscodingError.refuseUnusable(input: path)
    guard PosixPath.size(of: path) <= largest else {
      throw TranscodingError(
        .unusableInput, "\(path) is larger than \(largest.byteCountText): it is not a file of RPUs")
    }
    let rpus = rpus(in: try bytes(of: path))
    guard rpus.first?.first == 0x19 else {
      throw TranscodingError(
        .unusableInput,
        "\(path) is not a file of RPUs: each RPU begins with 00 00 00 01 19 and ends with 80")
    }
    for (index, payload) in rpus.enumerated() {
      guard let damage = DolbyVisionRPU(payload: payload).damage else { continue }
      throw TranscodingError(.unusableInput, "\(path): RPU \(index) is damaged: \(damage)")
    }
    return rpus
  }

  private static func bytes(of path: String, atMost limit: Int = .max) throws -> [UInt8] {
    do {
      let source = try FileByteSource(path: path)
      return try source.read(at: 0, count: min(Int(clamping: source.size), limit))
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
  }

  private static func rpus(in bytes: [UInt8]) -> [[UInt8]] {
    if let rpu = MetadataOBU.dolbyVisionRPU(in: bytes) { return [rpu.withEmulationPrevention] }
    // If the first start code has 4 bytes, only start codes of 4 bytes split the file: 00 00 01 may
    // be part of a checksum, if the writer added no emulation prevention. If the first start code
    // has 3 bytes, all of them have 3 bytes.
    let zeros = bytes.prefix { $0 == 0 }.count
    let units =
      zeros == 2
      ? NALUnit.split(annexB: bytes, HEVCNALUnitType.codec).map(\.bytes) : split(bytes, from: zeros)
    let header = HEVCNALUnitType.dolbyVisionRPU.header
    return units.map { unit in
      protected(unit.starts(with: header + [0x19]) ? Array(unit.dropFirst(header.count)) : unit)
    }
  }

  /// Splits bytes at start codes of 4 bytes and drops zeros at the end of each part.
  ///
  /// - Parameter first: the index of the first start code's last byte, 01.
  private static func split(_ bytes: [UInt8], from first: Int) -> [[UInt8]] {
    guard first >= 3, bytes.indices.contains(first), bytes[first] == 1 else { return [] }
    var units: [[UInt8]] = []
    var (start, zeros) = (first + 1, 0)
    func unit(_ end: Int) -> [UInt8] {
      let content = bytes[start..<end]
      return Array(content.dropLast(content.reversed().prefix { $0 == 0 }.count))
    }
    for index in start..<bytes.count {
      if bytes[index] == 1, zeros >= 3 {
        units.append(unit(index))
        start = index + 1
      }
      zeros = bytes[index] == 0 ? zeros + 1 : 0
    }
    return (units + [unit(bytes.count)]).filter { !$0.isEmpty }
  }

  /// Returns the unit, with emulation prevention added if it is missing. Samples must not contain
  /// start codes.
  private static func protected(_ unit: [UInt8]) -> [UInt8] {
    var zeros = 0
    for byte in unit {
      if zeros >= 2 && byte < 3 {
        return unit.withoutEmulationPrevention.withEmulationPrevention
      }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return unit
  }

  /// Writes a file with the payloads of RPUs. It gets its final name only when it is complete.
  package static func write(_ payloads: [[UInt8]], to file: UnfinishedFile) throws {
    try file.write(bytes(payloads))
    try file.publish()
  }
}
