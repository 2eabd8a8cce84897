// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import DolbyVision
internal import LibAV
internal import MediaCore

extension HDRMetadataPlan {
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
