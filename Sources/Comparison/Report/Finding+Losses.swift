// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// Findings that depend on more than one value.
extension Finding {
  /// Creates a finding about audible channels. Returns `nil` if the source has none.
  init?(_ channels: AudibleChannels, _ named: NamedLosses) {
    let fact = Fact(.audibleChannels, channels.sourceCount)
    guard channels.sourceCount > 0 else { return nil }
    guard !channels.silent.isEmpty else {
      self.init(fact, .kept, output: Value(fact))
      return
    }
    let numbers = channels.silent.map { "\($0)" }.joined(separator: ", ")
    self.init(
      lost: fact,
      output: Value("\(channels.sourceCount - channels.silent.count), silent: \(numbers)"), named)
  }

  /// Creates a finding about what can be heard. Returns `nil` if that was not measured, or if the
  /// source is silent.
  init?(_ audio: AudioComparison, _ named: NamedLosses) {
    guard audio.channels?.sourceCount ?? 1 > 0,
      audio.isIdentical || audio.isUnlike || audio.signalToNoise != nil
    else { return nil }
    let fact = Fact(.audioContent, "the same as the source's")
    guard audio.isUnlike else {
      self.init(fact, .kept, output: Value(fact))
      return
    }
    self.init(lost: fact, output: Value("different, or shifted in time: \(audio.text)"), named)
  }

  /// Creates a finding about damaged frames. Returns `nil` if neither file has any.
  init?(damage frames: FrameComparison, _ named: NamedLosses) {
    let (source, output) = (frames.sourceDamagedCount, frames.outputDamagedCount)
    let fact = Fact(.damagedFrames, source)
    let found = Value(Fact(.damagedFrames, output))
    // Decoders with several threads report the same damage at more places in one run and at fewer
    // in another. There is certainly more damage only if there are more than twice as many places.
    if output > 2 * source {
      self.init(lost: fact, output: found, named)
    } else if source > 0 {
      self.init(fact, source == output ? .kept : .changed, output: found)
    } else {
      return nil
    }
  }

  /// Creates a finding about frames that show something other than the source's frames. Returns
  /// `nil` if there are none, or if the source is damaged.
  init?(pictures frames: FrameComparison, _ named: NamedLosses) {
    // If the source is damaged, nobody knows what it should show.
    guard frames.otherContentCount > 0, frames.sourceDamagedCount == 0 else { return nil }
    self.init(
      lost: Fact(.frameContent, frames.comparedCount),
      output: Value(
        "\(frames.comparedCount - frames.otherContentCount); the others are flat or frozen"),
      named)
  }

  /// Whether nothing is lost although the output lacks the fact, or a part of it.
  func isElsewhere(_ source: TrackSurvey, _ output: TrackSurvey) -> Bool {
    switch code {
    // If the frames themselves were rotated, no matrix is needed.
    case FactKey.matrix.code: source.mayBeTurned(in: output)
    // A chroma location is defined for 4:2:0 only (H.273).
    case FactKey.chromaLocation.code:
      output.track.video.map { $0.format.chromaSubsampling != .cs420 } ?? false
    default: false
    }
  }
}
