// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
public import MediaCore
internal import Settings

/// Maker of images of an asset's frames: `AVAssetImageGenerator`.
///
/// Images are R'G'B' in three planes (G', B', R') of the full range, of 8 bits, or 16 where they
/// are HDR.
public struct AssetImageGenerator: Sendable {
  /// The box that images fit into, which are never enlarged; nil for the size of the frames.
  public var maximumSize: VideoDimensions?
  /// True if images are turned as the track's matrix turns frames for display.
  public var appliesPreferredTrackTransform = false
  /// The most that an image may be earlier than asked for; nil for any time. An image may be of
  /// another frame where that is decoded sooner: one at which decoding can start.
  public var requestedTimeToleranceBefore: MediaTime?
  /// The most that an image may be later than asked for; nil for any time.
  public var requestedTimeToleranceAfter: MediaTime?
  /// The meaning of the images' colors, sRGB by default; nil for the source's own.
  public var colorProperties: ColorDescription? = StillColor.sRGB.color

  /// The meaning of the source's colors, whatever the file says; nil to believe it. What neither
  /// says is that of BT.709.
  public var sourceColorProperties: ColorDescription?

  private let asset: MediaAsset

  /// A generator for the video of an asset.
  public init(asset: MediaAsset) { self.asset = asset }

  /// The image of the frame that is shown at a time, or of one within the tolerances, and the time
  /// from which that one is shown. Of frames that cannot be decoded, it is the nearest that can.
  ///
  /// - Throws: ``TranscodingError`` where there is no video, or none that can be decoded; of kind
  ///   `invalidSettings` for a time that is none, and for a size into which no image fits.
  public func image(
    at time: MediaTime
  ) async throws -> (image: PixelBuffer, actualTime: MediaTime) {
    try await Pipeline.onThread("image") { checkpoint in
      try Source(self, checkpoint).image(at: time, checkpoint)
    }
  }

  /// Images at several times, in the order of these, each made when it is asked for.
  public func images(
    for times: [MediaTime]
  ) -> AsyncThrowingStream<
    (requestedTime: MediaTime, image: PixelBuffer, actualTime: MediaTime), any Error
  > {
    let images = Images(self, times)
    return AsyncThrowingStream { try await images.next() }
  }

  private func refuseMisuse() throws {
    if let size = maximumSize, min(size.width, size.height) < 1 {
      throw TranscodingError(.invalidSettings, "no image fits into \(size)")
    }
    for tolerance in [requestedTimeToleranceBefore, requestedTimeToleranceAfter] {
      if let tolerance { try TranscodingError.refuse(tolerance, as: "time tolerance") }
    }
  }

  /// An asset that is looked at once for all images.
  private struct Source: Sendable {
    private let generator: AssetImageGenerator
    private let seeker: FrameSeeker
    private let plan: DisplayPlan

    init(_ generator: AssetImageGenerator, _ checkpoint: Pipeline.Checkpoint) throws {
      let asset = generator.asset
      guard let track = asset.videoTrack else {
        throw TranscodingError(.unusableInput, "\(asset.path): it has no video")
      }
      try generator.refuseMisuse()
      self.generator = generator
      do {
        seeker = try FrameSeeker(asset, track, checkpoint: checkpoint)
        plan = try DisplayPlan(
          of: track, settings: VideoSettings(generator, track),
          fitting: StillOptions.Shots.auto.fitting(for: asset, isMany: true),
          sourceColor: generator.sourceColorProperties)
      } catch {
        throw TranscodingError.meaning(of: error, input: asset.path)
      }
    }

    func image(
      at time: MediaTime, _ checkpoint: Pipeline.Checkpoint
    ) throws -> (image: PixelBuffer, actualTime: MediaTime) {
      try TranscodingError.refuse(time, as: "requested time")
      do {
        let found = try seeker.nearest(to: wanted(at: time), checkpoint: checkpoint)
        return (try plan.display(found.frame), seeker.frames[found.place].lowerBound)
      } catch {
        throw TranscodingError.meaning(of: error, input: generator.asset.path)
      }
    }

    /// The frame to decode: of those within the tolerances the nearest at which decoding can start.
    private func wanted(at time: MediaTime) -> Int {
      let earliest = generator.requestedTimeToleranceBefore.map { time - $0 }
      let latest = generator.requestedTimeToleranceAfter.map { time + $0 }
      func distance(_ place: Int) -> Double {
        abs((seeker.frames[place].lowerBound - time).seconds)
      }
      let starts = seeker.syncPlaces.filter { place in
        let start = seeker.frames[place].lowerBound
        return earliest.map { $0 <= start } ?? true && latest.map { start <= $0 } ?? true
      }
      return starts.min { distance($0) < distance($1) } ?? seeker.place(at: time)
    }
  }

  /// The images that are still to be made.
  private actor Images {
    private let generator: AssetImageGenerator
    private var times: ArraySlice<MediaTime>
    private var source: Source?

    init(_ generator: AssetImageGenerator, _ times: [MediaTime]) {
      (self.generator, self.times) = (generator, times[...])
    }

    func next() async throws -> (
      requestedTime: MediaTime, image: PixelBuffer, actualTime: MediaTime
    )? {
      guard let time = times.popFirst() else { return nil }
      let (generator, known) = (generator, source)
      let (source, made) = try await Pipeline.onThread("image") { checkpoint in
        let source = try known ?? Source(generator, checkpoint)
        return (source, try source.image(at: time, checkpoint))
      }
      self.source = source
      return (time, made.image, made.actualTime)
    }
  }
}

extension VideoSettings {
  /// Settings for the images of a generator.
  fileprivate init(_ generator: AssetImageGenerator, _ track: AssetTrack) {
    self.init(shown: ())
    if !generator.appliesPreferredTrackTransform { rotation = .keep }
    // Nothing is enlarged, so that a larger box is as good as none.
    width = generator.maximumSize.map { min($0.width, VideoDimensions.longestSide) }
    height = generator.maximumSize.map { min($0.height, VideoDimensions.longestSide) }
    colorProperties = generator.colorProperties
    colorProperties?.matrixCoefficients = .identity
    let color = generator.colorProperties ?? generator.sourceColorProperties
    let isHDR = color?.transferCharacteristics.isHDR ?? track.containsHDRVideo
    pixelFormat = PixelFormat(bitDepth: isHDR ? 16 : 8, chromaSubsampling: .cs444)
  }
}
