// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import DolbyVision
internal import LibAV
internal import NALUnits

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
      .dolbyVision)
    if found.hasHDR10Plus != carriesHDR10Plus {
      faults.append(carriesHDR10Plus ? .hdr10PlusMissing : .hdr10PlusNotPromised)
    }
    return faults
  }

  /// Fault of the RPU in a sample; nil where there is none.
  package func fault(inSample bytes: [UInt8], lengthSize: Int) -> Notice? {
    let rpus = NALUnit.split(sample: bytes, lengthSize: lengthSize, .hevc)
      .filter(\.isDolbyVisionRPU)
    guard let dolbyVision else {
      return rpus.isEmpty ? nil : .rpuNotPromised
    }
    guard rpus.count == 1, let rpu = rpus.first else {
      return .otherSampleRPUCount(rpus.count)
    }
    do throws(DolbyVisionError) {
      let profile = try ReferenceProcessingUnit(hevcNALUnit: rpu.bytes).profile
      return profile == dolbyVision.profile ? nil : .otherSampleRPUProfile(profile)
    } catch {
      return .sampleRPUDamaged(error)
    }
  }
}
