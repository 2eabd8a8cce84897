internal import Assets
internal import CodePoints
internal import LibAV
internal import MediaCore
internal import Settings
internal import VideoEncoders

/// Encodes pictures of which nothing is known before the first, which then decides for all.
final class PictureEncoding: @unchecked Sendable {
  // Sendable although it has state: the input that has it is used by one thread at a time.
  private let settings: VideoSettings
  private let track: AssetTrack?
  private var opened: Opened?

  private struct Opened {
    let plan: EncodingPlan
    let encoder: any VideoEncoder
    let conversion: PictureConversion?
    let first: PictureSource
    let format: VideoTrackFormat
  }

  /// - Parameter track: the track that the pictures come from; nil where there is none.
  init(_ settings: VideoSettings, track: AssetTrack?) {
    self.settings = settings
    self.track = track
  }

  /// How the muxer takes the samples; nil before the first picture.
  var mode: AssetWriterInput.Mode? { opened.map { .encode($0.encoder, format: $0.format) } }
  /// What the output's pictures are promised to be; nil before the first.
  var promise: OutputPromise? { opened?.plan.promise }
  /// What was assumed and what is lost.
  private(set) var notices: [Notice] = []

  /// What the samples say of their color.
  var signal: SignalDescription { opened?.plan.encoder.signal ?? SignalDescription() }

  /// What the sample entry says of the pictures' shape.
  var shape: PictureShape { opened?.plan.shape ?? PictureShape() }

  /// The HDR metadata that the output carries.
  var hdrMetadata: HDRMetadataPlan { opened?.plan.hdrMetadata ?? .none }

  /// A matrix for pictures of the output's size.
  func matrix(_ matrix: [Int32]?) -> [Int32]? {
    guard let opened else { return matrix }
    return matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: track?.video?.size ?? opened.first.facts.size, to: opened.plan.encoder.size)
  }

  /// Encodes a picture.
  func encode(_ frame: VideoFrame) throws -> [EncodedSample] {
    do {
      let opened = try opened ?? open(frame)
      try opened.first.refuseChange(frame, of: opened.first.name)
      var frame = frame
      if let conversion = opened.conversion {
        frame.pixelBuffer = try conversion.convert(frame.pixelBuffer)
      }
      return try opened.encoder.encode(frame)
    } catch {
      throw TranscodingError.meaning(
        of: error, input: "the picture at \(frame.presentationTime.seconds) s")
    }
  }

  private func open(_ frame: VideoFrame) throws -> Opened {
    let source = PictureSource(VideoFacts(frame), track: track, first: frame)
    var notices = Notices()
    let plan = try EncodingPlan(source, settings: settings, TranscodeOptions(), &notices)
    notices.add([plan.conversion])
    if let loss = track?.spatialLoss { notices.add(loss) }
    self.notices = notices.all
    let encoder = try plan.makeEncoder()
    let opened = Opened(
      plan: plan, encoder: encoder, conversion: try plan.makeConversion(), first: source,
      format: try plan.trackFormat(encoder, language: source.language))
    self.opened = opened
    return opened
  }
}
