internal import Bitstreams

/// Which boxes a rewritten file consists of, in their order.
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

  /// The movie behind the file's type, then everything else in its order, without padding.
  ///
  /// - Parameter isNeeded: whether a box of padding must stay, since samples lie in it.
  init(
    movieFirst kept: [KeptBox], movieSize: UInt64, isNeeded: (TopLevelBoxes.Entry) -> Bool
  ) {
    let others = kept.filter {
      $0.entry.type != "moov" && (!Self.padding.contains($0.entry.type) || isNeeded($0.entry))
    }
    let front = others.prefix { $0.entry.type == "ftyp" }
    pieces = front.map(Piece.kept) + [.movie] + others.dropFirst(front.count).map(Piece.kept)
    self.movieSize = movieSize
  }

  /// Every box where it is. Padding behind the movie takes up what it becomes longer or shorter,
  /// so that nothing behind it moves, where that can be.
  init(
    inPlace kept: [KeptBox], movieSize: UInt64, isNeeded: (TopLevelBoxes.Entry) -> Bool
  ) {
    var pieces: [Piece] = []
    var room: UInt64?
    for box in kept {
      if box.entry.type == "moov" {
        pieces.append(.movie)
        room = UInt64(box.entry.range.count)
      } else if let known = room, Self.padding.contains(box.entry.type), !isNeeded(box.entry) {
        room = known + box.size
      } else {
        if let known = room { pieces += Self.filling(known, movieSize: movieSize) }
        room = nil
        pieces.append(.kept(box))
      }
    }
    self.pieces = pieces
    self.movieSize = movieSize
  }

  private static func filling(_ room: UInt64, movieSize: UInt64) -> [Piece] {
    room >= movieSize + 8 && room - movieSize <= UInt64(UInt32.max)
      ? [.padding(room - movieSize)] : []
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

  /// Whether every byte of the source stays where it is.
  var isUnmoved: Bool {
    places.allSatisfy { $0.box.isUnchanged && $0.start == $0.box.entry.range.lowerBound }
  }

  func write(_ movie: Box, to sink: inout some ByteSink) throws(ISOBMFFError) {
    for piece in pieces {
      switch piece {
      case .kept(let box): try box.write(to: &sink)
      case .movie: try sink.write(movie.bytes)
      case .padding(let size):
        try sink.write(Box("free", fields: [UInt8](repeating: 0, count: Int(size) - 8)).bytes)
      }
    }
  }
}
