// SPDX-License-Identifier: GPL-2.0-or-later
extension ChannelLayout {
  /// −3 dB: half the power.
  private static let half = 0.5.squareRoot()

  /// Parts of a channel in left and right where there are two (ITU-R BS.775, table 2): the center
  /// and each surround channel with −3 dB, a surround channel in the middle with another −3 dB to
  /// each side, low frequencies not at all.
  private static func stereo(_ speaker: Speaker) -> (left: Double, right: Double) {
    switch speaker {
    case .frontLeft, .frontLeftOfCenter, .wideLeft: (1, 0)
    case .frontRight, .frontRightOfCenter, .wideRight: (0, 1)
    case .frontCenter: (half, half)
    case .backLeft, .sideLeft, .topFrontLeft, .topBackLeft: (half, 0)
    case .backRight, .sideRight, .topFrontRight, .topBackRight: (0, half)
    case .backCenter, .topCenter, .topFrontCenter, .topBackCenter: (0.5, 0.5)
    case .lowFrequency, .lowFrequency2: (0, 0)
    }
  }

  /// The speakers that stand for each other where only one pair is there.
  private static let counterparts: [Speaker: Speaker] = [
    .sideLeft: .backLeft, .sideRight: .backRight, .backLeft: .sideLeft, .backRight: .sideRight,
  ]

  /// The pair of surround channels; nil where there is none.
  private var surroundPair: (left: Speaker, right: Speaker)? {
    let pairs: [(left: Speaker, right: Speaker)] = [
      (.backLeft, .backRight), (.sideLeft, .sideRight),
    ]
    return pairs.first { speakers.contains($0.left) && speakers.contains($0.right) }
  }

  /// True if another layout has all of the speakers, or their counterparts.
  package func isPart(of other: ChannelLayout) -> Bool {
    let there = other.speakers
    return !there.isEmpty && !speakers.isEmpty
      && speakers.allSatisfy { speaker in
        guard !there.contains(speaker), let counterpart = Self.counterparts[speaker] else {
          return there.contains(speaker)
        }
        // Each stands for one.
        return there.contains(counterpart) && !speakers.contains(counterpart)
      }
  }

  /// Coefficients that mix channels into those of another layout: a row for each of its channels,
  /// with a coefficient for each of these. Nothing is scaled down: speech, in the center, keeps its
  /// loudness.
  ///
  /// - Returns: nil where places are unknown.
  package func mix(to target: ChannelLayout) -> [[Double]]? {
    let (from, to) = (speakers, target.speakers)
    guard !from.isEmpty, !to.isEmpty else { return nil }
    var matrix = [[Double]](
      repeating: [Double](repeating: 0, count: from.count), count: to.count)
    func add(_ source: Int, _ speaker: Speaker, _ coefficient: Double) {
      guard let row = to.firstIndex(of: speaker) else { return }
      matrix[row][source] += coefficient
    }
    for (index, speaker) in from.enumerated() {
      let (left, right) = Self.stereo(speaker)
      if target == .mono {
        add(index, .frontCenter, (left + right) * Self.half)
      } else if to.contains(speaker) {
        add(index, speaker, 1)
      } else if let other = Self.counterparts[speaker], to.contains(other) {
        add(index, other, from.contains(other) ? Self.half : 1)
      } else if speaker == .backCenter, let pair = target.surroundPair {
        // As the center among the front channels.
        add(index, pair.left, Self.half)
        add(index, pair.right, Self.half)
      } else {
        add(index, .frontLeft, left)
        add(index, .frontRight, right)
      }
    }
    return matrix
  }
}
