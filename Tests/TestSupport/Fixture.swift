// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// The bytes of a file in `Fixtures`. The file states field by field what the bytes mean, and which
/// other program reads them the same way. `Scripts/fixtures` makes these files.
public struct Fixture: Sendable {
  /// Thrown if a file is not a fixture.
  public struct Failure: Error {
    /// The text that is not hexadecimal; or the name and the number of bits of a file whose bits do
    /// not make whole bytes.
    public let reason: String
  }

  /// The bytes as they are in files and streams: a box with its header, or a NAL unit with its
  /// header and its emulation prevention bytes.
  public let bytes: [UInt8]
  /// The fields alone. For a NAL unit, these are the bytes without emulation prevention.
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

  /// Returns the bytes of a fixture.
  public static func bytes(_ name: String) throws -> [UInt8] { try Fixture(name).bytes }

  /// Returns the content of a box, which follows its size and type.
  public static func content(_ name: String) throws -> [UInt8] {
    Array(try bytes(name).dropFirst(8))
  }

  /// Returns the names of all fixtures, or of those whose names begin with `beginning`.
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
