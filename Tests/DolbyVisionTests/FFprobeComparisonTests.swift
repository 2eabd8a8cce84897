// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

@testable import DolbyVision

/// The header, the mapping and the color are those that `ffprobe` reads from the same clips.
@Suite struct FFprobeComparisonTests {
  @Test(.needsSharedMedia, arguments: RPUFiles.clips) func firstFrame(name: String) throws {
    let theirs = try Self.sideData(SharedMedia.path(name))
    let bytes = try #require(try RPUFiles.nalUnits(inClip: name).first)
    let unit = try ReferenceProcessingUnit(hevcNALUnit: bytes)
    for (key, value) in Self.headerFields(unit.header) {
      #expect(theirs[key] as? Int == value, "\(key)")
    }
    let mapping = try #require(unit.dataMapping)
    let components = try #require(theirs["components"] as? [[String: Any]])
    #expect(components.count == 3)
    for (curve, component) in zip(mapping.curves, components) {
      #expect(component["pivots"] as? String == Self.text(curve.pivots))
      let pieces = try #require(component["pieces"] as? [[String: Any]])
      #expect(pieces.count == curve.pieces.count)
      for (ours, other) in zip(curve.pieces, pieces) { Self.compare(ours, other) }
    }
    let color = try #require(unit.displayManagement?.color)
    for (key, value) in Self.colorFields(color) {
      #expect(theirs[key] as? Int == value, "\(key)")
    }
    let matrix = color.yccToRGBCoef.map { "\($0)/8192" }.joined(separator: " ")
    #expect(theirs["ycc_to_rgb_matrix"] as? String == matrix)
    let offsets = color.yccToRGBOffset.map { "\($0)/268435456" }.joined(separator: " ")
    #expect(theirs["ycc_to_rgb_offset"] as? String == offsets)
    let lms = color.rgbToLMSCoef.map { "\($0)/16384" }.joined(separator: " ")
    #expect(theirs["rgb_to_lms_matrix"] as? String == lms)
  }

  private static func compare(_ ours: MappingPiece, _ theirs: [String: Any]) {
    #expect(theirs["mapping_idc"] as? Int == Int(ours.mappingIDC))
    switch ours {
    case .polynomial(let list):
      #expect(theirs["poly_order"] as? Int == list.count - 1)
      #expect(theirs["poly_coef"] as? String == text(list.map(number)))
    case .mmr(let constant, let rows):
      #expect(theirs["mmr_order"] as? Int == rows.count)
      #expect(theirs["mmr_constant"] as? Int == Int(number(constant)))
      #expect(theirs["mmr_coef"] as? String == text(rows.flatMap { $0 }.map(number)))
    case .linearInterpolation:
      Issue.record("unexpected linear interpolation")
    }
  }

  /// Returns a coefficient as FFmpeg's fixed-point number: the fraction is in the low 23 bits.
  private static func number(_ coefficient: Coefficient) -> Int64 {
    coefficient.integer << 23 + Int64(coefficient.fraction)
  }

  private static func text(_ numbers: [some CustomStringConvertible]) -> String {
    numbers.map(\.description).joined(separator: " ")
  }

  private static func headerFields(_ header: RPUHeader) -> [String: Int] {
    [
      "rpu_format": Int(header.rpuFormat), "vdr_rpu_profile": Int(header.vdrRPUProfile),
      "vdr_rpu_level": Int(header.vdrRPULevel), "coef_data_type": Int(header.coefficientDataType),
      "coef_log2_denom": Int(header.coefficientLog2Denom),
      "vdr_rpu_normalized_idc": Int(header.vdrRPUNormalizedIDC),
      "bl_video_full_range_flag": header.blVideoFullRangeFlag ? 1 : 0,
      "bl_bit_depth": header.blBitDepth, "el_bit_depth": header.elBitDepth,
      "vdr_bit_depth": header.vdrBitDepth,
      "spatial_resampling_filter_flag": header.spatialResamplingFilterFlag ? 1 : 0,
      "el_spatial_resampling_filter_flag": header.elSpatialResamplingFilterFlag ? 1 : 0,
      "disable_residual_flag": header.disableResidualFlag ? 1 : 0,
    ]
  }

  private static func colorFields(_ color: ColorMetadata) -> [String: Int] {
    [
      "signal_eotf": Int(color.signalEOTF), "signal_bit_depth": Int(color.signalBitDepth),
      "signal_color_space": Int(color.signalColorSpace),
      "signal_chroma_format": Int(color.signalChromaFormat),
      "signal_full_range_flag": Int(color.signalFullRangeFlag),
      "source_min_pq": Int(color.sourceMinPQ), "source_max_pq": Int(color.sourceMaxPQ),
      "source_diagonal": Int(color.sourceDiagonal),
    ]
  }

  private static func sideData(_ path: String) throws -> [String: Any] {
    let arguments =
      ["-v", "error", "-select_streams", "v:0", "-show_frames", "-of", "json"]
      + (path.hasSuffix("hevc") ? [] : ["-ignore_editlist", "1"])
      + ["-read_intervals", "%+#1", path]
    let frames = try Tool.run("ffprobe", arguments).json()["frames"] as? [[String: Any]]
    let list = frames?.first?["side_data_list"] as? [[String: Any]]
    return try #require(
      list?.first { $0["side_data_type"] as? String == "Dolby Vision Metadata" })
  }
}
