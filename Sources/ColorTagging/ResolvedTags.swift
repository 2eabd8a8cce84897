// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Two places of a file that contradict each other.
package struct TagConflict: Hashable, Sendable {
  /// The field in which they disagree.
  package let field: SignalField
  /// The place that was believed.
  package let winner: ClaimSource
  /// What that place says, as text.
  package let winningStatement: String
  /// The place that says otherwise.
  package let loser: ClaimSource
  /// What that other place says, as text.
  package let losingStatement: String
}

/// What a file's video signal means, after all places were weighed.
package struct ResolvedTags: Hashable, Sendable {
  /// The meaning. Parts that no place declares stay unspecified.
  package let signal: SignalDescription
  /// The place that was believed for each declared field.
  package let evidence: [SignalField: ClaimSource]
  /// Contradictions between places, which are facts about the file and not errors.
  package let conflicts: [TagConflict]
  /// Numbers that were not believed because they mean nothing.
  package let faults: [Notice]
  /// The faults, and what else is odd.
  package let notes: [Notice]
  /// A transfer function that the bitstream declares in place of the signal's own, for receivers
  /// that do not know that one. SEI 147 then names the signal's own. `nil` if the bitstream
  /// declares the signal's own or none.
  package let fallbackTransfer: TransferCharacteristics?
}

/// Weighs what the places of a file say about its video signal, field by field.
extension ResolvedTags {
  /// Resolves claims to one signal.
  ///
  /// - Parameter isRGB: whether samples are R'G'B', or `nil` if unknown.
  package init(_ claims: [SignalClaim], isRGB: Bool? = nil) {
    // The decoder repeats the bitstream and adds defaults of its own, so it is only asked about
    // codecs whose bitstream is not read here.
    let knowsBitstream = claims.contains { $0.source == .bitstream }
    var heard = claims.filter { $0.source != .decoder || !knowsBitstream }
    let notes = heard.flatMap(\.notes)
    let faults = Self.removeFaults(&heard, isRGB)
    var signal = SignalDescription()
    var evidence: [SignalField: ClaimSource] = [:]
    var conflicts: [TagConflict] = []
    let preferred = Self.value(of: .preferredTransfer, .transferFunction, heard)
    for field in SignalField.allCases {
      let ranked = Self.order(for: field, heard).flatMap { source in
        heard.filter { $0.source == source }
      }
      let stating = ranked.compactMap { claim in
        field.statement(in: claim.signal).map { (claim, $0) }
      }
      guard let (winner, statement) = stating.first else { continue }
      let believed = field.value(in: winner.signal)
      field.copy(from: winner.signal, to: &signal)
      evidence[field] = winner.source
      for (loser, other) in stating.dropFirst() where field.value(in: loser.signal) != believed {
        // HLG is also signaled as BT.2020 (14) with a preference for HLG in SEI 147, so that
        // receivers that do not know HLG show something. That is not a contradiction.
        let isExplained = field == .transferFunction && preferred == believed
        if isExplained && loser.isFallback { continue }
        conflicts.append(
          TagConflict(
            field: field, winner: winner.source, winningStatement: statement,
            loser: loser.source, losingStatement: other))
      }
    }
    self.init(
      signal: signal, evidence: evidence, conflicts: conflicts,
      faults: faults, notes: notes + faults,
      fallbackTransfer: Self.fallback(
        heard, for: signal.color.transferCharacteristics,
        preferred?.color.transferCharacteristics))
  }

  /// Removes what means nothing from claims.
  ///
  /// - Returns: notices about what was removed.
  private static func removeFaults(_ claims: inout [SignalClaim], _ isRGB: Bool?) -> [Notice] {
    var notes: [Notice] = []
    for index in claims.indices {
      for field in SignalField.allCases {
        let claim = claims[index]
        guard let fault = field.fault(in: claim.signal, isRGB: isRGB),
          let statement = field.statement(in: claim.signal)
        else { continue }
        field.copy(from: SignalDescription(), to: &claims[index].signal)
        notes.append(
          .meaninglessStatement(field, in: claim.source, statement, because: fault))
      }
    }
    // Several claims of one place may share a fault, which one notice covers.
    return notes.enumerated().filter { !notes[..<$0].contains($1) }.map(\.element)
  }

  private static func value(
    of source: ClaimSource, _ field: SignalField, _ claims: [SignalClaim]
  ) -> SignalDescription? {
    claims.lazy.filter { $0.source == source }.compactMap { field.value(in: $0.signal) }.first
  }

  private static func fallback(
    _ claims: [SignalClaim], for transfer: TransferCharacteristics,
    _ preferred: TransferCharacteristics?
  ) -> TransferCharacteristics? {
    guard let preferred, preferred == transfer else { return nil }
    return claims.first { $0.source == .bitstream && $0.isFallback }?.signal.color
      .transferCharacteristics
  }

  private static func order(for field: SignalField, _ claims: [SignalClaim]) -> [ClaimSource] {
    let boxes: [ClaimSource] = [.container, .profile, .gamma]
    let others: [ClaimSource] = [.bitstream, .sampleEntry]
    let ranked: [ClaimSource]
    switch field {
    // Players of movie files believe the container, and editors that retag without touching the
    // bitstream expect that.
    case .colorPrimaries, .yCbCrMatrix: ranked = boxes + others
    case .transferFunction:
      // SEI 147 overrides a container that only repeats the VUI, since both then mean the fallback
      // for receivers that do not know HLG.
      let container = boxes.lazy.compactMap { value(of: $0, field, claims) }.first
      ranked =
        container == nil || container == value(of: .bitstream, field, claims)
        ? [.preferredTransfer] + boxes + others : boxes + [.preferredTransfer] + others
    // The samples were made with the bitstream's range; `nclc` has no range at all, and no movie
    // box has a chroma location.
    case .range, .chromaLocation: ranked = others + boxes
    }
    // The user knows better than the file.
    return [.user, .attachments] + ranked + [.decoder]
  }
}

extension SignalClaim {
  /// Whether the transfer function is one for receivers that do not know HLG.
  fileprivate var isFallback: Bool {
    [.bt709, .bt2020TenBit, .bt2020TwelveBit].contains(signal.color.transferCharacteristics)
  }
}
