// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import MediaCore

extension StillLayout {
  /// Returns the paths of this many stills. `%d` in the name stands for the still's number, `%03d`
  /// for its number in three digits.
  ///
  /// - Parameter isMany: whether there may be several stills.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the name has no place for the
  ///   number of several stills, or several places.
  static func paths(_ path: String, of count: Int, isMany: Bool) throws -> [String] {
    let start = PosixPath.lastSlash(in: path).map(path.utf8.index(after:)) ?? path.startIndex
    // The name of a single still may contain `%d` by chance, as `100%done.jpg` does. That is not a
    // place for a number.
    let numbers = path[start...].matches(
      of: isMany ? /%(0[1-9])?d/ : /%(0[1-9])?d(?![A-Za-z])/)
    guard numbers.count <= 1 else {
      throw TranscodingError(
        .invalidSettings,
        "\(path): its name has \(numbers.count) places for a number: keep one of them")
    }
    guard let number = numbers.first else {
      guard count == 1 else {
        throw TranscodingError(
          .invalidSettings,
          "\(path): \(count) stills need different names: put %d or %03d into the name")
      }
      return [path]
    }
    let digits = number.output.1.flatMap { Int($0) } ?? 1
    return (1...count).map { index in
      path[..<number.range.lowerBound] + index.text(digits: digits)
        + path[number.range.upperBound...]
    }
  }
}
