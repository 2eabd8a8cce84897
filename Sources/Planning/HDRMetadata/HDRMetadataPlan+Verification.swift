// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import DolbyVision

extension HDRMetadataPlan {
  /// Returns what is wrong with the dynamic metadata in a sample, if anything.
  ///
  /// - Parameter payloads: returns the sample's values of a kind.
  package func fault(
    _ payloads: (any DynamicHDRMetadataKind.Type) -> [[UInt8]]
  ) -> Notice? {
    // In copied samples, only what is replaced can be wrong, because all else is as in the source.
    // If nothing is replaced, as in encoded samples, check RPUs and whatever is measured.
    var kinds = replaced.compactMap(\.dynamicKind)
    if replaced.isEmpty { kinds = [DolbyVisionRPU.self] }
    if replaced.isEmpty { kinds += measuredKinds }
    for kind in kinds {
      guard kind != DolbyVisionRPU.self else {
        if let fault = rpuFault(payloads(kind)) { return fault }
        continue
      }
      let (count, promised) = (payloads(kind).count, dynamicKinds.contains { $0 == kind } ? 1 : 0)
      if count != promised { return .otherSampleMetadataCount(kind, count, promised: promised) }
    }
    return nil
  }

  private func rpuFault(_ rpus: [[UInt8]]) -> Notice? {
    guard let dolbyVision else {
      return rpus.isEmpty ? nil : .rpuNotPromised
    }
    // Exactly one RPU belongs to each access unit.
    guard rpus.count == 1 else { return .otherSampleRPUCount(rpus.count) }
    let rpu = DolbyVisionRPU(payload: rpus[0])
    if let damage = rpu.damage { return .sampleRPUDamaged(damage) }
    let profile = rpu.unit?.profile
    return profile == dolbyVision.rpuProfile ? nil : .otherSampleRPUProfile(profile)
  }

  /// The keys of the facts that copied samples state differently from the source, or no longer
  /// state.
  package var replacedFacts: Set<FactKey> {
    func key<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> FactKey { .staticHDRMetadata(kind) }
    var keys = Set(
      StaticHDRMetadata.kinds.filter { replaced.contains(.init($0)) }.map { key($0) }
        + replaced.compactMap(\.dynamicKind).map { .dynamicHDRMetadata($0) })
    // If the output has a record, the plan may have added or corrected it.
    if dolbyVision != nil || replaced.contains(.init(DolbyVisionRPU.self)) {
      keys.insert(.dolbyVision)
    }
    return keys
  }
}
