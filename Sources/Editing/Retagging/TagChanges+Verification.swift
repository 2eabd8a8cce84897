// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import ISOBMFF
internal import NALUnits

/// Checks that a track has the tags that were asked for.
extension TagChanges {
  /// Returns a notice about the first tag of a track that is not as promised, or `nil` if all tags
  /// are.
  func fault(in track: RetaggedTrack) -> Notice? {
    guard hasTags(track) else { return .otherTags(track.tags.signal.color) }
    return metadataFault(in: track)
  }

  /// Whether a track has the tags that were asked for.
  private func hasTags(_ track: RetaggedTrack) -> Bool {
    let changes = resolved(for: track.claims)
    return track.claims.allSatisfy { claim in
      let isFromParameterSet = [.bitstream, .sampleEntry].contains(claim.source)
      // Two kinds of claims are not checked. What the decoder says follows from the other places,
      // and is not stored anywhere. Bitstreams without parameter sets were not changed, which
      // `notices(on:)` reports.
      guard claim.source == .container || (isFromParameterSet && track.hasParameterSets) else {
        return true
      }
      var wanted = claim.signal
      changes.apply(to: &wanted)
      if claim.source == .container {
        // No movie box has a place for a chroma location.
        wanted.chromaLocation = claim.signal.chromaLocation
        // `nclc` has no place for a range.
        if claim.signal.videoFullRangeFlag == nil { wanted.videoFullRangeFlag = nil }
      }
      return wanted == claim.signal
    }
  }

  /// Returns a notice about the first place whose static HDR metadata is not as requested, or `nil`
  /// if there is none.
  private func metadataFault(in track: RetaggedTrack) -> Notice? {
    let stored = track.bitstream?.configurationSEI ?? []
    let messages = stored + (track.bitstream?.sampleSEI ?? [])
    for change in metadata {
      let boxes = track.sampleEntries.map { entry in
        entry.boxes.filter { $0.type == change.box }.map(\.fields)
      }
      guard boxes.allSatisfy({ $0 == (change.payload.map { [$0] } ?? []) }) else {
        return .otherMetadata(in: .box(change.box))
      }
      let payloads = messages.filter { $0.payloadType == change.payloadType }.map(\.payload)
      let isStored = stored.contains { $0.payloadType == change.payloadType }
      // Samples need not repeat the value, but `hvcC` must have it, because that is where phones
      // put it.
      guard payloads.allSatisfy({ $0 == change.messagePayload }),
        isStored || change.payload == nil
          || track.bitstream?.codec?.configurationHoldsMessages != true
      else { return .otherMetadata(in: .message(change.payloadType)) }
    }
    return nil
  }

  /// Returns notices about HDR metadata that does not suit the color, and about bitstreams that
  /// could not be changed and therefore contradict the new tags.
  func notices(on track: RetaggedTrack) -> [Notice] {
    // Parameter sets were changed along with the boxes. Bitstreams without parameter sets were not.
    let conflicts = track.hasParameterSets ? [] : track.tags.conflicts
    return conflicts.map { .bitstreamNotChanged($0) } + leftovers(track)
  }

  private func leftovers(_ track: RetaggedTrack) -> [Notice] {
    let transfer = track.tags.signal.color.transferCharacteristics
    if color == nil, metadata.contains(where: { $0.payload != nil }),
      !transfer.isHDR
    {
      return [.metadataWithoutHDR]
    }
    guard color != nil else { return [] }
    let found = track.hdrMetadata
    let kinds = found.kinds(notFor: transfer).map { ($0, found.name(of: $0)) }
    return kinds.isEmpty ? [] : [.metadataKept(kinds, beside: transfer)]
  }
}
