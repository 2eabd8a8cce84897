internal import CodePoints
internal import ISOBMFF
internal import MediaCore

extension ColorInformation {
  /// The content of `colr` for a signal; nil where no color is stated.
  init?(_ signal: SignalDescription, container: FileType) {
    let color = signal.color.numbered
    guard !color.isUnspecified else { return nil }
    self =
      container == .mov
      ? .nclc(color) : .nclx(color, videoFullRangeFlag: signal.videoFullRangeFlag ?? false)
  }
}

extension Box {
  /// `gama`, which QuickTime has for a gamma without a number; nil where there is none to state.
  init?(gammaOf signal: SignalDescription, container: FileType) {
    guard container == .mov, let gamma = signal.color.transferCharacteristics.gamma else {
      return nil
    }
    self = SampleEntry.gammaBox(gamma)
  }
}
