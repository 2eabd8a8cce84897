// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import Host
internal import Settings

/// The losses that a plan announced in its notices.
package struct NamedLosses: Sendable {
  private struct Name: Decodable {
    let code: String
    let arguments: [String: String]?

    init(code: String, arguments: [String: String]) {
      (self.code, self.arguments) = (code, arguments)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: JSONKey.self)
      code = try container.decode(String.self, forKey: "code")
      let values = try container.decodeIfPresent([String: JSONValue].self, forKey: "arguments")
      // Some arguments, such as track numbers, are numbers in JSON.
      arguments = values?.compactMapValues { value in
        switch value {
        case .string(let text): text
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        default: nil
        }
      }
    }
  }

  /// A plan or report in JSON. Both have notices, and a report also contains its plan.
  private struct Document: Decodable {
    struct Plan: Decodable { let notices: [Name] }

    let notices: [Name]?
    let plan: Plan?
  }

  private let notices: [Name]

  /// Creates the list of losses that notices announce.
  package init(_ notices: [Notice] = []) {
    self.notices = notices.map { Name(code: $0.code.rawValue, arguments: $0.arguments) }
  }

  // A report with values for every frame of a film can be tens of megabytes long.
  private static let largest = 64 << 20

  /// Reads the losses that a plan, or the report of a transcode, announces.
  ///
  /// - Parameter path: the path of a JSON file.
  /// - Throws: ``TranscodingError``: `noInput` if the file does not exist, `unusableInput` if it
  ///   has no notices.
  package init(path: String) throws {
    try TranscodingError.refuseUnusable(input: path)
    let bytes: [UInt8]
    do {
      bytes = try OpenFile.namedBytes(of: path, upTo: Self.largest, streams: false)
    } catch {
      throw TranscodingError(.unusableInput, "\(path) \(error.text); give a plan")
    }
    let file = try JSONFile(bytes, path: path)
    let document = try file.decoded(as: Document.self)
    guard document.notices != nil || document.plan != nil else {
      throw file.refusal(
        "",
        "is not a plan: it has no notices; give the JSON of a plan, or the report of a transcode")
    }
    notices = (document.plan?.notices ?? []) + (document.notices ?? [])
  }

  /// Returns the code of the notice that announces the loss of a fact.
  func code(naming fact: Fact) -> String? {
    fact.announcement(in: notices.map { ($0.code, $0.arguments ?? [:]) })
  }
}
