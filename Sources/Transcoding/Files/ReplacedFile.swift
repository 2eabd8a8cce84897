internal import Foundation

/// A file that a new one takes the place of, with all that a file has beside its content: owner,
/// permissions, extended attributes.
struct ReplacedFile {
  private let path: String
  private let version: [Int]

  /// - Returns: nil where the output is another file than the input.
  init?(_ input: String, by output: String) {
    guard let path = PosixPath.resolved(input), PosixPath.resolved(output) == path else {
      return nil
    }
    self.path = path
    version = PosixPath.version(of: path)
  }

  /// Whether somebody else changed the file meanwhile, whose work would be lost.
  ///
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  func checkUnchanged() throws {
    guard PosixPath.version(of: path) == version else {
      throw TranscodingError(
        .cannotCreateOutput, "\(path) was changed by somebody else meanwhile; it is left as it is")
    }
  }

  /// - Throws: ``TranscodingError`` where replacing the file would do something else than changing
  ///   it.
  func check() throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    if let count = attributes[.referenceCount] as? Int, count > 1 {
      throw TranscodingError(
        .cannotCreateOutput,
        "\(path) has \(count) names (hard links), which would no longer be one file; write to a new "
          + "file")
    }
    guard unsafe access(path, W_OK) == 0, Self.isWritable(attributes) else {
      throw TranscodingError(
        .cannotCreateOutput,
        "\(path) is write-protected; change its permissions or write to a new file")
    }
  }

  /// What `access` does not tell the superuser: whether anybody may write.
  private static func isWritable(_ attributes: [FileAttributeKey: Any]) -> Bool {
    (attributes[.posixPermissions] as? Int).map { $0 & 0o222 != 0 } ?? true
  }

  /// Gives the new file what the old one has.
  ///
  /// - Returns: what could not be kept.
  func giveAttributes(to newPath: String) throws -> [String] {
    let manager = FileManager.default
    let attributes = try manager.attributesOfItem(atPath: path)
    var notices: [String] = []
    for (keys, name) in Self.kept {
      let values = attributes.filter { keys.contains($0.key) }
      do {
        let new = try manager.attributesOfItem(atPath: newPath).filter { keys.contains($0.key) }
        if values as NSDictionary == new as NSDictionary { continue }
        try manager.setAttributes(values, ofItemAtPath: newPath)
      } catch {
        notices.append("\(path): its \(name) could not be kept")
      }
    }
    // Foundation would leave out set-user-ID and set-group-ID. A change of owner clears them.
    var status = stat()
    if unsafe stat(path, &status) != 0 || chmod(newPath, status.st_mode & 0o7777) != 0 {
      notices.append("\(path): its permissions could not be kept")
    }
    return notices
  }

  private static let kept: [(keys: [FileAttributeKey], name: String)] = [
    ([.ownerAccountID, .groupOwnerAccountID], "owner"),
    ([FileAttributeKey("NSFileExtendedAttributes")], "extended attributes"),
  ]
}
