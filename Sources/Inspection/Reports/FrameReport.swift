// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import Assets
internal import Host
internal import MediaCore
internal import NALUnits

/// A report on one frame. It is made from the sample, without decoding.
///
/// Unknown values are `nil`.
package struct FrameReport: Sendable {
  /// The frame's position in presentation order, from 0.
  package let frame: Int
  /// The presentation time on the media's timeline, in seconds; `nil` if the file has no times.
  package let time: Double?
  /// `I`, `P` or `B`, according to the first slice.
  package let type: String?
  /// Whether decoding can start here.
  package let isSync: Bool
  /// Level 1 of the frame's Dolby Vision RPU.
  package let level1: RPUFrameReport.Brightness?
  /// What is wrong with a Dolby Vision RPU that cannot be read.
  package let rpuError: String?
  /// The payload types of the sample's SEI messages, in order. Empty for AV1, which has no SEI.
  package let sei: [Int]
  /// The types of the sample's metadata OBUs, in order. Empty for codecs other than AV1.
  package let metadataOBUs: [Int]

  init(_ frame: CodedFrame, index: Int) {
    self.frame = index
    time = frame.time?.seconds
    type = frame.picture?.type?.rawValue
    isSync = frame.isSync
    let rpu = frame.rpu.map { RPUFrameReport(frame: index, time: nil, $0) }
    level1 = rpu?.level1
    rpuError = rpu?.error
    (sei, metadataOBUs) = (frame.seiTypes, frame.metadataOBUTypes)
  }

  /// Reads all frames of a file's first video track, in presentation order.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there is no such track;
  ///   `CancellationError` when the task was cancelled.
  package static func all(in path: String) async throws -> [FrameReport] {
    try await Pipeline.onThread("frames") { checkpoint in
      try CodedFrames(path: path, checkpoint: checkpoint).frames.enumerated().map {
        FrameReport($1, index: $0)
      }
    }
  }
}

extension FrameReport: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("frame", "The frame's place in the order of presentation, from 0.", .count) {
      $0.frame
    },
    .init(
      "time",
      "When the frame is presented on the media's timeline, in seconds; absent if the file has no "
        + "times."
    ) { $0.time },
    .init("type", "I, P or B, according to the first slice; absent if unknown.") { $0.type },
    .init("isSync", "Whether decoding can start here.") { $0.isSync },
    .init("level1", "How bright the frame is, according to its Dolby Vision RPU.") { $0.level1 },
    .init("rpuError", "What is wrong with an RPU that cannot be read.") { $0.rpuError },
    .init("sei", "The payload types of its SEI messages, in order.") { $0.sei },
    .init("metadataOBUs", "The types of its metadata OBUs in AV1, in order.") { $0.metadataOBUs },
  ]
}
