// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Facts, or the schemas of their values, arranged as the nested objects of a report. Facts
/// that have names and share a key go into one object, whose members have these names.
private indirect enum FactTree<Leaf> {
  case leaf(Leaf)
  case branch([(name: String, tree: FactTree)])

  mutating func set(_ leaf: Leaf, at path: ArraySlice<String>) {
    guard let name = path.first else {
      self = .leaf(leaf)
      return
    }
    var branches: [(name: String, tree: FactTree)] = []
    if case .branch(let old) = self { branches = old }
    let index = branches.firstIndex { $0.name == name }
    var tree = index.map { branches[$0].tree } ?? .branch([])
    tree.set(leaf, at: path.dropFirst())
    if let index { branches[index].tree = tree } else { branches.append((name, tree)) }
    self = .branch(branches)
  }
}

extension FactTree: Encodable where Leaf == Fact {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .leaf(let fact) where fact.places.isEmpty: try fact.value.encode(to: encoder)
    case .leaf(let fact):
      var container = encoder.container(keyedBy: JSONKey.self)
      try container.encode(fact.value, forKey: "value")
      try container.encode(fact.places.map(\.description), forKey: "places")
    case .branch(let branches):
      var container = encoder.container(keyedBy: JSONKey.self)
      for branch in branches { try container.encode(branch.tree, forKey: JSONKey(branch.name)) }
    }
  }
}

extension [Fact] {
  /// Writes the facts as the properties of one object.
  package func encodeAsObject(to encoder: any Encoder) throws {
    var tree = FactTree<Fact>.branch([])
    for fact in self { tree.set(fact, at: (fact.key.path + [fact.name].compactMap(\.self))[...]) }
    try tree.encode(to: encoder)
  }
}

extension [FactKey] {
  /// The properties that ``Swift/Array/encodeAsObject(to:)`` writes. Any of them may be absent.
  package var properties: [JSONProperty] {
    var tree = FactTree<FactKey>.branch([])
    for key in self { tree.set(key, at: key.path[...]) }
    let objects = flatMap(\.section.objects)
    return tree.properties(of: Dictionary(objects) { first, _ in first })
  }
}

extension FactTree where Leaf == FactKey {
  /// - Parameter objects: the meaning of each object in the tree, by the object's name.
  fileprivate func properties(of objects: [String: String]) -> [JSONProperty] {
    guard case .branch(let branches) = self else { return [] }
    return branches.map { name, tree in
      switch tree {
      case .leaf(let key):
        JSONProperty(name, key.sentence, key.reportSchema, isRequired: false)
      case .branch:
        JSONProperty(
          name, objects[name] ?? "", JSONSchema(.object(tree.properties(of: objects))),
          isRequired: false)
      }
    }
  }
}

extension FactKey {
  /// The JSON keys that lead to a value in the report of its file or track, its own key last.
  fileprivate var path: [String] { section.objects.map(\.name) + [reportName] }

  /// The meaning as a sentence.
  fileprivate var sentence: String { meaning.prefix(1).uppercased() + meaning.dropFirst() + "." }

  /// The schema of what reports write under the key.
  fileprivate var reportSchema: JSONSchema {
    if hasNames { return JSONSchema(.dictionary(of: schema)) }
    guard section == .hdrMetadata else { return schema }
    return JSONSchema(
      .object([
        JSONProperty("value", "The value that is believed.", schema),
        JSONProperty("places", "Where the file states it.", [String].schema),
      ]))
  }
}
