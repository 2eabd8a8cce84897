// SPDX-License-Identifier: GPL-2.0-or-later
internal import Settings

extension JSONValue {
  /// Returns the differences from other settings as text: each key with both values.
  func changes(from old: JSONValue, at path: String = "") -> [String] {
    guard self != old else { return [] }
    guard case .object(let members) = self, case .object(let others) = old else {
      return ["\(path) is \(text), not \(old.text)"]
    }
    return Set(members.keys).union(others.keys).sorted().flatMap { key in
      (members[key] ?? .null).changes(
        from: others[key] ?? .null, at: path.isEmpty ? key : "\(path).\(key)")
    }
  }

  /// The value as text.
  private var text: String {
    switch self {
    case .null: "unset"
    case .bool(let value): "\(value)"
    case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
    case .string(let value): value
    case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "("
        + members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
        .joined(separator: ", ") + ")"
    }
  }
}
