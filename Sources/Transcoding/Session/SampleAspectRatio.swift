/// The shape of a sample: width and height, (0, 1) if unstated.
enum SampleAspectRatio {
  /// The shape after scaling: it changes only where the picture's aspect ratio does.
  static func scaled(
    _ ratio: (width: Int, height: Int), from part: (width: Int, height: Int),
    to size: (width: Int, height: Int)
  ) -> (width: Int, height: Int) {
    let across = ratio.width == 0 ? 1 : ratio.width
    let down = ratio.width == 0 ? 1 : ratio.height
    let width = across * part.width * size.height
    let height = down * part.height * size.width
    // Rounding to whole samples is not a change of shape.
    let change = Double(width * down) / Double(height * across)
    if abs(change - 1) < 0.02 { return ratio }
    var (a, b) = (width, height)
    while b != 0 { (a, b) = (b, a % b) }
    var reduced = (width: width / a, height: height / a)
    // 16 bits a side in both bitstreams.
    while max(reduced.width, reduced.height) > 65_535 {
      reduced = (max(reduced.width / 2, 1), max(reduced.height / 2, 1))
    }
    return reduced
  }
}
