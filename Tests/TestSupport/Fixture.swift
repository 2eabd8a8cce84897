// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// Bytes of a file of `Fixtures`, which states field by field what they mean and who else read
/// them. `Scripts/fixtures` makes the files.
public struct Fixture: Sendable {
  /// Why a file is no fixture.
  public struct Failure: Error {
    /// The name and what is wrong.
    public let reason: String
  }

  /// The bytes as files and streams have them: of a box with its header, of a NAL unit with its
  /// header and its emulation prevention bytes.
  public let bytes: [UInt8]
  /// The fields alone: of a NAL unit, the bytes without emulation prevention.
  public let fields: [UInt8]

  /// Reads a fixture.
  ///
  /// - Parameter name: the file's name without `.table`.
  public init(_ name: String) throws {
    let file = Self.folder.appendingPathComponent("\(name).table")
    var fields = ""
    var stream: [UInt8] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let token = line.prefix { $0 != " " }
      switch token.first {
      case "#": continue
      case ">": stream += try Self.bytes(Self.bits(hexadecimal: line.dropFirst(2)), name)
      case "%": fields += token.dropFirst()
      default: fields += try Self.bits(hexadecimal: token)
      }
    }
    self.fields = try Self.bytes(fields, name)
    bytes = stream.isEmpty ? self.fields : stream
  }

  /// The bytes of a fixture.
  public static func bytes(_ name: String) throws -> [UInt8] { try Fixture(name).bytes }

  /// The content of a box: what follows its size and type.
  public static func content(_ name: String) throws -> [UInt8] {
    Array(try bytes(name).dropFirst(8))
  }

  /// The names of all fixtures, or of those that begin alike.
  public static func names(_ beginning: String = "") -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasPrefix(beginning) && $0.hasSuffix(".table") }
      .map { String($0.dropLast(6)) }.sorted()
  }

  private static var folder: URL { Bundle.module.bundleURL.appendingPathComponent("Fixtures") }

  private static func bits(hexadecimal text: Substring) throws -> String {
    try text.map { digit in
      guard let value = digit.hexDigitValue else { throw Failure(reason: "\(text)") }
      return String(repeating: "0", count: value.leadingZeroBitCount - (Int.bitWidth - 4))
        + (value == 0 ? "" : String(value, radix: 2))
    }.joined()
  }

  private static func bytes(_ bits: String, _ name: String) throws -> [UInt8] {
    let bits = Array(bits.utf8)
    guard bits.count % 8 == 0 else { throw Failure(reason: "\(name) has \(bits.count) bits") }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 & 1 }
    }
  }
}
