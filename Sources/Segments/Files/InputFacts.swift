// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import Host
internal import ISOBMFF

/// A file that a job reads, and by what it is known again.
package struct InputFacts: Hashable, Sendable, Codable {
  /// The path, from the root on.
  package let path: String
  /// Its bytes.
  package let size: UInt64
  /// Time of the last change, in nanoseconds since 1970.
  package let modified: Int
  /// SHA-256 of a movie's tables, and of 64 places in the whole file, as hexadecimal digits.
  package let digest: String

  /// A file as it is now.
  ///
  /// - Throws: ``TranscodingError`` of kind `noInput` or `unusableInput` where it cannot be read.
  init(path: String) throws {
    try TranscodingError.refuseUnusable(input: path)
    self.path = PosixPath.resolved(path) ?? path
    let version = PosixPath.version(of: path)
    modified = version.count == 5 ? version[3] &* 1_000_000_000 &+ version[4] : 0
    (size, digest) = try Self.content(of: path)
  }

  /// Size and ``digest`` of a file.
  private static func content(of path: String) throws -> (UInt64, String) {
    do {
      let source = try FileByteSource(path: path)
      var hash = SHA256()
      for range in try tables(source) + places(in: source.size) {
        hash.add(try source.read(at: range.lowerBound, count: range.count))
      }
      return (source.size, hash.text)
    } catch {
      throw TranscodingError.meaning(of: error, input: path)
    }
  }

  /// The ``digest`` that a file has; nil where it cannot be read.
  package static func digest(of path: String) -> String? {
    guard PosixPath.kind(of: path) == .file else { return nil }
    return (try? content(of: path))?.1
  }

  /// The boxes that say what a movie is; none in files of other kinds.
  private static func tables(_ source: FileByteSource) throws(ISOBMFFError) -> [Range<UInt64>] {
    do {
      let movie = try TopLevelBoxes(source).entries.filter { $0.type == "moov" }
      return movie.map { $0.range.lowerBound..<min($0.range.upperBound, source.size) }
    } catch ISOBMFFError.notISOBaseMedia {
      return []
    }
  }

  /// 64 places of 4 kB, at equal distances from the beginning to the end.
  private static func places(in size: UInt64) -> [Range<UInt64>] {
    let length = min(size, 4096)
    return (0..<64).map { index in
      let start = (size - length) / 63 * UInt64(index)
      return start..<start + length
    }
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` where the file is another now.
  func check() throws {
    guard try InputFacts(path: path) == self else {
      throw TranscodingError(
        .unusableInput, "\(path) is not the file that the job was made for; make the job anew")
    }
  }
}
