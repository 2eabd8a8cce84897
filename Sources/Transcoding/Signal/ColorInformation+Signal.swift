internal import CodePoints
internal import ISOBMFF
internal import LibAV

extension ColorInformation {
  /// The content of `colr` for a signal; nil where no color is stated.
  init?(_ signal: SignalDescription, container: Muxer.Container) {
    guard !signal.color.isUnspecified else { return nil }
    self =
      container == .mov
      ? .nclc(signal.color)
      : .nclx(signal.color, videoFullRangeFlag: signal.videoFullRangeFlag ?? false)
  }
}
