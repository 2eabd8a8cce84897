// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Host

/// The two files of a command that can also work on many.
extension [String] {
  /// Refuses anything but two files.
  ///
  /// - Parameters:
  ///   - option: the option that takes the folder of the outputs.
  ///   - files: what the command takes, in words that fit into the message "give … with --into".
  func refuseUnlessPair(
    _ option: String = "--into", _ files: String = "one to read and one to write, or many to read"
  ) throws {
    if count < 2 {
      throw ValidationError(
        "an output is missing after \(self[0]): give one, or use \(option) FOLDER")
    }
    guard count == 2 else {
      throw ValidationError("there are \(count) files: give \(files) with \(option) FOLDER")
    }
    if PosixPath.kind(of: self[0]) == .directory {
      throw TranscodingError(
        .invalidSettings,
        "\(self[0]) is a folder: use --recursive \(option) FOLDER to work on its files")
    }
    try Self.refuseFolder(self[1], option)
  }

  /// Refuses the path of a folder in place of a single output's.
  ///
  /// - Parameter option: the option that takes the folder of the outputs.
  static func refuseFolder(_ path: String, _ option: String = "--into") throws {
    if path.hasSuffix("/") || PosixPath.kind(of: path) == .directory {
      throw TranscodingError(
        .invalidSettings, "\(path) is a folder: give a file in it, or use \(option) \(path)")
    }
  }

  /// Refuses a number in place of a file. In ffmpeg and HandBrake, a quality follows `-q`, but here
  /// `-q` takes no value, so the number counts as a file.
  func refuseQuality() throws {
    guard let number = first(where: { Double($0) != nil && PosixPath.kind(of: $0) == .nothing })
    else { return }
    throw ValidationError(
      "\(number) is not a file: -q is short for --quiet; for the quality, use --crf \(number)")
  }
}
