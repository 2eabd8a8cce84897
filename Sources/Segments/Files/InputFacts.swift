// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Host
internal import ISOBMFF

/// A file that a job reads, and the facts by which it is recognized.
package struct InputFacts: Hashable, Sendable, Codable {
  /// The absolute path.
  package let path: String
  /// The file's length in bytes.
  package let size: UInt64
  /// The time of the last change, in nanoseconds since 1970.
  package let modified: Int
  /// SHA-256 of a movie's tables and of 64 places in the file, as hexadecimal digits.
  package let digest: String

  /// Takes the facts of a file in its present state.
  ///
  /// - Throws: ``TranscodingError`` of kind `noInput` or `unusableInput` if it cannot be read.
  init(path: String) throws {
    try TranscodingError.refuseUnusable(input: path)
    self.path = PosixPath.resolved(path) ?? path
    let version = PosixPath.version(of: path)
    // A file system can report any time, so the arithmetic wraps instead of trapping.
    modified = version.count == 5 ? version[3] &* 1_000_000_000 &+ version[4] : 0
    (size, digest) = try Self.content(of: path)
  }

  /// Returns the size and the ``digest`` of a file.
  private static func content(of path: String) throws -> (UInt64, String) {
    do {
      let source = try FileByteSource(path: path)
      var hash = SHA256()
      // Reading a whole movie of many gigabytes for each segment would take longer than some
      // segments take to encode. The tables describe every sample of the movie, and reading a few
      // places finds most other changes.
      for range in try tables(source) + places(in: source.size) {
        hash.add(try source.read(at: range.lowerBound, count: range.count))
      }
      return (source.size, hash.text)
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
  }

  /// Returns the ``digest`` of a file; `nil` if it cannot be read.
  package static func digest(of path: String) -> String? {
    // Opening a pipe or a device could wait forever.
    guard PosixPath.kind(of: path) == .file else { return nil }
    return (try? content(of: path))?.1
  }

  /// Returns the boxes that describe a movie; none for files of other kinds.
  private static func tables(_ source: FileByteSource) throws(ISOBMFFError) -> [Range<UInt64>] {
    do {
      let movie = try TopLevelBoxes(source).entries.filter { $0.type == "moov" }
      return movie.map { $0.range.lowerBound..<min($0.range.upperBound, source.size) }
    } catch ISOBMFFError.notISOBaseMedia {
      return []
    }
  }

  /// Returns 64 places of 4 kB, at equal distances from the beginning to the end.
  private static func places(in size: UInt64) -> [Range<UInt64>] {
    let length = min(size, 4096)
    return (0..<64).map { index in
      let start = (size - length) / 63 * UInt64(index)
      return start..<start + length
    }
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the file is no longer the same.
  func check() throws {
    guard try InputFacts(path: path) == self else {
      throw TranscodingError(
        .unusableInput, "\(path) is not the file that the job was made for; make a new job")
    }
  }
}
