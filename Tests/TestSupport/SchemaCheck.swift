// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation

/// Compares data with a JSON schema, as far as those of this program go; keys that a schema does
/// not name are a fault.
public struct SchemaCheck {
  private let definitions: [String: Any]

  /// - Parameter schema: the whole, which has the definitions.
  public init(_ schema: [String: Any]) {
    definitions = schema["$defs"] as? [String: Any] ?? [:]
  }

  /// What of a value is not as its schema says.
  public func faults(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
      return faults(value, definitions[String(name)] as? [String: Any] ?? [:], at: path)
    }
    var faults: [String] = []
    if let type = schema["type"] as? String, !Self.isOf(type, value) {
      faults.append("\(path) is no \(type)")
    }
    if let allowed = schema["enum"] as? [String], !allowed.contains(value as? String ?? "") {
      faults.append("\(path) is \(value)")
    }
    if let only = schema["const"] as? NSNumber, only != value as? NSNumber {
      faults.append("\(path) is not \(only)")
    }
    if let pattern = schema["pattern"] as? String,
      (value as? String)?.range(of: pattern, options: .regularExpression) == nil
    {
      faults.append("\(path) does not match \(pattern)")
    }
    return faults + numberFaults(value, schema, path) + memberFaults(value, schema, path)
  }

  private func numberFaults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    let number = (value as? [Any])?.count ?? (value as? NSNumber)?.intValue ?? 0
    let least = (schema["minimum"] ?? schema["minItems"]) as? Int ?? .min
    let most = schema["maxItems"] as? Int ?? .max
    return (least...most).contains(number) ? [] : ["\(path) is or has \(number)"]
  }

  private func memberFaults(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let items = schema["items"] as? [String: Any], let list = value as? [Any] {
      return list.enumerated().flatMap { faults($1, items, at: "\(path)[\($0)]") }
    }
    guard let members = value as? [String: Any] else { return [] }
    let missing = (schema["required"] as? [String] ?? []).filter { members[$0] == nil }
    let known = schema["properties"] as? [String: Any]
    let others = schema["additionalProperties"] as? [String: Any]
    return missing.map { "\(path).\($0) is missing" }
      + members.flatMap { name, member -> [String] in
        if let own = known?[name] as? [String: Any] ?? others {
          return faults(member, own, at: "\(path).\(name)")
        }
        return known == nil ? [] : ["\(path).\(name) is not in the schema"]
      }
  }

  private static func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": value is Bool
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    default: false
    }
  }
}
