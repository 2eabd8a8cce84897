// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// Compares JSON with the schemas that the program prints. It uses a validator that knows nothing
/// about the program: Debian's python3-jsonschema.
public final class SchemaValidator {
  private let folder: TemporaryFolder
  private var documents: [(schema: String, path: String, about: String)] = []

  /// Makes a validator without documents.
  public init() throws { folder = try TemporaryFolder() }

  /// Adds a document that `candela schema NAME` describes.
  ///
  /// - Parameter about: what to call the document in faults.
  public func add(_ document: String, as name: String, _ about: String? = nil) throws {
    let path = try folder.write(document, to: "\(documents.count).json")
    documents.append((try schema(name), path, about ?? name))
  }

  /// Returns the path of a schema. The first time, the program prints the schema to that path.
  private func schema(_ name: String) throws -> String {
    let file = "schema of \(name).json"
    guard !folder.names.contains(file) else { return folder.path(file) }
    let words = name.split(separator: " ").map(String.init)
    let outcome = try BuiltCandela.run(["schema"] + words)
    guard outcome.status == 0 else {
      throw Tool.Failure(description: "schema \(name): \(outcome.errors)")
    }
    return try folder.write(outcome.output, to: file)
  }

  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    for schema, path, about in json.load(open(sys.argv[1])):
        schema = json.load(open(schema))
        Draft202012Validator.check_schema(schema)
        try:
            document = json.load(open(path))
        except ValueError as error:
            print(f"{about}: {error}")
            continue
        for error in Draft202012Validator(schema).iter_errors(document):
            place = "/".join(str(part) for part in error.absolute_path)
            print(f"{about}: {place}: {error.message[:300]}")
    """

  /// Returns the places where the documents differ from their schemas.
  public func faults() throws -> [String] {
    let list = documents.map { [$0.schema, $0.path, $0.about] }
    let path = try folder.write(
      String(decoding: JSONSerialization.data(withJSONObject: list), as: UTF8.self),
      to: "documents")
    let outcome = try Tool.run("/usr/bin/python3", ["-B", "-c", Self.program, path])
    guard outcome.status == 0 else { throw Tool.Failure(description: outcome.errors) }
    return outcome.text.split(separator: "\n").map(String.init)
  }
}
