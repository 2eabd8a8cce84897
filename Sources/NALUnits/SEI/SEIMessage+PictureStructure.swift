// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

extension SEIMessage {
  /// Picture timing that says nothing but that a picture has two fields in its lines, and which is
  /// first (H.265, D.2.3 and D.3.3), for streams with `frame_field_info_present_flag` and without
  /// HRD parameters.
  package static func fields(isTopFirst: Bool) -> SEIMessage {
    // `pic_struct` 3 or 4, `source_scan_type` 0, `duplicate_flag` 0, then the bit of alignment.
    SEIMessage(payloadType: SEIPayloadType.pictureTiming, payload: [isTopFirst ? 0x31 : 0x41])
  }

  /// True if this is picture timing.
  package var isPictureTiming: Bool { payloadType == SEIPayloadType.pictureTiming }
}

extension NALUnit {
  /// A video or sequence parameter set of H.265 that says of its pictures that they were interlaced
  /// (`general_progressive_source_flag`, `general_interlaced_source_flag`; 7.3.3); other units as
  /// they are.
  package var ofInterlacedSource: NALUnit {
    // The flags stand behind a byte and 32 bits of the profile, which has 4 bytes or 1 before it.
    let place: Int
    switch type {
    case .hevc(.videoParameterSet): place = 9
    case .hevc(.sequenceParameterSet): place = 6
    default: return self
    }
    var payload = payload
    guard payload.indices.contains(place) else { return self }
    payload[place] = payload[place] & 0x3F | 0x40
    return replacing(payload: payload)
  }
}
