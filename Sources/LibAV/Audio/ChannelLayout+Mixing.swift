// SPDX-License-Identifier: GPL-2.0-or-later
extension ChannelLayout {
  /// The factor for −3 dB, which halves the power.
  private static let half = 0.5.squareRoot()

  /// Returns how much of a channel goes to the left and to the right (ITU-R BS.775, table 2). The
  /// center goes to both with −3 dB, and a surround channel to its own side with −3 dB. A surround
  /// channel in the middle goes to both with −6 dB. Low frequencies are dropped.
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

  /// Maps the speakers at the sides to those at the back, and the other way round. If a layout has
  /// only one of the two pairs, this pair stands in for the missing one.
  private static let counterparts: [Speaker: Speaker] = [
    .sideLeft: .backLeft, .sideRight: .backRight, .backLeft: .sideLeft, .backRight: .sideRight,
  ]

  /// The pair of surround channels; `nil` if there is none.
  private var surroundPair: (left: Speaker, right: Speaker)? {
    let pairs: [(left: Speaker, right: Speaker)] = [
      (.backLeft, .backRight), (.sideLeft, .sideRight),
    ]
    return pairs.first { speakers.contains($0.left) && speakers.contains($0.right) }
  }

  /// Returns whether another layout has all speakers of this layout, or their counterparts.
  package func isPart(of other: ChannelLayout) -> Bool {
    let there = other.speakers
    return !there.isEmpty && !speakers.isEmpty
      && speakers.allSatisfy { speaker in
        guard !there.contains(speaker), let counterpart = Self.counterparts[speaker] else {
          return there.contains(speaker)
        }
        // A pair at the sides and a pair at the back cannot both be replaced by the same pair.
        return there.contains(counterpart) && !speakers.contains(counterpart)
      }
  }

  /// Returns coefficients that mix channels into another layout: a row for each channel of the
  /// other layout, with a coefficient for each channel of this layout.
  ///
  /// - Returns: `nil` if the places of speakers are unknown.
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
        // If the source has both pairs, at the sides and at the back, the pair that the target
        // lacks is added to the other pair at −3 dB. If the source has only the pair that the
        // target lacks, this pair takes the other pair's place unchanged.
        add(index, other, from.contains(other) ? Self.half : 1)
      } else if speaker == .backCenter, let pair = target.surroundPair {
        // The middle surround channel goes to its two neighbors, in the same way as the center
        // channel goes to left and right.
        add(index, pair.left, Self.half)
        add(index, pair.right, Self.half)
      } else {
        add(index, .frontLeft, left)
        add(index, .frontRight, right)
      }
    }
    // Sums may exceed full scale. Scaling all rows down would make speech in the center quieter, so
    // a limiter follows instead.
    return matrix
  }
}
