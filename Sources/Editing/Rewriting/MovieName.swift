internal import Assets

/// The name of a movie that is made of another without a change of its container.
enum MovieName {
  /// The ends of names that readers take for each other.
  private static let family = ["mov", "qt", "mp4", "m4v", "3gp", "3g2", "m4a"]

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` where the name is that of another
  ///   kind of file than the input.
  static func check(_ output: String, of input: String) throws {
    let (old, new) = (suffix(input), suffix(output))
    guard new == old || family.contains(new) || (new.isEmpty && family.contains(old)) else {
      throw TranscodingError(
        .invalidSettings,
        "\(output): the container stays as it is; name it .\(old.isEmpty ? "mov" : old)")
    }
  }

  private static func suffix(_ path: String) -> String {
    PosixPath.name(of: path).split(separator: ".").dropFirst().last?.lowercased() ?? ""
  }
}
