// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import DolbyVision
internal import LibAV
internal import MediaCore

extension HDRMetadataPlan {
  /// Returns notices about metadata that an output's sample entry and parameter sets lack, or have
  /// beyond the plan.
  package func faults(in found: HDRMetadata) -> [Notice] {
    var faults: [Notice] = []
    func expect<Value: Equatable>(
      _ wanted: Value?, _ found: HDRMetadata.Finding<Value>?, in places: [StatementPlace],
      _ kind: HDRMetadata.Kind
    ) {
      guard let wanted else {
        if found != nil { faults.append(.metadataNotPromised(kind)) }
        return
      }
      // A box alone is not enough: players read either the box or the SEI message, so both are
      // checked.
      guard let found, found.value == wanted, Set(found.places).isSuperset(of: places) else {
        return faults.append(.metadataMissing(kind, in: places))
      }
    }
    func expect<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) {
      expect(staticMetadata[kind], found[kind], in: Kind.places, .init(kind))
    }
    for kind in StaticHDRMetadata.kinds { expect(kind) }
    expect(
      dolbyVision, found.dolbyVision, in: dolbyVision.map { [.box($0.box)] } ?? [],
      .init(DolbyVisionRPU.self))
    // Metadata of every frame is checked sample by sample instead, by `fault(inSample:_:)`.
    for kind in FrameMetadata.kinds where !kind.isOfEveryFrame {
      let isPromised = carried.contains(.init(kind))
      guard found.frames.has(kind) != isPromised else { continue }
      faults.append(isPromised ? kind.faults.missing : kind.faults.notPromised)
    }
    return faults
  }

  /// Returns what is wrong with the RPU in a sample, if anything.
  package func fault(inSample bytes: [UInt8], _ bitstream: any CodedBitstream) -> Notice? {
    let rpus = bitstream.payloads(of: DolbyVisionRPU.self, inSample: bytes)
    guard let dolbyVision else {
      return rpus.isEmpty ? nil : .rpuNotPromised
    }
    // Exactly one RPU belongs to each access unit.
    guard rpus.count == 1 else { return .otherSampleRPUCount(rpus.count) }
    let rpu = DolbyVisionRPU(payload: rpus[0])
    if let damage = rpu.damage { return .sampleRPUDamaged(damage) }
    let profile = rpu.unit?.profile
    return profile == dolbyVision.profile ? nil : .otherSampleRPUProfile(profile)
  }
}
