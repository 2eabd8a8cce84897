// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport

@testable import DolbyVision

/// The reference processing units of the shared media.
enum RPUFiles {
  /// Files in `rpu/`: lists of NAL units with start codes but without NAL unit headers.
  static let names = SharedMedia.names(in: "rpu").filter { $0.hasSuffix(".bin") }
  /// Clips whose samples hold reference processing units.
  static let clips = [
    "hdr/androidx__dolbyVision-hdr.MOV", "hdr/androidx__sample_edit_list.mp4",
    "hdr/androidx__dvhe_05_05.mp4", "hdr/androidx__hev1_08_05.mp4", "hdr/dovi_tool__regular.hevc",
  ]

  /// Returns the units of a file in `rpu/` as HEVC NAL units, as they would be in a bitstream.
  static func nalUnits(_ name: String) throws -> [[UInt8]] {
    split(try SharedMedia.bytes(name)).map { [0x7C, 0x01] + $0 }
  }

  /// Returns the units of a clip, in the order of presentation, as an independent reader finds
  /// them.
  static func nalUnits(inClip name: String) throws -> [[UInt8]] {
    split(try HDRCheck.rpus(SharedMedia.path(name))).map { [0x7C, 0x01] + $0 }
  }

  /// Returns the first unit of a file in `rpu/`.
  static func unit(_ name: String) throws -> ReferenceProcessingUnit {
    try ReferenceProcessingUnit(hevcNALUnit: try nalUnits("rpu/\(name).bin")[0])
  }

  /// Returns the parts after start codes of four bytes.
  static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var starts: [Int] = []
    for index in bytes.indices.dropLast(3) where bytes[index..<index + 4] == [0, 0, 0, 1] {
      starts.append(index)
    }
    return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[($0 + 4)..<$1]) }
  }
}
