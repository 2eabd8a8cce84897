internal import CodePoints

/// What an output's frames were promised to be.
struct OutputPromise: Sendable {
  let sampleEntry: VideoSampleEntry
  let width: Int
  let height: Int
  /// What they mean, which boxes state.
  let signal: SignalDescription
  /// What their VUI states.
  let vuiSignal: SignalDescription

  /// The gamma that `gama` of a QuickTime movie states; nil where it has none.
  var gamma: String? {
    let transfer = signal.color.transferCharacteristics
    return transfer.gamma.map { _ in "\(transfer)" }
  }
}
