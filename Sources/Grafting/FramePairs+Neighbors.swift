// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Comparison
internal import Host
internal import MediaCore

extension FramePairs {
  /// How many frames before and after a pair's source frame are compared with the encode's frame.
  private static let reach = 4
  // A neighbor fits clearly better if its difference from the encode's frame is less than this
  // share of the difference within the pair. If a pair is wrong, the right neighbor's difference is
  // only a tenth to a third of the pair's. If a pair is correct, hardly any neighbor fits better at
  // all, even at x265's rate factor 47.
  private static let clearly: Float = 0.75
  /// A neighbor must fit better by this share of the largest code value. A smaller lead is noise.
  private static let least: Float = 0.000_3

  /// Returns the numbers of some of the encode's frames, at equal distances from first to last.
  func places(_ count: Int) -> [Int] {
    let last = sources.count - 1
    return Set((0..<count).map { $0 * last / max(count - 1, 1) }).sorted()
  }

  /// Refuses pairs that are wrong although their times or their order agree. This happens if a
  /// program left out frames and closed the gap. A neighbor of the source's frame then fits clearly
  /// better.
  ///
  /// - Parameter part: the part of the source's frames that the encode shows.
  /// - Throws: ``TranscodingError`` of kind `unusableInput`.
  func refuseMisplaced(
    _ source: PresentedTrack, _ encoded: PresentedTrack, _ turn: EncodeTurn, part: PixelRectangle
  ) async throws {
    let isWhole = source.isDecodedWhole && encoded.isDecodedWhole
    let places = self.places(isWhole ? 24 : 8)
    let size = source.facts.size
    let grid = FrameCells.grid(part.size, turn.unturned(encoded.facts.size))
    let ones: [Int: FrameCells] = try await source.looks(
      at: places.map { neighbors(of: sources[$0], source.frames.count) }
    ) { FrameCells($0, grid, part: part) }
    let others: [Int: FrameCells] = try await encoded.looks(at: places.map { $0..<$0 + 1 }) {
      FrameCells(turn.unturned($0, as: size), grid)
    }
    let misplaced = places.compactMap { place in
      others[place].flatMap { better(than: sources[place], ones, $0) }.map { (place, $0) }
    }
    // Among 24 frames, a single misplaced one may be a duplicate that a program inserted to keep
    // the frame rate. Among only 8, none is accepted.
    guard misplaced.count > (isWhole ? 1 : 0), let (place, number) = misplaced.first else { return }
    throw TranscodingError(
      .unusableInput,
      "the frames cannot be paired: frame \(place) of the encode shows frame \(number) of the "
        + "source, but \(way == .times ? "has the time" : "is at the position") of frame "
        + "\(sources[place]). Encode the source again, and keep the times of its frames")
  }

  private func neighbors(of number: Int, _ count: Int) -> Range<Int> {
    max(number - Self.reach, 0)..<min(number + Self.reach + 1, count)
  }

  /// Compares a frame of the encode with a source's frame and its neighbors. Returns the neighbor
  /// that fits clearly better than the source's frame; `nil` if there is none.
  private func better(
    than number: Int, _ sources: [Int: FrameCells], _ encoded: FrameCells
  ) -> Int? {
    guard let own = sources[number].map({ $0.difference(from: encoded) }) else { return nil }
    let differences = neighbors(of: number, .max).compactMap { neighbor in
      sources[neighbor].map { (neighbor, $0.difference(from: encoded)) }
    }
    guard let best = differences.min(by: { $0.1 < $1.1 }), best.0 != number,
      best.1 < own * Self.clearly, own - best.1 > Self.least
    else { return nil }
    return best.0
  }
}
