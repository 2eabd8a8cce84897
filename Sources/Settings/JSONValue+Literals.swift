/// Output settings are written as the dictionaries that AVFoundation takes.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// An object; of a key that comes twice, the last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }

  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
