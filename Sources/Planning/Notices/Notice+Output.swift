// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import DolbyVision

/// Notices about an output whose file, tracks or samples are not as promised.
extension Notice {
  /// The file cannot be opened.
  package static func outputUnreadable(_ error: any Error) -> Notice {
    fault("outputUnreadable", ["fault": "\(error)"], "it cannot be opened (\(error))")
  }

  /// The file has more or fewer tracks than were written.
  package static func otherTrackCount(_ count: Int, promised: Int) -> Notice {
    fault(
      "otherTrackCount", ["count": "\(count)", "promisedCount": "\(promised)"],
      "it has \(count.counted("track")) instead of \(promised)")
  }

  /// The first frame cannot be decoded.
  package static let firstFrameUndecodable = fault(
    "firstFrameUndecodable", [:], "its first frame cannot be decoded")

  /// Copied audio cannot be decoded, although the source's audio can be.
  package static func audioUndecodable(_ track: Int) -> Notice {
    fault(
      "audioUndecodable", ["track": "\(track)"],
      "the audio of track \(track) cannot be decoded, although the source's audio can be")
  }

  /// A track is longer or shorter than what was written.
  package static func otherTrackLength(_ track: Int) -> Notice {
    fault(
      "otherTrackLength", ["track": "\(track)"],
      "track \(track) is longer or shorter than what was written")
  }

  /// A copied track does not have the source's samples.
  package static func otherCarriedSamples(_ id: UInt32, kind: String) -> Notice {
    fault(
      "otherCarriedSamples", ["track": "\(id)", "kind": kind],
      "the samples of track \(id) (\(kind)) differ from the source's")
  }

  /// A track has more or fewer samples than were written.
  package static func otherSampleCount(_ track: Int, _ count: Int, promised: Int) -> Notice {
    fault(
      "otherSampleCount",
      ["track": "\(track)", "count": "\(count)", "promisedCount": "\(promised)"],
      "track \(track) has \(count.counted("sample")) instead of \(promised)")
  }

  /// The samples of a track do not have the times that were written.
  package static func otherSampleTimes(_ track: Int) -> Notice {
    fault(
      "otherSampleTimes", ["track": "\(track)"],
      "the times in track \(track) differ from the times that were written")
  }

  /// Some frames cannot be decoded.
  package static func framesUndecodable(_ count: Int, of total: Int) -> Notice {
    fault(
      "framesUndecodable", ["count": "\(count)", "frameCount": "\(total)"],
      "only \(count) of \(total.counted("frame")) can be decoded")
  }

  /// Some frames are damaged when they are decoded.
  package static func framesDamaged(_ count: Int) -> Notice {
    fault("framesDamaged", ["count": "\(count)"], "it has \(count.counted("damaged frame"))")
  }
}

/// Notices about an output whose tags are not as promised.
extension Notice {
  /// A tag does not have the promised value.
  ///
  /// - Parameter name: the place and the field: `the container's colorPrimaries`.
  package static func otherStatement(_ name: String, _ statement: String, promised: String)
    -> Notice
  {
    fault(
      "otherStatement", ["name": name, "statement": statement, "promised": promised],
      "\(name) is \(statement) instead of \(promised)")
  }

}

/// Notices about an output whose RPUs are not as promised.
extension Notice {
  /// A sample has an RPU although none was promised.
  static let rpuNotPromised = fault(
    "rpuNotPromised", [:], "a sample has a Dolby Vision RPU, but should have none")

  /// A sample has no RPU, or more than one.
  static func otherSampleRPUCount(_ count: Int) -> Notice {
    fault(
      "otherSampleRPUCount", ["count": "\(count)"],
      "a sample has \(count) Dolby Vision RPUs instead of 1")
  }

  /// A sample has more or fewer messages of a kind of metadata than promised.
  static func otherSampleMetadataCount(
    _ kind: any DynamicHDRMetadataKind.Type, _ count: Int, promised: Int
  ) -> Notice {
    fault(
      "otherSampleMetadataCount",
      ["metadata": kind.key, "count": "\(count)", "promised": "\(promised)"],
      "a sample has \(count) messages with \(kind.name) instead of \(promised)")
  }

  /// A sample has an RPU of another profile.
  ///
  /// - Parameter profile: the RPU's profile, if known.
  static func otherSampleRPUProfile(_ profile: UInt8?) -> Notice {
    let profile = profile.map { "\($0)" } ?? "unknown"
    return fault(
      "otherSampleRPUProfile", ["profile": profile],
      "a sample has a Dolby Vision RPU of the wrong profile: \(profile)")
  }

  /// An RPU cannot be read.
  static func sampleRPUDamaged(_ error: DolbyVisionError) -> Notice {
    fault(
      "sampleRPUDamaged", ["fault": "\(error)"],
      "a sample has a damaged Dolby Vision RPU: \(error)")
  }
}
