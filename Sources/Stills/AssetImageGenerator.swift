// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
public import MediaCore
internal import Settings

/// Makes images of an asset's frames: `AVAssetImageGenerator`.
///
/// Images are full-range R'G'B' in three planes, in the order G', B', R'. Samples have 8 bits in
/// SDR images, and 16 bits in HDR images.
public struct AssetImageGenerator: Sendable {
  /// The box that images are scaled down to fit into; `nil` to keep the size of the frames.
  public var maximumSize: VideoDimensions?
  /// Whether images are rotated for display, by the track's matrix.
  public var appliesPreferredTrackTransform = false
  /// How much earlier than the requested time an image may be; `nil` if there is no limit. Within
  /// the tolerances, the generator prefers frames at which decoding can start, because they take
  /// less time to decode.
  public var requestedTimeToleranceBefore: MediaTime?
  /// How much later than the requested time an image may be; `nil` if there is no limit.
  public var requestedTimeToleranceAfter: MediaTime?
  /// The color of the images, sRGB by default; `nil` to keep the source's color.
  public var colorProperties: ColorDescription? = StillColor.sRGB.color

  /// Whether images keep the range of the source: `AVAssetImageGenerator.DynamicRangePolicy`.
  public enum DynamicRangePolicy: Sendable {
    /// HDR is tone mapped, and images are sRGB.
    case forceSDR
    /// Images have the source's colors, HDR included.
    case matchSource
  }

  /// The dynamic range of images, `forceSDR` by default. Setting it sets ``colorProperties``: to
  /// sRGB for `forceSDR`, to `nil` for `matchSource`. It reads as `forceSDR` whenever that color is
  /// not `nil`, even if the color is HDR.
  public var dynamicRangePolicy: DynamicRangePolicy {
    get { colorProperties == nil ? .matchSource : .forceSDR }
    set { colorProperties = newValue == .forceSDR ? StillColor.sRGB.color : nil }
  }

  /// The color of the source, which replaces the file's color tags; `nil` to use the tags. Tags
  /// that stay unspecified count as BT.709.
  public var sourceColorProperties: ColorDescription?

  private let asset: MediaAsset

  /// Creates a generator for the video of an asset.
  public init(asset: MediaAsset) { self.asset = asset }

  /// Makes an image of the frame that is presented at a time, or of another frame within the
  /// tolerances, and returns the image with the time at which that frame begins. If the frame
  /// cannot be decoded, the image shows the nearest frame that can be decoded.
  ///
  /// - Throws: ``TranscodingError`` if there is no video or if it cannot be decoded; of kind
  ///   `invalidSettings` for an invalid time, and for a size into which no image fits.
  public func image(
    at time: MediaTime
  ) async throws -> (image: PixelBuffer, actualTime: MediaTime) {
    try await Pipeline.onThread("image") { checkpoint in
      try Source(self, checkpoint).image(at: time, checkpoint)
    }
  }

  /// Makes images at several times, in the given order. Each image is made only when it is asked
  /// for.
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

  /// The asset, examined once for all images.
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
          // The number of images is not known here, so plan as if there were many.
          fitting: StillOptions.Shots.auto.decided(for: asset, isMany: true),
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

    /// Returns the frame to decode: the nearest sync frame within the tolerances, or else the frame
    /// that is presented at the time.
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
      // If no sync frame is within the tolerances, take the frame at the requested time. This takes
      // longer, because frames before it have to be decoded as well.
      return starts.min { distance($0) < distance($1) } ?? seeker.place(at: time)
    }
  }

  /// The images that are still to come.
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
      // Decoding blocks, and a thread of Swift's cooperative pool must not block.
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
  /// Makes the settings for the images of a generator.
  fileprivate init(_ generator: AssetImageGenerator, _ track: AssetTrack) {
    self.init(shown: ())
    if !generator.appliesPreferredTrackTransform { rotation = .keep }
    // Frames are never enlarged, so sides of the box beyond the longest possible side make no
    // difference.
    width = generator.maximumSize.map { min($0.width, VideoDimensions.longestSide) }
    height = generator.maximumSize.map { min($0.height, VideoDimensions.longestSide) }
    colorProperties = generator.colorProperties
    colorProperties?.matrixCoefficients = .identity
    // PQ and HLG in 8 bits would show bands.
    let color = generator.colorProperties ?? generator.sourceColorProperties
    let isHDR = color?.transferCharacteristics.isHDR ?? track.containsHDRVideo
    pixelFormat = PixelFormat(bitDepth: isHDR ? 16 : 8, chromaSubsampling: .cs444)
  }
}
