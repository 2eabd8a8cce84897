// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
internal import MediaCore

/// What the source's signal means. A color that the user declares replaces the file's tags, and
/// impossible tags are corrected.
package struct SourceTags: Equatable, Sendable {
  package let signal: SignalDescription
  /// The place that was believed, for each field that any place declares.
  let evidence: [SignalField: ClaimSource]
  let conflicts: [TagConflict]
  /// The fallback transfer function in the bitstream, for receivers that do not know the real one.
  let fallbackTransfer: TransferCharacteristics?
  /// Notices about tags that contradict each other, say nothing or are not carried over.
  package let notices: [Notice]

  /// - Parameter sourceColor: the color that the user declares, or `nil` to believe the file.
  package init(_ facts: VideoFacts, sourceColor: ColorDescription? = nil) {
    var notices: [Notice] = []
    var tags = facts.tags
    if let color = sourceColor {
      // What the user declares replaces every other statement about color, even if the user
      // declares the color unknown.
      let others = facts.claims.map { claim in
        var signal = claim.signal
        signal.color = .unspecified
        return SignalClaim(source: claim.source, signal: signal)
      }
      // The user declares one color for the whole file. If samples are R'G'B', their matrix is
      // certain, whatever the user declares.
      var color = color
      if facts.isRGB { color.matrixCoefficients = .identity }
      tags = ResolvedTags(
        [SignalClaim(source: .user, signal: SignalDescription(color: color))] + others,
        isRGB: facts.isRGB)
    }
    notices.add(tags.conflicts)
    notices.append(contentsOf: tags.notes)
    if let profile = facts.claims.first(where: { $0.source == .profile }), !profile.notes.isEmpty {
      notices.append(.profileNotCarried)
    }
    var signal = tags.signal
    if facts.isRGB {
      // The samples are R'G'B' whatever the tags say. If a file with R'G'B' states no range, full
      // range is meant.
      signal.color.matrixCoefficients = .identity
      signal.videoFullRangeFlag = signal.videoFullRangeFlag ?? true
    }
    if let dolbyVision = DolbyVisionSource(facts.hdrMetadata),
      let notice = dolbyVision.tagNotice(signal.color.transferCharacteristics)
    {
      notices.append(notice)
    }
    self.signal = signal
    evidence = tags.evidence
    conflicts = tags.conflicts
    fallbackTransfer = tags.fallbackTransfer
    self.notices = notices
  }
}
