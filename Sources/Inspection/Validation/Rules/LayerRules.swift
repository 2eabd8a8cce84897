// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ISOBMFF

extension ConformanceRule {
  /// Rules about stereoscopic video, and about the visible part of frames.
  static let layers = [
    ConformanceRule(
      "spatialVideo", "second eye", "ISO/IEC 14496-15, 9.5; Apple HEVC Stereo Video"
    ) {
      $0.spatialOutcome
    },
    ConformanceRule("cleanAperture", "clean aperture", "ISO/IEC 14496-12, 12.1.4") {
      $0.cleanApertureOutcome
    },
  ]
}

extension ValidatedTrack {
  /// Checks that the clean aperture is inside the frames.
  fileprivate var cleanApertureOutcome: RuleOutcome {
    guard let entry else { return .notApplicable(noMovie) }
    if let fault = entry.apertureFault(of: description.size) { return .fail(fault.text) }
    guard let aperture = entry.cleanAperture else {
      return .notApplicable("none: frames are shown in full")
    }
    let size = description.size
    return aperture.isInside(size)
      ? .pass("\(aperture)")
      : .warning("\(aperture): reaches beyond the frames, \(size.width)×\(size.height)")
  }

  /// Checks that a second eye has both a layer in the samples and boxes that declare it.
  fileprivate var spatialOutcome: RuleOutcome {
    let count = samples.units.otherLayers.count
    guard let spatial = entry.flatMap({ SpatialVideo($0) }) else {
      return count == 0
        ? .notApplicable("one eye")
        // Players that do not know MV-HEVC still show the base layer, so this is not a failure.
        : .warning("MV-HEVC: no box declares the second layer in \(count.counted("sample"))")
    }
    let boxes = spatial.boxes.map { "\($0)" }.joined(separator: ", ")
    if spatial.hasSecondLayer {
      let what = "MV-HEVC (\(boxes))"
      if entry?.isEncrypted ?? false { return .warning("\(what): the samples are encrypted") }
      return count > 0
        ? .pass("\(what): the second eye's layer in \(count.counted("sample"))")
        : .fail("\(what): no sample has a second layer")
    }
    return spatial.hasBothEyes && !spatial.isPacked
      ? .fail("\(boxes): claims both eyes, but the video has one layer") : .pass(boxes)
  }
}
