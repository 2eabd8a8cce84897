// SPDX-License-Identifier: GPL-2.0-or-later
package import Host

/// Reads one object of a preset and checks that every key is known and has a valid value.
package struct SettingsReader {
  let path: String
  private let members: [String: JSONValue]

  /// Creates a reader for an object of a preset.
  ///
  /// - Parameters:
  ///   - value: the object. `nil` reads as an empty one.
  ///   - path: the key path of the object, empty for the whole preset.
  ///   - keys: all keys that the object may have.
  init(_ value: JSONValue?, path: String, keys: [String]) throws(TranscodingError) {
    self.path = path
    switch value {
    case nil: members = [:]
    // `null` is the same as absent, so that a script can always write every key.
    case .object(let object): members = object.filter { $0.value != .null }
    case .some(let other):
      throw Self.error(path, "must be an object, not \(other.kind)")
    }
    // A dictionary's order differs from run to run. With sorted keys, the message names the same
    // key every time.
    for key in members.keys.sorted() where !keys.contains(key) {
      throw Self.error(
        Self.join(path, key),
        "is not a known key: \(PresetKey.hint(for: key, of: path, among: keys))")
    }
  }

  // The beginning of messages about settings. If a preset comes from a file, messages begin with
  // the file's path instead.
  static let messagePrefix = "preset: "

  package static func error(
    _ path: String, _ problem: String, code: TranscodingError.Code? = nil,
    arguments: [String: String] = [:]
  ) -> TranscodingError {
    var error = TranscodingError(
      .invalidSettings,
      "\(messagePrefix)\(path.isEmpty ? "it" : path.shortened) \(problem)", code: code,
      arguments: arguments)
    error.settingsKey = path
    return error
  }

  static func join(_ path: String, _ key: String) -> String {
    path.isEmpty || key.isEmpty ? path + key : "\(path).\(key)"
  }

  func error(_ key: String, _ problem: String) -> TranscodingError {
    Self.error(Self.join(path, key), problem)
  }

  /// Whether a key is present, with a value other than `null`.
  func has(_ key: String) -> Bool { members[key] != nil }

  /// Returns the value at a key, whatever its type.
  func value(_ key: String) -> JSONValue? { members[key] }

  /// Returns a reader for the object at a key.
  func object(_ key: String, keys: [String]) throws(TranscodingError) -> SettingsReader {
    try SettingsReader(members[key], path: Self.join(path, key), keys: keys)
  }

  /// Returns the string at a key.
  func string(_ key: String) throws(TranscodingError) -> String? {
    switch members[key] {
    case nil: return nil
    case .string(let text): return text
    case .some(let other): throw error(key, "must be a string, not \(other.kind)")
    }
  }

  /// Returns the boolean at a key.
  func bool(_ key: String) throws(TranscodingError) -> Bool? {
    switch members[key] {
    case nil: return nil
    case .bool(let value): return value
    case .some(let other): throw error(key, "must be true or false, not \(other.kind)")
    }
  }

  /// Returns the number at a key, which must be in a range.
  func number(_ key: String, in range: ClosedRange<Double>) throws(TranscodingError) -> Double? {
    switch members[key] {
    case nil: return nil
    case .number(let value):
      try Self.refuse(Self.join(path, key), value, outside: range)
      return value
    case .string(let text):
      // `5M` is ffmpeg's spelling of a bit rate. Name the number that it stands for.
      let hint = Self.number(of: text).map { ": \(text) is \(Self.plain($0))" }
      throw error(key, "must be a number, not a string" + (hint ?? Self.hintOnSeveral(text)))
    case .some(let other): throw error(key, "must be a number, not \(other.kind)")
    }
  }

  /// Refuses a number outside a range.
  static func refuse(
    _ path: String, _ value: Double, outside range: ClosedRange<Double>
  ) throws(TranscodingError) {
    guard !range.contains(value) else { return }
    throw error(
      path,
      "is \(plain(value)), which is not between \(plain(range.lowerBound)) and "
        + plain(range.upperBound))
  }

  /// Returns the whole number at a key, which must be in a range.
  func integer(_ key: String, in range: ClosedRange<Int>) throws(TranscodingError) -> Int? {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    guard let value = try number(key, in: bounds) else { return nil }
    guard let whole = Int(exactly: value) else {
      throw error(key, "is \(value), which is not a whole number")
    }
    return whole
  }

  /// Returns the enumeration's case whose raw value is the name at a key. Case does not matter.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, _: Choice.Type = Choice.self
  ) throws(TranscodingError) -> Choice? where Choice.RawValue == String {
    try choice(key, of: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
  }

  /// Returns the name at a key, which must be one of the given names. Case does not matter.
  func choice(_ key: String, of names: [String]) throws(TranscodingError) -> String? {
    let written: String?
    switch members[key] {
    // In a change such as `dolbyVision=8.1`, the value is read as a number.
    case .number(let number): written = Self.plain(number)
    // A list of the names helps more than a message that `true` is not a string.
    case .bool(let value): written = "\(value)"
    default: written = try string(key)
    }
    guard let text = written else { return nil }
    guard let match = names.match(for: text) else {
      throw error(
        key, "cannot be '\(text.shortened)': \(names.hint(for: text))\(Self.hintOnSeveral(text))")
    }
    return match
  }

  /// Returns what to append to the message about a wrong value. If the value contains further
  /// changes, as in `width=1280,height=720`, that is advice; for other values, it is empty.
  private static func hintOnSeveral(_ text: String) -> String {
    text.contains(/, *[A-Za-z.]+ *=/) ? "; set each key separately" : ""
  }

  /// Returns the number that a text with a unit stands for, such as `5M` or `128k`.
  static func number(of text: String) -> Double? {
    guard
      let parts = text.wholeMatch(
        of: /([0-9]{1,9}(?:\.[0-9]{1,6})?) ?([kKmMgG])(?:bps|bit\/s|b\/s|bit)?/),
      let number = Double(parts.1)
    else { return nil }
    let units: [String: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
    return units[parts.2.lowercased()].map { ($0 * number).rounded() }
  }

  static func plain(_ value: Double) -> String {
    // Interpolating a `Double` writes `20.0`, although the preset says `20`.
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }
}
