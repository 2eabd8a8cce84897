// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints

// FFmpeg keeps the values of a mastering display as fractions. Here the fractions become the
// integers that bitstreams and boxes carry, so that metadata can be compared, copied and written.

extension MasteringDisplayColorVolume {
  /// - Returns: `nil` if primaries or luminances are missing.
  init?(_ value: AVMasteringDisplayMetadata) {
    guard value.has_primaries != 0, value.has_luminance != 0 else { return nil }
    func units(_ rational: AVRational, _ scale: Double) -> UInt32 {
      // A fraction of 0/0 is not a number, and a conversion that does not check for it traps.
      UInt32(clamping: Int64(exactly: (av_q2d(rational) * scale).rounded()) ?? 0)
    }
    func chromaticity(_ x: AVRational, _ y: AVRational) -> Chromaticity {
      Chromaticity(
        x: UInt16(clamping: units(x, 50_000)), y: UInt16(clamping: units(y, 50_000)))
    }
    // FFmpeg's order is red, green, blue, but the SEI message and the box have green first (H.265,
    // D.3.28).
    let p = value.display_primaries
    self.init(
      green: chromaticity(p.1.0, p.1.1), blue: chromaticity(p.2.0, p.2.1),
      red: chromaticity(p.0.0, p.0.1),
      whitePoint: chromaticity(value.white_point.0, value.white_point.1),
      maxDisplayMasteringLuminance: units(value.max_luminance, 10_000),
      minDisplayMasteringLuminance: units(value.min_luminance, 10_000))
  }
}

extension ContentLightLevel {
  init(_ value: AVContentLightMetadata) {
    self.init(
      maxContentLightLevel: UInt16(clamping: value.MaxCLL),
      maxPicAverageLightLevel: UInt16(clamping: value.MaxFALL))
  }
}

extension AVDOVIDecoderConfigurationRecord {
  /// The 24 bytes of the record in boxes and in Matroska ("Dolby Vision Streams Within the ISO Base
  /// Media File Format", 2.2). Fields that FFmpeg 5.1 does not keep are 0.
  var payload: [UInt8] {
    let flags =
      (rpu_present_flag != 0 ? 4 : 0) | (el_present_flag != 0 ? 2 : 0)
      | (bl_present_flag != 0 ? 1 : 0)
    let word = UInt16(dv_profile & 0x7F) << 9 | UInt16(dv_level & 0x3F) << 3 | UInt16(flags)
    return [
      dv_version_major, dv_version_minor, UInt8(word >> 8), UInt8(word & 0xFF),
      dv_bl_signal_compatibility_id << 4,
    ] + [UInt8](repeating: 0, count: 19)
  }
}
