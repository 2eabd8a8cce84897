// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import DolbyVision
internal import LibAV
internal import MediaCore

extension HDRMetadataPlan {
  /// Notices about what an output's sample entry and parameter sets lack, or state beyond the plan.
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
    // Of kinds that each frame has, each sample is looked at.
    for kind in FrameMetadata.kinds where !kind.isOfEveryFrame {
      let isPromised = carried.contains(.init(kind))
      guard found.frames.has(kind) != isPromised else { continue }
      faults.append(isPromised ? kind.faults.missing : kind.faults.notPromised)
    }
    return faults
  }

  /// Fault of the RPU in a sample; nil where there is none.
  package func fault(inSample bytes: [UInt8], _ bitstream: any CodedBitstream) -> Notice? {
    let rpus = bitstream.payloads(of: DolbyVisionRPU.self, inSample: bytes)
    guard let dolbyVision else {
      return rpus.isEmpty ? nil : .rpuNotPromised
    }
    guard rpus.count == 1 else { return .otherSampleRPUCount(rpus.count) }
    let rpu = DolbyVisionRPU(payload: rpus[0])
    if let damage = rpu.damage { return .sampleRPUDamaged(damage) }
    let profile = rpu.unit?.profile
    return profile == dolbyVision.profile ? nil : .otherSampleRPUProfile(profile)
  }
}
