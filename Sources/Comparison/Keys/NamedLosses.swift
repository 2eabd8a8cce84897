// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Host
internal import Settings

/// The losses that a plan has named by its notices.
package struct NamedLosses: Sendable {
  private struct Name: Decodable {
    let code: String
    let arguments: [String: String]?
  }

  /// Plan or report as JSON: notices stand beside the other keys, and a report has those of its
  /// plan too.
  private struct Document: Decodable {
    struct Plan: Decodable { let notices: [Name] }

    let notices: [Name]?
    let plan: Plan?
  }

  private let notices: [Name]

  /// The losses that notices name; none by default.
  package init(_ notices: [Notice] = []) {
    self.notices = notices.map { Name(code: $0.code.rawValue, arguments: $0.arguments) }
  }

  /// The most bytes of a plan or report.
  private static let largest = 64 << 20

  /// The losses that a plan names, or the report of a transcode.
  ///
  /// - Parameter path: a file of JSON.
  /// - Throws: ``TranscodingError``: `noInput` where there is no such file, `unusableInput` where
  ///   it has no notices.
  package init(path: String) throws {
    try TranscodingError.refuseUnusable(input: path)
    let bytes: [UInt8]
    do {
      bytes = try OpenFile.namedBytes(of: path, upTo: Self.largest, streams: false)
    } catch {
      throw TranscodingError(.unusableInput, "\(path) \(error.text); name a plan")
    }
    let file = try JSONFile(bytes, path: path)
    let document = try file.decoded(as: Document.self)
    guard document.notices != nil || document.plan != nil else {
      throw file.refusal(
        "",
        "is no plan: it has no notices; it should be JSON as plan prints it, or the report of a "
          + "transcode")
    }
    notices = (document.plan?.notices ?? []) + (document.notices ?? [])
  }

  /// The code of the notice that names the loss of a fact; nil for none.
  func code(naming fact: Fact) -> String? {
    let subject = fact.subject ?? fact.name
    for loss in fact.key.losses {
      let isNamed = notices.contains { name in
        guard name.code == loss.code.rawValue else { return false }
        guard let argument = loss.argument else { return true }
        let values = (name.arguments?[argument] ?? "").split(separator: ", ")
        return subject.map { values.contains(Substring($0)) } ?? false
      }
      if isNamed { return loss.code.rawValue }
    }
    return nil
  }
}
