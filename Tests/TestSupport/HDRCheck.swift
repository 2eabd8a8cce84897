// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// A second reader of color and HDR facts, the Python package `hdrcheck` beside this file. It
/// shares nothing with Candela, so that what both read alike is no mistake that both parsers have.
public enum HDRCheck {
  /// What it says of a file in short.
  public static func facts(_ path: String) throws -> [String: Any] {
    try run("--brief", path).json()
  }

  /// What it says of a file's pictures at length.
  public static func video(_ path: String) throws -> [String: Any] {
    try #require(run(path).json()["video"] as? [String: Any])
  }

  /// The RPUs of a file, `19 … 80`, as a file that dovi_tool writes: in the order of presentation,
  /// and of decoding where the file is a byte stream.
  public static func rpus(_ path: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try run("--dump-rpu", folder.path("rpu.bin"), path)
    return try FileBytes.read(folder.path("rpu.bin"))
  }

  private static let program =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("hdrcheck")
    .path

  @discardableResult
  private static func run(_ arguments: String...) throws -> Tool.Outcome {
    // Without -B, Python would leave compiled files among the sources.
    try Tool.succeed("python3", ["-B", program] + arguments)
  }
}
