// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints

extension SEIMessage {
  /// Makes a picture timing message that says that a picture has interleaved fields, and which of
  /// them comes first (H.265, D.2.3 and D.3.3).
  package static func fields(isTopFirst: Bool) -> SEIMessage {
    // `pic_struct` 3 or 4, `source_scan_type` 0, `duplicate_flag` 0, then the alignment bit. These
    // elements exist only if the VUI sets `frame_field_info_present_flag`, and more elements follow
    // if it has HRD parameters. So a bitstream that gets this message must set the flag and have no
    // HRD parameters.
    SEIMessage(payloadType: SEIPayloadType.pictureTiming, payload: [isTopFirst ? 0x31 : 0x41])
  }

  /// Whether this is a picture timing message.
  package var isPictureTiming: Bool { payloadType == SEIPayloadType.pictureTiming }
}

extension NALUnit {
  /// If this is a video or sequence parameter set of H.265, a copy that says that the source is
  /// interlaced (`general_progressive_source_flag`, `general_interlaced_source_flag`; 7.3.3).
  /// For any other unit, the unit itself.
  package var ofInterlacedSource: NALUnit {
    // The profile begins after 4 bytes in a video parameter set, and after 1 byte in a sequence
    // parameter set. The flags come after the first 5 bytes of the profile.
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
