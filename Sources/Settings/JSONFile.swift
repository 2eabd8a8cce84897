// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
package import Host

/// A JSON file that a program wrote, such as a plan or a job, and that a person may have edited.
package struct JSONFile {
  /// The file's path, as messages show it.
  package let path: String
  private let bytes: [UInt8]

  /// - Throws: ``TranscodingError`` of kind `unusableInput`, with line and column, if the bytes are
  ///   not JSON.
  package init(_ bytes: [UInt8], path: String) throws {
    (self.path, self.bytes) = (path, bytes)
    do {
      // Foundation's decoder would fail as well, but without the line and column.
      _ = try JSONScanner.value(of: bytes)
    } catch {
      throw TranscodingError(.unusableInput, error.refusal(of: path, isFile: true).message)
    }
  }

  /// Decodes the file's values.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput`, with line, column and key, if a value
  ///   is missing or has the wrong type.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw refusal(error)
    }
  }

  /// Returns an error that names a key and where it is in the file.
  package func refusal(_ key: String, _ problem: String) -> TranscodingError {
    let place = JSONScanner.place(of: key, in: bytes)
    let subject = key.isEmpty ? "it" : key
    return TranscodingError(.unusableInput, "\(path):\(place): \(subject) \(problem)")
  }

  private func refusal(_ error: DecodingError) -> TranscodingError {
    switch error {
    case .keyNotFound(let key, let context):
      refusal(Self.text(context.codingPath + [key]), "is missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      refusal(Self.text(context.codingPath), "has the wrong type or value")
    @unknown default: refusal("", "cannot be read")
    }
  }

  /// Returns a key's path as messages show it: `segments[1].number`.
  private static func text(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
  }
}
