// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
internal import ISOBMFF
internal import LibAV
package import MediaCore

/// The time code of the first frame that a file presents.
extension MediaAsset {
  /// Finds the time code. A movie has it in a track. Other files have it in their container: in the
  /// material package of MXF, a tag of Matroska, or a chunk of AVI.
  static func timeCode(
    of movie: Movie?, in file: FileByteSource, stated: String?, tracks: [AssetTrack]
  ) -> TimeCode? {
    if let movie { return TimeCode(movie, in: file) }
    guard let label = stated.flatMap({ TimeCodeLabel($0) }),
      let video = tracks.first(where: { $0.mediaType == .video })?.demuxed,
      // libavformat gives no average rate for JPEG 2000, and the average of a varying rate fits no
      // time code. In both cases, try the base rate, which is high enough to count every frame.
      let counting = [video.averageFrameRate, video.baseFrameRate].lazy.compactMap({ rate in
        rate.flatMap { TimeCode.Counting($0, isDropFrame: label.isDropFrame) }
      }).first
    else { return nil }
    return TimeCode(label, counting)
  }

  /// Returns the time code of the whole file, as the container writes it. If there is none, returns
  /// that of the first track that has one.
  static func statedTimeCode(_ metadata: [String: String], _ tracks: [AssetTrack]) -> String? {
    metadata.first { $0.key.lowercased() == "timecode" }?.value
      ?? tracks.lazy.compactMap(\.demuxed.timeCode).first
  }

  /// Returns when the frame with this time code begins in the presentation.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the file has no time code, or if no
  ///   frame in it has this one.
  package func time(of label: TimeCodeLabel) throws(TranscodingError) -> MediaTime {
    guard let timeCode else {
      let reason =
        statedTimeCode.map { "its time code, \($0), does not fit its frame rate" }
        ?? "it has no time code"
      throw TranscodingError(
        .unusableInput,
        "\(reason), so \(label) cannot be found; give seconds or a frame number instead")
    }
    guard let wanted = TimeCode(label, timeCode.counting) else {
      throw TranscodingError(
        .unusableInput,
        "there is no time code \(label) at \(timeCode.counting.text): the file begins at "
          + "\(timeCode)")
    }
    let time = timeCode.counting.duration(of: timeCode.frames(until: wanted))
    let frame = timeCode.counting.duration(of: 1)
    if let duration, time >= duration + frame {
      throw TranscodingError(
        .unusableInput,
        "the time code \(label) is outside the file, which runs from \(timeCode) to "
          + "\(timeCode.advanced(by: duration))")
    }
    return time
  }
}
