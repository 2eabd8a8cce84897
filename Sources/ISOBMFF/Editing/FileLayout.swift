// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Boxes of a rewritten file, in their order.
struct FileLayout {
  /// One box of the result.
  enum Piece {
    /// A box of the source.
    case kept(KeptBox)
    /// The edited movie.
    case movie
    /// Padding of so many bytes, 8 at least.
    case padding(UInt64)
  }

  static let padding: Set<FourCC> = ["free", "skip", "wide"]

  let pieces: [Piece]
  private let movieSize: UInt64

  /// The movie behind the file's type, then everything else in its order, without padding. Of
  /// media data, the least comes first: text and metadata are there before frames are.
  ///
  /// - Parameter isNeeded: true if a box of padding must stay, since samples lie in it.
  init(
    movieFirst kept: [KeptBox], movieSize: UInt64, isNeeded: (TopLevelBoxes.Entry) -> Bool
  ) {
    let needed = kept.filter {
      $0.entry.type != "moov" && (!Self.padding.contains($0.entry.type) || isNeeded($0.entry))
    }
    let media = needed.filter { $0.entry.type == "mdat" }.sorted { $0.size < $1.size }
    var next = media.makeIterator()
    let others = needed.map { $0.entry.type == "mdat" ? next.next() ?? $0 : $0 }
    let front = others.prefix { $0.entry.type == "ftyp" }
    pieces = front.map(Piece.kept) + [.movie] + others.dropFirst(front.count).map(Piece.kept)
    self.movieSize = movieSize
  }

  /// Layout with every box in its place. Padding behind the movie takes up what the movie becomes
  /// longer or shorter, so that nothing behind it moves, where that is possible.
  init(
    inPlace kept: [KeptBox], movieSize: UInt64, isNeeded: (TopLevelBoxes.Entry) -> Bool
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
      if available == movieSize || available >= movieSize + 8 {
        if available > room { rest = rest.dropFirst() }
        if available > movieSize { filling = [.padding(available - movieSize)] }
      }
    }
    pieces = kept[..<index].map(Piece.kept) + [.movie] + filling + rest.map(Piece.kept)
  }

  /// The bytes of a piece.
  func size(of piece: Piece) -> UInt64 {
    switch piece {
    case .kept(let box): box.size
    case .movie: movieSize
    case .padding(let size): size
    }
  }

  /// The boxes of the source and where they begin in the result.
  var places: [(box: KeptBox, start: UInt64)] {
    var position: UInt64 = 0
    var places: [(KeptBox, UInt64)] = []
    for piece in pieces {
      if case .kept(let box) = piece { places.append((box, position)) }
      position += size(of: piece)
    }
    return places
  }

  /// True if every byte of the source stays where it is.
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
      let count = min(rest, 1 << 20)
      try sink.write([UInt8](repeating: 0, count: Int(count)))
      rest -= count
    }
  }
}
