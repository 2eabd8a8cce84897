// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// The top-level boxes of a rewritten file, in order.
struct FileLayout {
  /// One box of the rewritten file.
  enum Piece {
    /// A box from the source.
    case kept(CopiedBox)
    /// The edited movie.
    case movie
    /// Padding, in bytes. A padding box has at least 8.
    case padding(UInt64)
  }

  // In QuickTime, `wide` reserves space for a 64-bit size of the next box. Writers also use it as
  // padding.
  static let padding: Set<FourCC> = ["free", "skip", "wide"]

  let pieces: [Piece]
  private let movieSize: UInt64

  /// Puts the movie after the file type, and everything else after the movie. Unneeded padding is
  /// left out, and `mdat` boxes are sorted by size, the smallest first.
  ///
  /// - Parameter isNeeded: whether a padding box must stay because it contains samples.
  init(
    movieFirst kept: [CopiedBox], movieSize: UInt64, isNeeded: (BoxHeader) -> Bool
  ) {
    let needed = kept.filter {
      $0.entry.type != "moov" && (!Self.padding.contains($0.entry.type) || isNeeded($0.entry))
    }
    // The smallest media data comes first, because it usually has text and metadata. A player that
    // reads from the start needs them before the frames that they belong to.
    let media = needed.filter { $0.entry.type == "mdat" }.sorted { $0.size < $1.size }
    var next = media.makeIterator()
    let others = needed.map { $0.entry.type == "mdat" ? next.next() ?? $0 : $0 }
    // ISO/IEC 14496-12, 4.3, wants `ftyp` before any box of variable length.
    let front = others.prefix { $0.entry.type == "ftyp" }
    pieces = front.map(Piece.kept) + [.movie] + others.dropFirst(front.count).map(Piece.kept)
    self.movieSize = movieSize
  }

  /// Leaves the boxes in their old order. If possible, padding after the movie takes up the
  /// difference in size, so that nothing else moves.
  init(
    inPlace kept: [CopiedBox], movieSize: UInt64, isNeeded: (BoxHeader) -> Bool
  ) {
    self.movieSize = movieSize
    guard let index = kept.firstIndex(where: { $0.entry.type == "moov" }) else {
      pieces = kept.map(Piece.kept)
      return
    }
    let room = UInt64(kept[index].entry.range.count)
    var rest = kept[(index + 1)...]
    var filling: [Piece] = []
    if movieSize != room {
      var available = room
      if let next = rest.first, Self.padding.contains(next.entry.type), !isNeeded(next.entry) {
        available += next.size
      }
      // The space that is left over must be 0 or at least 8 bytes, because padding is a box and has
      // a header of 8 bytes.
      if available == movieSize || available >= movieSize + 8 {
        if available > room { rest = rest.dropFirst() }
        if available > movieSize { filling = [.padding(available - movieSize)] }
      }
    }
    pieces = kept[..<index].map(Piece.kept) + [.movie] + filling + rest.map(Piece.kept)
  }

  /// Returns the size of a piece in bytes.
  func size(of piece: Piece) -> UInt64 {
    switch piece {
    case .kept(let box): box.size
    case .movie: movieSize
    case .padding(let size): size
    }
  }

  /// The boxes from the source and where each begins in the result.
  var places: [(box: CopiedBox, start: UInt64)] {
    var position: UInt64 = 0
    var places: [(CopiedBox, UInt64)] = []
    for piece in pieces {
      if case .kept(let box) = piece { places.append((box, position)) }
      position += size(of: piece)
    }
    return places
  }

  /// Whether every box that is kept is unchanged and in its old place.
  var isUnmoved: Bool {
    places.allSatisfy { $0.box.isUnchanged && $0.start == $0.box.entry.range.lowerBound }
  }

  func write(_ movie: Box, to sink: inout some ByteSink) throws(ISOBMFFError) {
    for piece in pieces {
      switch piece {
      case .kept(let box): try box.write(to: &sink)
      case .movie: try sink.write(movie.bytes)
      case .padding(let size):
        try Self.writePadding(size, to: &sink)
      }
    }
  }

  private static func writePadding(
    _ size: UInt64, to sink: inout some ByteSink
  ) throws(ISOBMFFError) {
    var header = ByteWriter()
    header.append(UInt32(exactly: size) ?? 1)
    header.append(FourCC("free").rawValue)
    if size > UInt64(UInt32.max) { header.append(size) }
    try sink.write(header.bytes)
    var rest = size - UInt64(header.bytes.count)
    while rest > 0 {
      // Padding may be as large as the old movie, so write it in pieces of a megabyte.
      let count = min(rest, 1 << 20)
      try sink.write([UInt8](repeating: 0, count: Int(count)))
      rest -= count
    }
  }
}
