// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host

/// A folder that is removed as soon as nothing uses it anymore.
public final class TemporaryFolder: Sendable {
  private let url: URL

  /// Makes an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("candela-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names of everything inside, including hidden files.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// Returns whether a process, or one that it started, has a file open in the folder and has not
  /// named that file yet.
  public func isWritten(by process: Int32) -> Bool {
    writer(among: process) != nil
  }

  /// Returns the process that has an unnamed file open in the folder: the given process, or one
  /// that it started. Returns `nil` if neither has.
  public func writer(among process: Int32) -> Int32? {
    isOpen(by: process)
      ? process : Tool.children(of: process).lazy.compactMap { self.writer(among: $0) }.first
  }

  private func isOpen(by process: Int32) -> Bool {
    let links = "/proc/\(process)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: links)) ?? []
    return numbers.contains { number in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(links)/\(number)")
      return target?.hasPrefix(url.path + "/") == true && target?.hasSuffix("(deleted)") == true
    }
  }

  /// Writes a file.
  ///
  /// - Returns: its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file, or replaces it.
  ///
  /// - Returns: its path.
  @discardableResult
  public func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func create(_ name: String) throws -> OpenFile {
    OpenFile(closing: PosixPath.open(try write([], to: name), O_WRONLY))
  }
}

/// Reads the bytes of files.
public enum FileBytes {
  /// Returns all bytes of a file.
  public static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
