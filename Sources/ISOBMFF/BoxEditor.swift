internal import Bitstreams

/// Rewrites a finished movie file with an edited `moov`, which is put in front of the media data,
/// and with chunk offsets that fit.
public struct BoxEditor {
  private let source: any ByteSource
  private let list: TopLevelBoxes
  private var moov: Box
  private var replacements: [Replacement] = []

  /// Other bytes in the place of a part of the file.
  struct Replacement {
    let range: Range<UInt64>
    let bytes: [UInt8]
  }

  /// Reads the movie of a file that is to be rewritten.
  ///
  /// - Throws: ``ISOBMFFError``; `fragmented` for a movie in fragments.
  public init(_ source: any ByteSource) throws(ISOBMFFError) {
    self.source = source
    list = try TopLevelBoxes(source)
    if let truncation = list.truncation { throw truncation }
    guard list.first("moof") == nil else { throw .fragmented }
    guard let entry = list.first("moov") else { throw .missingBox("moov", in: "the file") }
    let bytes = try source.read(at: entry.range.lowerBound, count: entry.range.count)
    guard let moov = try Box.parse(bytes, base: entry.range.lowerBound).first else {
      throw .missingBox("moov", in: "the file")
    }
    self.moov = moov
  }

  /// Edits the movie.
  public mutating func edit(
    _ change: (inout Box) throws(ISOBMFFError) -> Void
  ) throws(ISOBMFFError) {
    try change(&moov)
  }

  /// Puts other bytes in the place of a part of the media data. Parts do not overlap and come in
  /// the order of the file; the sizes of samples in the movie are for the caller to set.
  public mutating func replace(_ range: Range<UInt64>, with bytes: [UInt8]) {
    replacements.append(Replacement(range: range, bytes: bytes))
  }

  /// Writes the file: its type, the movie, then everything else in its order, without padding.
  public func write(to sink: inout some ByteSink) throws(ISOBMFFError) {
    let padding: Set<FourCC> = ["free", "skip", "wide", "moov"]
    let kept = list.entries.filter { !padding.contains($0.type) }
      .map { KeptBox($0, replacements: replacements) }
    let front = kept.prefix { $0.entry.type == "ftyp" }
    let rest = kept.dropFirst(front.count)
    let frontSize = front.reduce(0) { $0 + $1.size }
    let fixed = try ChunkOffsets.fix(moov, frontSize: frontSize, kept: Array(rest))
    for box in front { try box.write(to: &sink) }
    try sink.write(fixed.bytes)
    for box in rest { try box.write(to: &sink) }
  }
}
