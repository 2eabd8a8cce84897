// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore

/// Findings that more than one value decides about.
extension Finding {
  /// Finding about the channels of audio; nil where the source has none that is heard.
  init?(_ channels: AudibleChannels, _ named: NamedLosses) {
    let fact = Fact(.audibleChannels, "\(channels.sourceCount)")
    guard channels.sourceCount > 0 else { return nil }
    guard !channels.silent.isEmpty else {
      self.init(fact, .kept, output: fact.value)
      return
    }
    let numbers = channels.silent.map { "\($0)" }.joined(separator: ", ")
    self.init(
      lost: fact,
      output: "\(channels.sourceCount - channels.silent.count), silent: \(numbers)", named)
  }

  /// Finding about what is heard; nil where that was not measured, and where the source has nothing
  /// that is heard.
  init?(_ audio: AudioComparison, _ named: NamedLosses) {
    guard audio.channels?.sourceCount ?? 1 > 0, audio.isIdentical || audio.signalToNoise != nil
    else { return nil }
    let fact = Fact(.audioContent, "as the source's")
    guard audio.isUnlike else {
      self.init(fact, .kept, output: fact.value)
      return
    }
    self.init(lost: fact, output: "another, or at another time: \(audio.text)", named)
  }

  /// Finding about damaged frames; nil where there are none in either file. Decoders with several
  /// threads count the same damage now as more places, now as fewer: only twice as many are surely
  /// more.
  init?(damage frames: FrameCounts, _ named: NamedLosses) {
    let (source, output) = (frames.sourceDamagedCount, frames.outputDamagedCount)
    let fact = Fact(.damagedFrames, "\(source)")
    if output > 2 * source {
      self.init(lost: fact, output: "\(output)", named)
    } else if source > 0 {
      self.init(fact, source == output ? .kept : .changed, output: "\(output)")
    } else {
      return nil
    }
  }

  /// Finding about frames that show another picture; nil where there are none, and where the source
  /// is damaged, so that nobody knows what it shows.
  init?(pictures frames: FrameCounts, _ named: NamedLosses) {
    guard frames.otherContentCount > 0, frames.sourceDamagedCount == 0 else { return nil }
    self.init(
      lost: Fact(.frameContent, "\(frames.comparedCount)"),
      output: "\(frames.comparedCount - frames.otherContentCount), others are flat or stand still",
      named)
  }

  /// True if the output needs no such statement: a matrix where its frames may be turned, and a
  /// chroma location where its chroma is as fine as luma in columns.
  func isElsewhere(_ source: TrackFacts, _ output: TrackFacts) -> Bool {
    switch code {
    case ComparisonKey.matrix.code: source.mayBeTurned(in: output)
    case ComparisonKey.chromaLocation.code:
      output.track.video.map { $0.format.chromaSubsampling != .cs420 } ?? false
    default: false
    }
  }
}
