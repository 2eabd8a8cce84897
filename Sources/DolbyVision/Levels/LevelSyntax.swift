/// A level's syntax.
protocol LevelSyntax: Hashable, Sendable {
  /// `ext_block_level`.
  static var level: UInt8 { get }
  /// Any value, to be read over.
  static var blank: Self { get }
  /// `ext_block_length` of this block, in bytes.
  var length: Int { get }

  /// The elements of a block of some length.
  mutating func code(_ coder: inout some SyntaxCoder, length: Int) throws(DolbyVisionError)
}

extension LevelSyntax {
  /// Reads a payload; nil where this level would not write it just so.
  init?(payload: [UInt8]) {
    var (content, reader) = (Self.blank, SyntaxReader(payload))
    guard (try? content.code(&reader, length: payload.count)) != nil,
      (try? content.payload()) == payload
    else { return nil }
    self = content
  }

  /// The payload: the elements, and zeros up to the next byte.
  func payload() throws(DolbyVisionError) -> [UInt8] {
    var (content, writer) = (self, SyntaxWriter())
    try content.code(&writer, length: length)
    return writer.bytes
  }
}
