internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import NALUnits

extension HDRMetadataPlan {
  /// The boxes of the sample entry.
  var boxes: [Box] {
    staticMetadata.values.map { $0.boxed }
      + (dolbyVision.map { [Box($0.box, fields: $0.payload)] } ?? [])
  }

  /// The SEI NAL units for `hvcC`, which hold for all pictures: a message each, by their types.
  var units: [NALUnit] {
    var messages = staticMetadata.values.map { SEIMessage($0) }
    if let preferredTransfer {
      messages.append(SEIMessage(payloadType: 147, payload: [preferredTransfer.rawValue]))
    }
    return messages.sorted { $0.payloadType < $1.payloadType }.map { NALUnit(hevcPrefixSEI: [$0]) }
  }
}
