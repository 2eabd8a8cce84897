internal import CodePoints

/// What an output's pictures were promised to be.
struct OutputPromise: Sendable {
  let sampleEntry: String
  let width: Int
  let height: Int
  /// What they mean, which boxes state.
  let signal: SignalDescription
  /// What their VUI states.
  let vuiSignal: SignalDescription
}
