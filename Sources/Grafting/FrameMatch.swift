// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import Comparison
internal import Host
internal import LibAV
internal import MediaCore
internal import Reading

/// Compares what a source and its encode show, in a few frames.
struct FrameMatch: Sendable {
  /// The part of the source's frames that the encode shows.
  let part: PixelRectangle
  /// Whether only black bars were cut off.
  let isWithoutBars: Bool

  /// How many pairs are compared.
  private static let count = 6

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the frames show different things.
  init(
    _ source: PresentedTrack, _ encoded: PresentedTrack, _ pairs: FramePairs,
    _ turn: EncodeTurn, activeArea: PixelRectangle?
  ) async throws {
    let places = pairs.places(Self.count)
    let ones: [Int: PixelBuffer] = try await source.looks(
      at: places.map { pairs.sources[$0]..<pairs.sources[$0] + 1 }
    ) { $0 }
    let others: [Int: PixelBuffer] = try await encoded.looks(
      at: places.map { $0..<$0 + 1 }
    ) { $0 }
    let found = places.compactMap { place -> Pair? in
      guard let one = ones[pairs.sources[place]], let other = others[place] else { return nil }
      let unturned = turn.unturned(other, as: source.facts.size)
      return Pair(source: one, encoded: unturned, number: place)
    }
    let whole = PixelRectangle(whole: source.facts.size)
    let lit = found.compactMap { $0.source.litArea }.reduce(activeArea) { area, lit in
      area?.union(lit) ?? lit
    }
    let parts = Self.parts(
      source, turn.unturned(encoded.facts.size), encoded.pixelShape(turn),
      [activeArea, lit].compactMap { $0 })
    guard !parts.isEmpty else {
      throw TranscodingError(
        .unusableInput,
        "the encode's frames (\(encoded.facts.size)) have a different shape than the source's "
          + "(\(source.facts.size)), with or without black bars")
    }
    let match = parts.first { part in found.allSatisfy { $0.agrees(part) } }
    guard let match else {
      let other = found.first { !$0.agrees(parts[0]) }?.number ?? 0
      throw TranscodingError(
        .unusableInput,
        "the frames do not show the same content: frame \(other) of the encode differs from frame "
          + "\(pairs.sources[other]) of the source")
    }
    part = match
    isWithoutBars = match != whole && lit.map { match.union($0) == match } ?? true
    try await pairs.refuseMisplaced(source, encoded, turn, part: match)
    try Self.refuseOtherColors(found, match, source.facts, encoded.facts)
  }

  /// Refuses encodes whose light or colors are not those of the source.
  private static func refuseOtherColors(
    _ pairs: [Pair], _ part: PixelRectangle, _ source: VideoFacts, _ encoded: VideoFacts
  ) throws {
    let (own, other) = (source.tags.signal, encoded.tags.signal)
    // Samples of R′G′B′ cannot be compared with those of Y′CbCr.
    guard
      (own.color.matrixCoefficients == .identity) == (other.color.matrixCoefficients == .identity)
    else { return }
    var colors = ColorMatch()
    for pair in pairs {
      let grid = FrameCells.grid(part.size, pair.encoded.size)
      let whole = PixelRectangle(whole: pair.encoded.size)
      colors.add(
        pair.source.levels(grid, part: part, isFullRange: own.videoFullRangeFlag == true),
        pair.encoded.levels(grid, part: whole, isFullRange: other.videoFullRangeFlag == true))
    }
    guard let fault = colors.fault else { return }
    throw TranscodingError(
      .unusableInput,
      "the encode differs from the source in brightness or color: \(fault). The source's metadata "
        + "would be wrong for it")
  }

  private struct Pair {
    let source: PixelBuffer
    let encoded: PixelBuffer
    /// The number of the encode's frame.
    let number: Int

    /// Whether the encode's frame shows this part of the source's frame.
    func agrees(_ part: PixelRectangle) -> Bool {
      let grid = FrameCells.grid(part.size, encoded.size)
      guard let one = FrameCells(source, grid, part: part),
        let other = FrameCells(encoded, grid)
      else { return true }
      // Flat frames look alike wherever they come from.
      if one.isFlat && other.isFlat { return true }
      return other.hasPlaces(of: one) && !other.isOther(than: one)
    }
  }

  /// Returns the parts of the source that have the shape of the encode's frames, the likeliest
  /// first.
  ///
  /// - Parameters:
  ///   - size: the size of the encode's frames before they were turned.
  ///   - pixelShape: the width of a sample of these frames, relative to its height.
  ///   - areas: parts without bars.
  private static func parts(
    _ source: PresentedTrack, _ size: VideoDimensions, _ pixelShape: Double,
    _ areas: [PixelRectangle]
  ) -> [PixelRectangle] {
    let whole = source.facts.size
    var parts = [PixelRectangle(whole: whole)] + areas
    if size.width <= whole.width, size.height <= whole.height {
      parts.append(
        PixelRectangle(
          x: (whole.width - size.width) / 2, y: (whole.height - size.height) / 2,
          width: size.width, height: size.height))
    }
    func shape(_ size: VideoDimensions) -> Double {
      Double(size.width) / Double(max(size.height, 1))
    }
    return parts.filter { part in
      let own = shape(part.size) * source.pixelShape(nil)
      // Sides are rounded to even numbers.
      let tolerance = 2 / Double(max(min(size.width, size.height), 1)) + 0.002
      return abs(own / (shape(size) * pixelShape) - 1) <= tolerance
    }
  }
}

extension PresentedTrack {
  /// Returns the width of a sample, relative to its height, before frames were turned.
  fileprivate func pixelShape(_ turn: EncodeTurn?) -> Double {
    guard let ratio = track.demuxed.sampleAspectRatio else { return 1 }
    let shape = Double(ratio.horizontalSpacing) / Double(ratio.verticalSpacing)
    return turn?.swapsAxes == true ? 1 / shape : shape
  }

  /// Returns the first presented frames as cells.
  ///
  /// - Parameter unturned: returns a frame as it was before it was turned.
  func cells(
    _ count: Int, _ grid: VideoDimensions,
    _ unturned: @escaping @Sendable (PixelBuffer) -> PixelBuffer = { $0 }
  ) async throws -> [FrameCells] {
    try await Pipeline.onThread("look") { [asset, track] checkpoint in
      let reading = try AssetReading(asset, for: [try TrackReading(track: track, decodes: true)])
      var cells: [FrameCells] = []
      while cells.count < count, let picture = try reading.next()?.sample.imageBuffer {
        try checkpoint()
        guard let own = FrameCells(unturned(picture), grid) else { break }
        cells.append(own)
      }
      return cells
    }
  }
}

extension PixelBuffer {
  /// The area inside black bars; `nil` if the whole frame is black.
  fileprivate var litArea: PixelRectangle? {
    let isFull = attachments.signal.videoFullRangeFlag == true
    return litArea(black: isFull ? 0 : 16 << (format.bitDepth - 8), isRGB: false)
  }
}
