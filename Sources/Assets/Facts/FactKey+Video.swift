// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ISOBMFF
internal import LibAV
package import MediaCore

/// Facts about the frames of a video track, without their color.
extension FactKey {
  // Whatever belonged to a dropped frame is gone with it, so this notice explains both.
  static let frameRateChanged = FactLoss("frameRateChanged", isOfSome: true)

  package static let frameCount: FactKey = .init(
    "frameCount", "frames that are presented", in: .video, .number, losses: [frameRateChanged],
    reading: .track { track in
      guard let count = track.presentedFrameCount else { return [] }
      return Fact(frameCount, count: count).map { [$0] } ?? []
    })

  package static let frameRate: FactKey = .init(
    "frameRate", "frames a second, on average", in: .video, .number, .notCompared,
    reading: .track { track in
      guard track.mediaType == .video, let rate = track.demuxed.averageFrameRate else { return [] }
      return [Fact(frameRate, .number(rate.framesPerSecond))]
    })

  package static let hasVariableFrameRate: FactKey = .init(
    "hasVariableFrameRate", "whether the time between frames varies", in: .video, .flag,
    .notCompared,
    reading: .track { track in
      guard let times = track.frameTimes?.compositionTimes, times.count > 1 else { return [] }
      let gaps = Set(zip(times, times.dropFirst()).map { $1 - $0 })
      return [Fact(hasVariableFrameRate, .flag(gaps.count > 1))]
    })

  package static let damagedFrames: FactKey = .init(
    "damagedFrames",
    "places at which decoding reports damage; more than twice as many are a loss", in: .video,
    .number, .place)

  package static let frameContent: FactKey = .init(
    "frameContent",
    "compared frames that show what the source shows; flat or frozen frames are a loss if the "
      + "source's are not", in: .video, .number, losses: [FactLoss("editRateNotKept")])

