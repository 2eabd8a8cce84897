// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ISOBMFF
internal import LibAV
package import MediaCore
internal import NALUnits

/// Facts about the frames of a video track. Facts about their color are in another file.
extension FactKey {
  // A dropped frame takes its metadata and captions with it, so this notice explains their loss as
  // well.
  static let frameRateChanged = FactLoss("frameRateChanged", isOfSome: true)

  package static let frameCount: FactKey = .init(
    "frameCount", "the number of frames that are presented", in: .video, Int.self,
    losses: [frameRateChanged],
    reading: .track { track in
      guard let count = track.presentedFrameCount else { return [] }
      return Fact(frameCount, count: count).map { [$0] } ?? []
    })

  package static let frameRate: FactKey = .init(
    "frameRate", "frames a second, on average", in: .video, Double.self, comparison: .notCompared,
    reading: .track { track in
      guard track.mediaType == .video, let rate = track.demuxed.averageFrameRate else { return [] }
      return [Fact(frameRate, rate.framesPerSecond)]
    })

  package static let hasVariableFrameRate: FactKey = .init(
    "hasVariableFrameRate", "whether the time between frames varies", in: .video, Bool.self,
    comparison: .notCompared,
    reading: .track { track in
      guard let times = track.frameTimes?.compositionTimes, times.count > 1 else { return [] }
      let gaps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
      return [Fact(hasVariableFrameRate, gaps.count > 1)]
    })

  package static let damagedFrames: FactKey = .init(
    "damagedFrames",
    "how often decoding reports damage; more than twice the source's number is a loss",
    in: .video, Int.self, comparison: .place)

  package static let frameContent: FactKey = .init(
    "frameContent",
    "the number of compared frames that show what the source shows; flat or frozen frames are a "
      + "loss unless the source's frames are flat or frozen, too", in: .video, Int.self,
    losses: [FactLoss("editRateNotKept")])

