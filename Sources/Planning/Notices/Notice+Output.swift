// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import DolbyVision

/// Notices about an output that is not as promised: its file, its tracks and their samples.
extension Notice {
  /// A file that cannot be opened.
  package static func outputUnreadable(_ error: any Error) -> Notice {
    fault("outputUnreadable", ["fault": "\(error)"], "it cannot be opened (\(error))")
  }

  /// More tracks than were written, or fewer.
  package static func otherTrackCount(_ count: Int, promised: Int) -> Notice {
    fault(
      "otherTrackCount", ["count": "\(count)", "promised": "\(promised)"],
      "it has \(count.counted("track")) in place of \(promised)")
  }

  /// A first frame that cannot be decoded.
  package static let firstFrameUndecodable = fault(
    "firstFrameUndecodable", [:], "its first frame cannot be decoded")

  /// A copy of audio of which nothing can be decoded, where its source can.
  package static func audioUndecodable(_ track: Int) -> Notice {
    fault(
      "audioUndecodable", ["track": "\(track)"],
      "the audio of track \(track) cannot be decoded as that of the source")
  }

  /// A track of another length than was written.
  package static func otherTrackLength(_ track: Int) -> Notice {
    fault(
      "otherTrackLength", ["track": "\(track)"],
      "track \(track) has another length than was written")
  }

  /// A track that was taken over, and whose samples are not those of the source.
  package static func otherCarriedSamples(_ id: UInt32, kind: String) -> Notice {
    fault(
      "otherCarriedSamples", ["track": "\(id)", "kind": kind],
      "the samples of track \(id) (\(kind)) are not those of the source")
  }

  /// A track with more samples than were written, or fewer.
  package static func otherSampleCount(_ track: Int, _ count: Int, promised: Int) -> Notice {
    fault(
      "otherSampleCount",
      ["track": "\(track)", "count": "\(count)", "promised": "\(promised)"],
      "track \(track) has \(count.counted("sample")) in place of \(promised)")
  }

  /// A track whose samples have other times than were written.
  package static func otherSampleTimes(_ track: Int) -> Notice {
    fault(
      "otherSampleTimes", ["track": "\(track)"],
      "track \(track) has other times than were written")
  }

  /// Frames that cannot be decoded.
  package static func framesUndecodable(_ count: Int, of total: Int) -> Notice {
    fault(
      "framesUndecodable", ["count": "\(count)", "frameCount": "\(total)"],
      "\(count) of \(total.counted("frame")) can be decoded")
  }

  /// Frames that are decoded with damage.
  package static func framesDamaged(_ count: Int) -> Notice {
    fault("framesDamaged", ["count": "\(count)"], "it has \(count.counted("damaged frame"))")
  }
}

/// Notices about statements of an output about its frames that are not as promised.
extension Notice {
  /// A statement that is another than was promised.
  ///
  /// - Parameter name: the place and the field: `the container's colorPrimaries`.
  package static func otherStatement(_ name: String, _ statement: String, promised: String)
    -> Notice
  {
    fault(
      "otherStatement", ["name": name, "statement": statement, "promised": promised],
      "\(name) is \(statement) in place of \(promised)")
  }

  /// A clean aperture that is another than was promised.
  static let otherCleanAperture = fault(
    "otherCleanAperture", [:], "the clean aperture is not as promised")

  /// An order of fields that is another than was promised.
  static let otherFieldOrder = fault("otherFieldOrder", [:], "the field order is not as promised")

  /// A Dolby Vision record that a copy lacks.
  package static func recordNotStated(_ record: ConfigurationRecord) -> Notice {
    fault(
      "recordNotStated", ["record": "\(record)"], "it does not state Dolby Vision \(record)")
  }
}

/// Notices about RPUs in an output's samples that are not as promised.
extension Notice {
  /// An RPU that was not promised.
  static let rpuNotPromised = fault(
    "rpuNotPromised", [:], "a sample has a Dolby Vision RPU, which is not of its frame")

  /// A sample without an RPU, or with more than one.
  static func otherSampleRPUCount(_ count: Int) -> Notice {
    fault(
      "otherSampleRPUCount", ["count": "\(count)"],
      "a sample has \(count) Dolby Vision RPUs in place of 1")
  }

  /// An RPU of another profile than was promised.
  ///
  /// - Parameter profile: the RPU's profile; nil for none that is known.
  static func otherSampleRPUProfile(_ profile: UInt8?) -> Notice {
    let profile = profile.map { "\($0)" } ?? "unknown"
    return fault(
      "otherSampleRPUProfile", ["profile": profile],
      "a sample has a Dolby Vision RPU of profile \(profile)")
  }

  /// An RPU that cannot be read.
  static func sampleRPUDamaged(_ error: DolbyVisionError) -> Notice {
    fault(
      "sampleRPUDamaged", ["fault": "\(error)"],
      "a sample has a damaged Dolby Vision RPU: \(error)")
  }
}
