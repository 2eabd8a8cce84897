// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// Real files that are not part of the project. Tests that need them are skipped if they are
/// absent.
public enum SharedMedia {
  /// The folder beside the project, or the one that `CANDELA_SHARED` names.
  public static let root: String =
    ProcessInfo.processInfo.environment["CANDELA_SHARED"]
    ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared").path

  /// Returns the path of a file, such as `hdr/androidx__dolbyVision-hdr.MOV`.
  public static func path(_ name: String) -> String { "\(root)/media/\(name)" }

  /// Whether the folder's `media` is there.
  public static var isPresent: Bool { FileManager.default.fileExists(atPath: "\(root)/media") }

  /// Returns the bytes of a file.
  public static func bytes(_ name: String) throws -> [UInt8] {
    try FileBytes.read(path(name))
  }

  /// Returns the first RPU of a file in `rpu/`, from the byte 0x19 to the byte 0x80.
  public static func rpu(_ name: String) throws -> [UInt8] {
    try #require(ByteStream.units(bytes("rpu/\(name).bin")).first)
  }

  /// Returns the size of a file in bytes, or 0 if it is absent.
  public static func size(_ name: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int) ?? 0
  }

  /// Returns the files in a folder, each as `folder/name`.
  public static func names(in folder: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
    return files.sorted().map { "\(folder)/\($0)" }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if the shared media are absent.
  public static var needsSharedMedia: Self {
    .enabled(if: SharedMedia.isPresent, "needs \(SharedMedia.root)/media, which is not there")
  }

  /// Skips a test that takes long, unless long tests are asked for.
  public static var takesLong: Self {
    .enabled(
      if: areLongTestsRun,
      "takes long: Scripts/test --long runs it")
  }
}

private let areLongTestsRun = ProcessInfo.processInfo.environment["CANDELA_LONG_TESTS"] != nil

extension Array {
  /// Every second argument of a test, beginning with the first one. If long tests are run, all
  /// arguments.
  public var everySecond: Self {
    areLongTestsRun ? self : enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  /// Returns `count` arguments of a test, beginning with the first one and spread over the whole
  /// list. If long tests are run, returns all arguments.
  public func shortened(to count: Int) -> Self {
    areLongTestsRun || count >= self.count
      ? self : (0..<count).map { self[$0 * self.count / count] }
  }
}
