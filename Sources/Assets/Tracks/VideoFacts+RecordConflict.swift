// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import ColorTagging
internal import DolbyVision

extension VideoFacts {
  /// A notice that the RPUs contradict the record: their profiles differ, or the record states
  /// another base layer than the RPUs and the color tags. `nil` if there is no conflict.
  package var recordConflict: Notice? {
    if let conflict = hdrMetadata.profileConflict { return conflict }
    let transfer = tags.signal.color.transferCharacteristics
    guard let record = hdrMetadata.dolbyVision?.value, let rpu = hdrMetadata.dolbyVisionRPU,
      let mapped = rpu.mappedSignal, mapped.permits(transfer),
      let stated = DataMapping.BaseLayerSignal(rawValue: record.baseLayerSignalCompatibilityID),
      !stated.permits(transfer)
    else { return nil }
    return .recordOfOtherProfile("\(record)", rpus: "8.\(mapped.rawValue)")
  }
}
