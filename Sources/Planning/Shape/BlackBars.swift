// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore

/// The black bars of a clip, as frames of all of it have them.
package struct BlackBars: Sendable {
  /// Area that is lit, grown to the raster of chroma and fields; nil where there are no bars.
  let content: PixelRectangle?
  /// The frames that were looked at.
  let frameCount: Int
  /// Number of these frames that are not black.
  let litCount: Int
  /// The active area that the frames' Dolby Vision RPUs name, all together; nil for none, or for
  /// the whole.
  let activeArea: PixelRectangle?
  private let size: VideoDimensions

  /// Smallest width of bars, in samples: narrower ones are blanking, or noise.
  private static let narrowest = 4
  /// Smallest part of a side that is content: less is a logo on black.
  private static let smallest = 0.3

  /// Looks for bars.
  static func find(in track: AssetTrack, of pictures: PictureSource) throws -> BlackBars {
    let survey = try BarSurvey(track, pictures)
    return BlackBars(survey, pictures)
  }

  init(_ survey: BarSurvey, _ pictures: PictureSource) {
    size = pictures.facts.size
    (frameCount, litCount) = (survey.frameCount, survey.litCount)
    let whole = PixelRectangle(whole: size)
    activeArea = survey.activeArea == whole ? nil : survey.activeArea
    // The area that either knows as content is kept.
    let frame = size
    let lit = survey.lit.flatMap { Self.isPlausible($0, frame) ? $0 : nil }
    let seen = [lit, activeArea].compactMap { $0 }
    guard let first = seen.first, survey.lit == nil || lit != nil else {
      content = nil
      return
    }
    content = Self.around(
      seen.reduce(first) { $0.union($1) }, size,
      rows: pictures.facts.fieldOrder == .progressive ? 2 : 4)
  }

  private static func isPlausible(_ area: PixelRectangle, _ size: VideoDimensions) -> Bool {
    Double(area.width) >= smallest * Double(size.width)
      && Double(area.height) >= smallest * Double(size.height)
  }

  /// The least area on a raster that holds an area; nil for the whole frame.
  private static func around(
    _ area: PixelRectangle, _ size: VideoDimensions, rows: Int
  ) -> PixelRectangle? {
    func span(_ start: Int, _ end: Int, _ side: Int, _ unit: Int) -> Range<Int> {
      let low = start < narrowest ? 0 : start / unit * unit
      let high = side - end < narrowest ? side : min((end + unit - 1) / unit * unit, side)
      return low..<max(high, low)
    }
    let across = span(area.x, area.x + area.width, size.width, 2)
    let down = span(area.y, area.y + area.height, size.height, rows)
    guard !across.isEmpty, !down.isEmpty else { return nil }
    let grown = PixelRectangle(
      x: across.lowerBound, y: down.lowerBound, width: across.count, height: down.count)
    return grown == PixelRectangle(whole: size) ? nil : grown
  }

  /// The evidence, for people.
  var evidence: String {
    let frames = "\(litCount) of \(frameCount.counted("frame")) looked at are not black"
    guard let area = activeArea else { return frames }
    return frames + "; Dolby Vision names \(area.size) at \(area.x), \(area.y)"
  }

  /// Notice about the bars.
  var notice: Notice {
    content.map { .barsCropped(to: $0, of: size, evidence) } ?? .barsNotFound(evidence)
  }
}

/// Encoded, the part that is kept is `x`, `y`, `width` and `height`, which are left out where there
/// are no bars; beside it are `frames`, the number of those that were looked at, `framesWithLight`,
/// of those that are not black, and `evidence` for people.
extension BlackBars: Encodable {
  package func encode(to encoder: any Encoder) throws {
    if let content {
      try ["x": content.x, "y": content.y].encode(to: encoder)
      try ["width": content.width, "height": content.height].encode(to: encoder)
    }
    try ["frames": frameCount, "framesWithLight": litCount].encode(to: encoder)
    try ["evidence": evidence].encode(to: encoder)
  }

  /// The finding in a line.
  var text: String {
    guard let content else { return "no black bars (\(evidence))" }
    return "\(content.size) at \(content.x), \(content.y) (\(evidence))"
  }
}
