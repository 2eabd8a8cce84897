// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
package import Host

/// A file of JSON that a program wrote, such as a plan or a job, and that people may have changed.
package struct JSONFile {
  /// The file's path, for messages.
  package let path: String
  private let bytes: [UInt8]

  /// - Throws: ``TranscodingError`` of kind `unusableInput`, with line and column, for bytes that
  ///   are not JSON.
  package init(_ bytes: [UInt8], path: String) throws {
    (self.path, self.bytes) = (path, bytes)
    do {
      _ = try JSONScanner.value(of: bytes)
    } catch {
      throw TranscodingError(.unusableInput, error.refusal(of: path, isFile: true).message)
    }
  }

  /// The values that the file states.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput`, with line, column and key, for values
  ///   that are missing or of another type.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw refusal(error)
    }
  }

  /// A refusal that names a key and its place.
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
      refusal(Self.text(context.codingPath), "has another type or value than it should")
    @unknown default: refusal("", "cannot be read")
    }
  }

  /// The path of a key as messages have it: `segments[1].number`.
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
