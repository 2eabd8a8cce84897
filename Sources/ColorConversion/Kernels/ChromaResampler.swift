internal import CodePoints
internal import MediaCore

/// Interpolates chroma samples to one for each luma sample (linear filter), and filters them down
/// again, with the samples where the chroma location puts them.
struct ChromaResampler: Sendable {
  let subsampling: ChromaSubsampling
  let isCosited: Bool
  /// How far below the upper luma row of its pair a chroma sample lies.
  let verticalOffset: Float

  init(_ subsampling: ChromaSubsampling, _ location: ChromaLocation) {
    self.subsampling = subsampling
    // The chroma samples of 4:2:2 lie on luma samples, whatever is said of 4:2:0.
    isCosited = subsampling == .cs422 || location.isCositedHorizontally
    verticalOffset = Float(location.verticalOffset)
  }

  /// The two chroma rows around a luma row, and the weight of the second.
  func sources(ofLine line: Int, chromaHeight: Int) -> (first: Int, second: Int, weight: Float) {
    guard subsampling == .cs420 else { return (line, line, 0) }
    let position = (Float(line) - verticalOffset) / 2
    let below = position.rounded(.down)
    let first = Int(below)
    let last = chromaHeight - 1
    return (min(max(first, 0), last), min(max(first + 1, 0), last), position - below)
  }

  /// Interpolates a row of chroma samples to `width` numbers.
  @unsafe
  func spread(
    _ chroma: UnsafePointer<Float>, count: Int, width: Int,
    into numbers: UnsafeMutablePointer<Float>
  ) {
    let last = count - 1
    for index in 0..<width / 2 {
      let here = unsafe chroma[index]
      let right = unsafe chroma[min(index + 1, last)]
      if isCosited {
        unsafe numbers[2 * index] = here
        unsafe numbers[2 * index + 1] = (here + right) * 0.5
      } else {
        let left = unsafe chroma[max(index - 1, 0)]
        unsafe numbers[2 * index] = here * 0.75 + left * 0.25
        unsafe numbers[2 * index + 1] = here * 0.75 + right * 0.25
      }
    }
    if width % 2 == 1 {
      let here = unsafe chroma[last]
      let left = unsafe chroma[max(last - 1, 0)]
      unsafe numbers[width - 1] = isCosited ? here : here * 0.75 + left * 0.25
    }
  }

  /// Filters a row of `width` numbers down to a row of chroma samples.
  @unsafe
  func gather(
    _ numbers: UnsafePointer<Float>, width: Int, into chroma: UnsafeMutablePointer<Float>
  ) {
    let last = width - 1
    for index in 0..<(width + 1) / 2 {
      let here = unsafe numbers[2 * index]
      let right = unsafe numbers[min(2 * index + 1, last)]
      if isCosited {
        let left = unsafe numbers[max(2 * index - 1, 0)]
        unsafe chroma[index] = here * 0.5 + (left + right) * 0.25
      } else {
        unsafe chroma[index] = (here + right) * 0.5
      }
    }
  }

  /// The luma rows that a chroma row is filtered from, and their weights.
  func taps(ofChromaLine line: Int, height: Int) -> [(line: Int, weight: Float)] {
    guard subsampling == .cs420 else { return [(line, 1)] }
    let last = height - 1
    let taps: [(Int, Float)] =
      switch verticalOffset {
      case 0: [(2 * line - 1, 0.25), (2 * line, 0.5), (2 * line + 1, 0.25)]
      case 1: [(2 * line, 0.25), (2 * line + 1, 0.5), (2 * line + 2, 0.25)]
      default: [(2 * line, 0.5), (2 * line + 1, 0.5)]
      }
    return taps.map { (min(max($0.0, 0), last), $0.1) }
  }
}
