internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import NALUnits

extension HDRMetadataPlan {
  /// The boxes of the sample entry.
  var boxes: [Box] {
    [
      ambientViewingEnvironment.map { Box("amve", fields: $0.payload) },
      masteringDisplay.map { Box("mdcv", fields: $0.payload) },
      contentLightLevel.map { Box("clli", fields: $0.payload) },
      dolbyVision.map { Box($0.box, fields: $0.payload) },
    ].compactMap { $0 }
  }

  /// The SEI NAL units for `hvcC`, which hold for all pictures: a message each.
  var units: [NALUnit] {
    let messages = [
      masteringDisplay.map { SEIMessage(payloadType: 137, payload: $0.payload) },
      contentLightLevel.map { SEIMessage(payloadType: 144, payload: $0.payload) },
      preferredTransfer.map { SEIMessage(payloadType: 147, payload: [$0.rawValue]) },
      ambientViewingEnvironment.map { SEIMessage(payloadType: 148, payload: $0.payload) },
    ]
    return messages.compactMap { $0 }.map { NALUnit(hevcPrefixSEI: [$0]) }
  }
}
