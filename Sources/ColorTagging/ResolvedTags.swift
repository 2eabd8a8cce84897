// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Two places of a file that contradict each other, kept as a value: a fact about the file, not an
/// error.
package struct TagConflict: Hashable, Sendable {
  /// Field in which they disagree.
  package let field: SignalField
  /// The place that was believed.
  package let winner: ClaimSource
  /// Statement of that place.
  package let winningStatement: String
  /// The place that says otherwise.
  package let loser: ClaimSource
  /// Statement of that place.
  package let losingStatement: String
}

/// Meaning of a file's video signal, after all its statements were weighed.
package struct ResolvedTags: Hashable, Sendable {
  /// The meaning; what no place states stays unstated.
  package let signal: SignalDescription
  /// Place that was believed, for each field that any place states.
  package let evidence: [SignalField: ClaimSource]
  /// Contradictions between places.
  package let conflicts: [TagConflict]
  /// Numbers that were not believed because they say nothing.
  package let faults: [Notice]
  /// The faults, and what else is odd.
  package let notes: [Notice]
  /// The transfer function that the bitstream states for receivers that do not know the signal's,
  /// which SEI 147 names; nil where it states the signal's own or none.
  package let fallbackTransfer: TransferCharacteristics?
}

/// Weighs the statements of a file about its video signal, field by field.
///
/// The rule: the user is believed before all others. For primaries, transfer function and matrix,
/// the container is believed before the bitstream, as players of movie files do and as editors
/// that retag without touching the bitstream expect. For range and chroma location the bitstream
/// is believed first: it is what the samples were made with, `nclc` has no range at all, and no
/// movie box states a chroma location. SEI 147 is believed before a container that only repeats the
/// VUI: HLG is also signaled as BT.2020 (14) with a preference for HLG, so that receivers that do
/// not know HLG show something; that is no contradiction. The decoder is asked only where the
/// bitstream is of a codec that is not read here; for others it repeats the bitstream and adds
/// defaults of its own.
extension ResolvedTags {
  /// Resolves claims to one signal. Numbers that H.273 gives no meaning state nothing.
  ///
  /// - Parameter isRGB: true if samples are R'G'B', for which alone matrix 0 states something; nil
  ///   if unknown.
  package init(_ claims: [SignalClaim], isRGB: Bool? = nil) {
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

  /// Leaves out what says nothing.
  ///
  /// - Returns: notices about what was left out.
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
    case .colorPrimaries, .yCbCrMatrix: ranked = boxes + others
    case .transferFunction:
      let container = boxes.lazy.compactMap { value(of: $0, field, claims) }.first
      ranked =
        container == nil || container == value(of: .bitstream, field, claims)
        ? [.preferredTransfer] + boxes + others : boxes + [.preferredTransfer] + others
    case .range, .chromaLocation: ranked = others + boxes
    }
    return [.user, .attachments] + ranked + [.decoder]
  }
}

extension SignalClaim {
  /// True if the transfer function is one that is stated for receivers that do not know HLG.
  fileprivate var isFallback: Bool {
    [.bt709, .bt2020TenBit, .bt2020TwelveBit].contains(signal.color.transferCharacteristics)
  }
}
