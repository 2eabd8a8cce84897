// SPDX-License-Identifier: GPL-2.0-or-later
package import FoundationEssentials

extension URL {
  /// Returns the path of the file that the URL names.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a URL of another scheme.
  package func filePath() throws(TranscodingError) -> String {
    guard isFileURL else {
      throw TranscodingError(
        .invalidSettings, "\(absoluteString) is not a file URL: only files can be read and written")
    }
    return path
  }
}
