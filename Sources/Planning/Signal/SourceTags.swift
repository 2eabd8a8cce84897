// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
internal import MediaCore

/// Meaning of the source's signal, after the user's word and the impossible were considered.
package struct SourceTags: Equatable, Sendable {
  package let signal: SignalDescription
  /// Place that was believed, for each field that any place states.
  let evidence: [SignalField: ClaimSource]
  let conflicts: [TagConflict]
  /// The transfer function that the bitstream states for receivers that do not know the signal's.
  let fallbackTransfer: TransferCharacteristics?
  /// Notices about tags that contradict each other, say nothing or are not carried over.
  package let notices: [Notice]

  /// - Parameter sourceColor: the color that the user states; nil to believe the file.
  package init(_ facts: VideoFacts, sourceColor: ColorDescription? = nil) {
    var notices = Notices()
    var tags = facts.tags
    if let color = sourceColor {
      // The user's word replaces all others, also where it says that nothing is stated.
      let others = facts.claims.map { claim in
        var signal = claim.signal
        signal.color = .unspecified
        return SignalClaim(source: claim.source, signal: signal)
      }
      tags = ResolvedTags(
        [SignalClaim(source: .user, signal: SignalDescription(color: color))] + others,
        isRGB: facts.isRGB)
    }
    notices.add(tags.conflicts)
    notices.add(contentsOf: tags.notes)
    if let profile = facts.claims.first(where: { $0.source == .profile }), !profile.notes.isEmpty {
      notices.add(.profileNotCarried)
    }
    var signal = tags.signal
    if facts.isRGB {
      // The kind of the samples is known without statements.
      signal.color.matrixCoefficients = .identity
      signal.videoFullRangeFlag = signal.videoFullRangeFlag ?? true
    }
    if let dolbyVision = DolbyVisionSource(facts.hdrMetadata),
      let notice = dolbyVision.tagNotice(signal.color.transferCharacteristics)
    {
      notices.add(notice)
    }
    self.signal = signal
    evidence = tags.evidence
    conflicts = tags.conflicts
    fallbackTransfer = tags.fallbackTransfer
    self.notices = notices.all
  }
}
