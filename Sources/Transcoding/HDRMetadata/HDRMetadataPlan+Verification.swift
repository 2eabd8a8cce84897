internal import Assets
internal import CodePoints
internal import DolbyVision
internal import LibAV
internal import NALUnits

extension HDRMetadataPlan {
  /// What an output's sample entry and parameter sets do not say as promised, or say beyond: one
  /// sentence each.
  func faults(in found: HDRMetadata) -> [String] {
    var faults: [String] = []
    func expect<Value: Equatable>(
      _ wanted: Value?, _ found: HDRMetadata.Finding<Value>?, in places: [String], _ name: String
    ) {
      guard let wanted else {
        if found != nil { faults.append("it states \(name), which is not of its pictures") }
        return
      }
      if found?.value != wanted || places.contains(where: { found?.places.contains($0) != true }) {
        faults.append("\(name) is not in \(places.joined(separator: " and ")) as promised")
      }
    }
    func expect<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) {
      expect(
        staticMetadata[kind], found[kind],
        in: ["\(Kind.box) box", "SEI \(Kind.payloadType)"], "the \(Kind.name)")
    }
    for kind in StaticHDRMetadata.kinds { expect(kind) }
    expect(
      dolbyVision, found.dolbyVision, in: dolbyVision.map { ["\($0.box) box"] } ?? [],
      "Dolby Vision")
    if found.hasHDR10Plus != carriesHDR10Plus {
      faults.append(
        "HDR10+ is \(carriesHDR10Plus ? "missing" : "there, which is not of its pictures")")
    }
    return faults
  }

  /// What is wrong with the RPU of a sample; nil if nothing is.
  func fault(inSample bytes: [UInt8], lengthSize: Int) -> String? {
    let rpus = NALUnit.split(sample: bytes, lengthSize: lengthSize, .hevc)
      .filter(\.isDolbyVisionRPU)
    guard let dolbyVision else {
      return rpus.isEmpty ? nil : "a sample has a Dolby Vision RPU, which is not of its picture"
    }
    guard rpus.count == 1, let rpu = rpus.first else {
      return "a sample has \(rpus.count) Dolby Vision RPUs in place of 1"
    }
    do throws(DolbyVisionError) {
      let profile = try ReferenceProcessingUnit(hevcNALUnit: rpu.bytes).profile
      guard profile != dolbyVision.profile else { return nil }
      return "a sample has a Dolby Vision RPU of profile \(profile.map { "\($0)" } ?? "unknown")"
    } catch {
      return "a sample has a damaged Dolby Vision RPU: \(error)"
    }
  }
}
