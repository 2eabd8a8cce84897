// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

/// The independent reader of color and HDR facts, a program beside the shared media.
public enum HDRCheck {
  private static var program: String { "\(SharedMedia.root)/tools/hdrcheck.py" }

  /// What it says of a file in short.
  public static func facts(_ path: String) throws -> [String: Any] {
    try Tool.succeed("python3", [program, "--brief", path]).json()
  }

  /// What it says of a file's pictures at length.
  public static func video(_ path: String) throws -> [String: Any] {
    let report = try Tool.succeed("python3", [program, path]).json()
    return try #require(report["video"] as? [String: Any])
  }

  /// The RPUs of a file, `19 … 80`, as a file that dovi_tool writes: in the order of presentation,
  /// and of decoding where the file is a byte stream.
  public static func rpus(_ path: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try Tool.succeed("python3", [program, "--dump-rpu", folder.path("rpu.bin"), path])
    return try FileBytes.read(folder.path("rpu.bin"))
  }
}