  package static let size: FactKey = .init(
    "size", "the size of a frame in samples", in: .video,
    VideoDimensions.self,
    verified: .value,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(size: track.video?.size ?? track.demuxed.size)]
    })

  package static let pixelAspectRatio: FactKey = .init(
    "pixelAspectRatio",
    "the pixel aspect ratio; a different one is a loss if frames have the same size", in: .video,
    PixelAspectRatio.self,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(pixelAspectRatio: track.demuxed.sampleAspectRatio ?? .square)]
    })

  package static let cleanAperture: FactKey = .init(
    "cleanAperture", "the clean aperture", in: .video,
    CleanAperture.self,
    losses: [.aperture, FactLoss("croppedToCleanAperture"), FactLoss("barsCropped")],
    verified: .value,
    reading: .track { track in
      guard track.mediaType == .video, let aperture = track.cleanAperture else { return [] }
      return [Fact(cleanAperture: aperture)]
    })

  package static let fieldOrder: FactKey = .init(
    "fieldOrder", "the order of fields: progressive, topFirst or bottomFirst", in: .video,
    losses: [FactLoss("fieldsNotStated")],
    reading: .video { video in Fact(fieldOrder, video.fieldOrder.rawValue) })

  package static let containerFieldOrder: FactKey = .init(
    "containerFieldOrder", "the field order that the container states, if any", in: .video,
    comparison: .notCompared, verified: .value,
    reading: .track { track in
      guard track.mediaType == .video, let order = track.containerFieldOrder else { return [] }
      return Fact(containerFieldOrder: order).map { [$0] } ?? []
    })

  package static let matrix: FactKey = .init(
    "matrix", "rotation, or a matrix that does more than rotate", in: .video,
    DisplayMatrix.self,
    losses: [.rotation],
    reading: .track { track in
      guard track.mediaType == .video, let values = track.shownMatrix,
        let matrix = DisplayMatrix(values), matrix.rotation != 0
      else { return [] }
      return [Fact(matrix: matrix)]
    })

  package static let bitDepth: FactKey = .init(
    "bitDepth", "the number of bits in a sample", in: .video, Int.self,
    reading: .video { video in Fact(bitDepth, video.format.bitDepth) })

  package static let chromaSubsampling: FactKey = .init(
    "chromaSubsampling", "the chroma subsampling", in: .video,
    reading: .video { video in
      Fact(chromaSubsampling, video.format.chromaSubsampling.rawValue)
    })

  // An encode does not lose the grain: the decoder has already added it to the frames.
  package static let filmGrain: FactKey = .init(
    "filmGrain", "whether the bitstream describes film grain that decoders add", in: .video,
    Bool.self, comparison: .notCompared,
    reading: .track { track in
      track.video?.bitstream?.hasFilmGrain == true ? [Fact(filmGrain, true)] : []
    })

  package static let operatingPoints: FactKey = .init(
    "operatingPoints", "how many choices of layers an AV1 decoder has, if there are several",
    in: .video, Int.self, comparison: .notCompared,
    reading: .track { track in
      guard let count = track.video?.bitstream?.operatingPointCount, count > 1 else { return [] }
      return [Fact(operatingPoints, count)]
    })

  package static let opacity: FactKey = .init(
    "opacity", "the opacity of the pixels", in: .video, Bool.self, losses: [.opacity],
    reading: .track { track in
      let isThere = track.video?.hasAlpha == true || track.demuxed.hasOpacityBeside
      return isThere ? [Fact(opacity, true, text: "present")] : []
    })

  package static let spatialVideo: FactKey = .init(
    "spatialVideo", "stereoscopic or spherical video", in: .video,
    StatedSpatialVideo.self,
    losses: [.spatialVideo, FactLoss("secondEyeNotCarried")],
    reading: .track { track in
      guard track.mediaType == .video, let kind = track.spatialKind else { return [] }
      let value = StatedSpatialVideo(
        kind: kind, places: track.spatialPlaces,
        horizontalFieldOfView: track.spatialVideo?.horizontalFieldOfView)
      // Only some containers can store these boxes. The text names them, so that losing them is
      // noticed.
      let boxes = track.spatialBoxesOfMovies
      let text = boxes.isEmpty ? kind : "\(kind) (\(boxes.joined(separator: ", ")))"
      return [Fact(spatialVideo, value, text: text)]
    })

  static let containsHDRVideo: FactKey = .init(
    "containsHDRVideo", "whether any sample description is HLG or PQ", in: .video, Bool.self,
    comparison: .notCompared,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(containsHDRVideo, track.containsHDRVideo)]
    })

  static let usesWideGamutColorSpace: FactKey = .init(
    "usesWideGamutColorSpace", "whether any sample description has wider primaries than BT.709",
    in: .video, Bool.self, comparison: .notCompared,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(usesWideGamutColorSpace, track.usesWideGamutColorSpace)]
    })
}

extension Fact {
  package init(size: VideoDimensions) { self.init(.size, size) }

  /// Makes a fact about the field order that the container states. `nil` if frames are progressive,
  /// because most containers do not say so.
  package init?(containerFieldOrder order: FieldOrder) {
    guard order != .progressive else { return nil }
    self.init(.containerFieldOrder, order.rawValue)
  }

  package init(cleanAperture aperture: CleanAperture) {
    self.init(.cleanAperture, aperture)
  }

  package init(matrix: DisplayMatrix) {
    let text =
      matrix.rotation.map { "\($0)°" } ?? matrix.values.map { "\($0)" }.joined(separator: " ")
    self.init(.matrix, matrix, text: text)
  }

  /// Makes a fact about the shape of samples.
  package init(pixelAspectRatio ratio: PixelAspectRatio) {
    self.init(.pixelAspectRatio, ratio)
  }
}

extension AssetTrack {
  /// The matrix with which frames are shown; `nil` if there is none.
  package var shownMatrix: [Int32]? { matrix ?? demuxed.displayMatrix }

  /// The presentation times of the frames, from a movie's tables; `nil` if there are none.
  fileprivate var frameTimes: SampleTimes? {
    mediaType == .video ? box.flatMap { SampleTimes($0) } : nil
  }

  /// How many frames the edit list presents, according to a movie's tables; `nil` if unknown.
  fileprivate var presentedFrameCount: Int? {
    guard let samples = frameTimes else { return nil }
    let times = samples.compositionTimes
    let timescale = demuxed.timescale
    return times.indices.count { index in
      // The last frame has no successor, so its own duration says where it ends.
      let end = index + 1 < times.count ? times[index + 1] : times[index] + samples.lastDuration
      return timeline.presents(
        from: MediaTime(value: times[index], timescale: timescale),
        to: MediaTime(value: end, timescale: timescale))
    }
  }
}
