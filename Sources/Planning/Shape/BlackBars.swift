// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import LibAV
internal import MediaCore

/// The black bars of a clip.
package struct BlackBars: Sendable {
  /// The area to keep, or `nil` if there are no bars. It is enlarged so that its edges split no
  /// chroma sample and, if frames are interlaced, no pair of chroma rows.
  let content: PixelRectangle?
  /// How many frames were examined.
  let frameCount: Int
  /// How many of those frames were not black.
  let litCount: Int
  /// The smallest area that contains the active areas in the Dolby Vision RPUs of all frames. `nil`
  /// if no RPU states bars.
  let activeArea: PixelRectangle?
  private let size: VideoDimensions

  /// The narrowest bars that are cut off, in samples. Narrower bars are analog blanking or noise at
  /// the edge.
  private static let narrowest = 4
  /// The smallest share of the frame's width or height that counts as content. Anything smaller
  /// than that is a logo or a title on black, not an image between bars.
  private static let smallest = 0.3

  /// Surveys a track and finds its bars.
  static func find(in track: AssetTrack, of frameSource: FrameSource) throws -> BlackBars {
    let survey = try BarSurvey(track, frameSource)
    return BlackBars(survey, frameSource)
  }

  init(_ survey: BarSurvey, _ frameSource: FrameSource) {
    size = frameSource.facts.size
    (frameCount, litCount) = (survey.frameCount, survey.litCount)
    activeArea = survey.activeArea
    // Detection misses dark content, and RPUs may be wrong. So keep everything that either of them
    // counts as content. If the lit area is too small to be content, cut nothing off.
    let frame = size
    let lit = survey.lit.flatMap { Self.isPlausible($0, frame) ? $0 : nil }
    let seen = [lit, activeArea].compactMap { $0 }
    guard let first = seen.first, survey.lit == nil || lit != nil else {
      content = nil
      return
    }
    content = Self.around(
      seen.reduce(first) { $0.union($1) }, size,
      // In interlaced 4:2:0, two rows of chroma belong together. They cover four rows of luma.
      rows: frameSource.facts.fieldOrder == .progressive ? 2 : 4)
  }

  private static func isPlausible(_ area: PixelRectangle, _ size: VideoDimensions) -> Bool {
    Double(area.width) >= smallest * Double(size.width)
      && Double(area.height) >= smallest * Double(size.height)
  }

  /// Returns the given area, enlarged so that its edges split no chroma sample and no group of
  /// `rows`, and leave no bar that is too narrow. Returns `nil` if the result is the whole frame.
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

  /// The evidence for the result, as text.
  var evidence: String {
    let verb = litCount == 1 ? "is" : "are"
    let frames = "\(litCount) of \(frameCount.counted("examined frame")) \(verb) not black"
    guard let area = activeArea else { return frames }
    return frames + "; Dolby Vision states \(area.size) at \(area.x), \(area.y)"
  }

  var notice: Notice {
    content.map { .barsCropped(to: $0, of: size, evidence) } ?? .barsNotFound(evidence)
  }
}

extension BlackBars: JSONObject {
  package static let meaning = "The black bars of a clip."
  package static let fields: [JSONField<BlackBars>] = [
    side("x", "Samples to the left of the area to keep", \.x),
    side("y", "Rows above the area to keep", \.y),
    side("width", "Width of the area to keep, in samples", \.width),
    side("height", "Height of the area to keep, in rows", \.height),
    .init("frames", "How many frames were examined.", .count) { $0.frameCount },
    .init("framesWithLight", "How many of those frames were not black.", .count) { $0.litCount },
    .init("evidence", "The evidence for the result.") { $0.evidence },
  ]

  private static func side(
    _ name: String, _ meaning: String, _ side: any KeyPath<PixelRectangle, Int> & Sendable
  ) -> JSONField<BlackBars> {
    JSONField(name, "\(meaning); absent if there are no bars.", .count) {
      $0.content?[keyPath: side]
    }
  }

  /// The result in one line.
  package var text: String {
    guard let content else { return "no black bars (\(evidence))" }
    return "\(content.size) at \(content.x), \(content.y) (\(evidence))"
  }
}