  package static let size: FactKey = .init(
    "size", "the size of a frame in samples", in: .video,
    .object([.init("width", "luma samples in a row"), .init("height", "luma rows")]),
    verified: .value,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(size: track.video?.size ?? track.demuxed.size)]
    })

  package static let pixelAspectRatio: FactKey = .init(
    "pixelAspectRatio", "the pixel aspect ratio; another for frames of the same size is a loss",
    in: .video,
    .object([
      .init("horizontalSpacing", "the width of a sample"),
      .init("verticalSpacing", "its height in the same unit"),
    ]),
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(pixelAspectRatio: track.demuxed.sampleAspectRatio ?? .square)]
    })

  package static let cleanAperture: FactKey = .init(
    "cleanAperture", "the clean aperture", in: .video,
    .object([
      .init("width", "in samples"), .init("height", "in rows"),
      .init("horizontalOffset", "of its center from the frame's, in samples"),
      .init("verticalOffset", "of its center from the frame's, in rows"),
    ]),
    losses: [.aperture, FactLoss("croppedToCleanAperture"), FactLoss("barsCropped")],
    verified: .value,
    reading: .track { track in
      guard track.mediaType == .video, let aperture = track.cleanAperture else { return [] }
      return [Fact(cleanAperture: aperture)]
    })

  package static let fieldOrder: FactKey = .init(
    "fieldOrder", "progressive, topFirst or bottomFirst", in: .video,
    losses: [FactLoss("fieldsNotStated")], verified: .value,
    reading: .video { video in Fact(fieldOrder: video.fieldOrder) })

  package static let matrix: FactKey = .init(
    "matrix", "rotation, or a matrix that does more than rotate", in: .video,
    .object([
      .init("rotation", "clockwise in degrees; absent if the matrix does something else"),
      .init("values", "the nine numbers of `tkhd`", .list(.number)),
    ]),
    losses: [.rotation],
    reading: .track { track in
      guard track.mediaType == .video, let values = track.shownMatrix,
        let turn = DisplayMatrix(values), turn.rotation != 0
      else { return [] }
      let value = FactValue.object([
        ("rotation", turn.rotation.map { .number($0) }),
        ("values", .list(values.map { .number($0) })),
      ])
      let text = turn.rotation.map { "\($0)°" } ?? values.map { "\($0)" }.joined(separator: " ")
      return [Fact(matrix, value, text: text)]
    })

  package static let bitDepth: FactKey = .init(
    "bitDepth", "bits of a sample", in: .video, .number,
    reading: .video { video in Fact(bitDepth, .number(video.format.bitDepth)) })

  package static let chromaSubsampling: FactKey = .init(
    "chromaSubsampling", "the chroma subsampling", in: .video,
    reading: .video { video in
      Fact(chromaSubsampling, .text(video.format.chromaSubsampling.rawValue))
    })

  package static let opacity: FactKey = .init(
    "opacity", "opacity of the pixels", in: .video, .flag, losses: [.opacity],
    reading: .track { track in
      let isThere = track.video?.hasAlpha == true || track.demuxed.hasOpacityBeside
      return isThere ? [Fact(opacity, .flag(true), text: "there")] : []
    })

  package static let spatialVideo: FactKey = .init(
    "spatialVideo", "two eyes, or all around", in: .video,
    .object([
      .init("kind", "MV-HEVC, MVC, frame packed or one layer", .text),
      .init("places", "the boxes, elements and messages that state it", .list(.text)),
      .init("horizontalFieldOfView", "in degrees"),
    ]),
    losses: [.spatialVideo, FactLoss("secondEyeNotCarried")],
    reading: .track { track in
      guard track.mediaType == .video, let kind = track.spatialKind else { return [] }
      let value = FactValue.object([
        ("kind", .text(kind)), ("places", .list(track.spatialPlaces.map { .text($0) })),
        (
          "horizontalFieldOfView",
          track.spatialVideo?.horizontalFieldOfView.map { .number(Double($0)) }
        ),
      ])
      // Only some containers can hold these boxes, so they are compared.
      let boxes = track.spatialBoxesOfMovies
      let text = boxes.isEmpty ? kind : "\(kind) (\(boxes.joined(separator: ", ")))"
      return [Fact(spatialVideo, value, text: text)]
    })

  static let containsHDRVideo: FactKey = .init(
    "containsHDRVideo", "whether any sample description is HLG or PQ", in: .video, .flag,
    .notCompared,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(containsHDRVideo, .flag(track.containsHDRVideo))]
    })

  static let usesWideGamutColorSpace: FactKey = .init(
    "usesWideGamutColorSpace", "whether any sample description has wider primaries than BT.709",
    in: .video, .flag, .notCompared,
    reading: .track { track in
      guard track.mediaType == .video else { return [] }
      return [Fact(usesWideGamutColorSpace, .flag(track.usesWideGamutColorSpace))]
    })
}

extension Fact {
  package init(size: VideoDimensions) { self.init(.size, size.factValue, text: "\(size)") }

  package init(fieldOrder: FieldOrder) { self.init(.fieldOrder, .text(fieldOrder.rawValue)) }

  package init(cleanAperture aperture: CleanAperture) {
    let value = FactValue.object([
      ("width", .number(aperture.width.value)), ("height", .number(aperture.height.value)),
      ("horizontalOffset", .number(aperture.horizontalOffset.value)),
      ("verticalOffset", .number(aperture.verticalOffset.value)),
    ])
    self.init(.cleanAperture, value, text: aperture.description)
  }

  /// Makes a fact about the shape of samples.
  package init(pixelAspectRatio ratio: PixelAspectRatio) {
    self.init(
      .pixelAspectRatio,
      .object([
        ("horizontalSpacing", .number(ratio.horizontalSpacing)),
        ("verticalSpacing", .number(ratio.verticalSpacing)),
      ]), text: "\(ratio)")
  }
}

extension AssetTrack {
  /// The matrix with which frames are shown; `nil` if there is none.
  package var shownMatrix: [Int32]? { matrix ?? demuxed.displayMatrix }

  /// The presentation times of video in a movie's tables; `nil` if there are none.
  fileprivate var frameTimes: SampleTimes? {
    mediaType == .video ? box.flatMap { SampleTimes($0) } : nil
  }

  /// How many frames the edit list presents, from a movie's tables; `nil` if unknown.
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
