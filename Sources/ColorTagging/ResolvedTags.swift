// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Two places of a file that contradict each other.
package struct TagConflict: Hashable, Sendable {
  /// The field in which they disagree.
  package let field: SignalField
  /// The place that was believed.
  package let winner: ClaimSource
  /// What the believed place says, as text.
  package let winningStatement: String
  /// The place that says otherwise.
  package let loser: ClaimSource
  /// What the place that was not believed says, as text.
  package let losingStatement: String
}

/// What a file's video signal means, decided from all places that declare it.
package struct ResolvedTags: Hashable, Sendable {
  /// The meaning. Parts that no place declares stay unspecified.
  package let signal: SignalDescription
  /// The place that was believed for each declared field.
  package let evidence: [SignalField: ClaimSource]
  /// Contradictions between places, which are facts about the file and not errors.
  package let conflicts: [TagConflict]
  /// Notices about values that were not believed because they mean nothing.
  package let faults: [Notice]
  /// The notices of all claims, and the faults.
  package let notes: [Notice]
  /// The transfer function that the bitstream declares for receivers that do not know the real one,
  /// which SEI 147 names. `nil` if the bitstream declares the real one or none.
  package let fallbackTransfer: TransferCharacteristics?
}

/// Decides for each field of the video signal which place of a file to believe.
extension ResolvedTags {
  /// Decides what the signal is from all claims about it.
  ///
  /// - Parameter isRGB: whether samples are R'G'B', or `nil` if unknown.
  package init(_ claims: [SignalClaim], isRGB: Bool? = nil) {
    // The decoder repeats the bitstream and adds its own defaults, so it counts only for codecs
    // whose bitstream is not read here.
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
        // HLG can be signaled as BT.2020 (14) with a preference for HLG in SEI 147, so that
        // receivers that do not know HLG can still show the video. That is not a contradiction.
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

  /// Removes values that mean nothing from claims.
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
    // Several claims of one place may have the same fault. One notice is enough for all of them.
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
      // If the container declares nothing or only repeats the VUI, the VUI's function may be the
      // fallback for receivers that do not know HLG. So SEI 147 overrides it.
      let container = boxes.lazy.compactMap { value(of: $0, field, claims) }.first
      ranked =
        container == nil || container == value(of: .bitstream, field, claims)
        ? [.preferredTransfer] + boxes + others : boxes + [.preferredTransfer] + others
    // The samples were made with the bitstream's range. The boxes say less: `nclc` has no range,
    // and no movie box has a chroma location.
    case .range, .chromaLocation: ranked = others + boxes
    }
    // The user knows better than the file. But reshaping itself defines what its result means, so
    // nothing else, not even the user, can change that.
    return [.reshaping, .user, .attachments] + ranked + [.decoder]
  }
}

extension SignalClaim {
  /// Whether the transfer function can be a fallback for receivers that do not know HLG.
  fileprivate var isFallback: Bool {
    [.bt709, .bt2020TenBit, .bt2020TwelveBit].contains(signal.color.transferCharacteristics)
  }
}
