/// A report with the version of its keys beside them.
struct Versioned<Report: Encodable>: Encodable {
  /// The version of all JSON that the program prints or stores: it counts up where a key changes or
  /// goes, and stays where one is added.
  static var version: Int { 2 }

  /// What is printed or stored: an object.
  let report: Report

  private enum CodingKeys: String, CodingKey { case version }

  /// Encodes the version into the object that the report encodes itself as.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.version, forKey: .version)
    try report.encode(to: encoder)
  }
}
