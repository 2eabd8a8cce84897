// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension VideoCodec {
  /// AV1 of the Alliance for Open Media.
  public static let av1 = VideoCodec(
    "av1", name: "AV1", sampleEntry: "av01", encoder: SVTAV1Encoder.self,
    carriesHDRMetadata: true, carriesDolbyVision: true)
}
