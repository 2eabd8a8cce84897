// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// A second reader of color and HDR facts: the Python package `hdrcheck` beside this file. It
/// shares no code with Candela, so both are unlikely to make the same mistake.
public enum HDRCheck {
  /// Returns what `hdrcheck` says about a file, in brief.
  public static func facts(_ path: String) throws -> [String: Any] {
    try run("--brief", path).json()
  }

  /// Returns what `hdrcheck` says about a file's video, in full.
  public static func video(_ path: String) throws -> [String: Any] {
    try #require(run(path).json()["video"] as? [String: Any])
  }

  /// Returns the RPUs of a file, each `19 … 80`, as dovi_tool writes them into a file. They are in
  /// presentation order or, if the file is a byte stream, in decoding order.
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
    // Without -B, Python would leave compiled files among the sources. Without -S and -E, it would
    // look for installed packages. `hdrcheck` needs none, and looking takes as long as its work.
    try Tool.succeed("python3", ["-BSE", program] + arguments)
  }
}
