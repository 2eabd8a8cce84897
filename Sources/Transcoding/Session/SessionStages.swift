internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// The stages of a session's pipeline, each of which runs on a thread of its own.
final class SessionStages: Sendable {
  let reader: AssetReader
  let writer: MovieWriter

  /// What is done to pictures between decoder and encoder, in order.
  let pictureStages: [(name: String, run: PictureStage)]

  private let input: String
  private let destination: String
  private let inputs: [AssetWriterInput]
  private let isEncoding: Bool
  private let pictures: PictureSource?
  private let ignoresColor: Bool
  private let meter: ProgressMeter

  init(
    asset: MediaAsset, plan: TranscodePlan, options: TranscodeOptions,
    encoder: (any VideoEncoder)?, samples: BoundedQueue<MovieWriter.Item>, path: String,
    destination: String, meter: ProgressMeter
  ) throws {
    input = asset.path
    self.destination = destination
    self.meter = meter
    isEncoding = encoder != nil
    ignoresColor = options.sourceColor != nil
    let tracks = [plan.video?.track].compactMap { $0 } + plan.sound
    do {
      reader = try AssetReader(
        asset: asset,
        outputs: try tracks.map { track in
          try AssetReaderTrackOutput(
            track: track, decodes: encoder != nil && track.demuxed.kind == .video,
            concealsDamage: options.onError != .stop,
            needsRPUs: plan.video?.encoding?.hdrMetadata.dolbyVision != nil)
        })
      inputs = try tracks.map { try $0.writerInput(plan, encoder, path: asset.path, meter) }
      let composition = plan.video?.composition.map(CompositionStage.init)
      let conversion = try plan.video?.encoding?.makeConversion()
      pictureStages = [
        composition.map { ("compose", $0.run) }, conversion.map { ("convert", $0.run) },
      ].compactMap { $0 }
      pictures = try plan.video.flatMap { $0.encoding == nil ? nil : try PictureSource($0.track) }
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
    do {
      writer = try MovieWriter(
        path: path, container: plan.container, inputs: inputs,
        movieTimescale: plan.movieTimescale, queue: samples)
    } catch {
      throw TranscodingError.meaning(of: error, output: destination)
    }
  }

  /// Reads the file: pictures go on to be converted and encoded, packets to be written.
  func read(into frames: FrameQueue) throws {
    do {
      while let (output, sample) = try reader.copyNextSample() {
        switch sample {
        case .frame(let frame):
          try pictures?.refuseChange(frame, of: input, ignoringColor: ignoresColor)
          try frames.push(frame)
        case .packet(let sample):
          try inputs[output].append(sample)
          advance(sample.packet, of: output)
        }
      }
    } catch {
      throw TranscodingError.meaning(of: error, input: input)
    }
    frames.finish()
    for (index, input) in inputs.enumerated() where !(isEncoding && index == 0) {
      try input.markAsFinished()
    }
  }

  /// Where no pictures are encoded, the first track's packets tell how far the work is.
  private func advance(_ packet: Packet, of output: Int) {
    guard output == 0, let time = packet.presentationTime else { return }
    let timeline = inputs[0].boxes.timeline
    meter.advance(to: timeline.end(of: time, lasting: packet.duration), frames: 0)
  }

  /// Encodes pictures.
  func encode(_ frames: FrameQueue) throws {
    do {
      var count = 0
      while let frame = try frames.pop() {
        try inputs[0].append(frame)
        count += 1
      }
      guard count > 0 else {
        throw TranscodingError(.unusableInput, "\(input): no picture of it is ever presented")
      }
      try inputs[0].markAsFinished()
    } catch {
      throw TranscodingError.meaning(of: error, output: destination)
    }
  }

  /// The inputs for which no sample was read: their tracks have none, or all of them are damaged.
  private var emptyInputs: [Int] { inputs.indices.filter(writer.isEmpty) }

  /// The tracks of the source of which nothing is in the output.
  var emptyTracks: [AssetTrack] { emptyInputs.map { reader.outputs[$0].track } }

  /// - Throws: ``TranscodingError`` where nothing was read, or none of a damaged track's pictures.
  func refuseEmpty() throws {
    let areLost = emptyInputs.contains { index in
      let output = reader.outputs[index]
      return output.track.demuxed.kind == .video && output.damagedCount > 0
    }
    guard areLost || emptyInputs.count == inputs.count else { return }
    let reason = areLost ? "no picture of it can be read" : "it holds no samples"
    throw reader.changeError ?? TranscodingError(.unusableInput, "\(input): \(reason)")
  }

  /// Writes what the inputs are given.
  func write() throws { try writer.write(for: destination) }
}

extension EditTimeline {
  /// When a sample is no longer presented.
  fileprivate func end(of time: MediaTime, lasting duration: MediaTime) -> MediaTime? {
    presentationTime(of: time, lasting: duration).map { $0 + duration }
  }
}

extension AssetTrack {
  /// What takes the track's pictures or packets in the output.
  fileprivate func writerInput(
    _ plan: TranscodePlan, _ encoder: (any VideoEncoder)?, path: String, _ meter: ProgressMeter
  ) throws -> AssetWriterInput {
    let isVideo = demuxed.kind == .video
    if isVideo, let encoding = plan.video?.encoding, let encoder {
      return AssetWriterInput(
        mode: .encode(
          encoder, format: try encoding.trackFormat(encoder, language: demuxed.language)),
        boxes: TrackBoxes(
          timeline: timeline, matrix: encoding.matrix, source: box,
          color: .stated(encoding.encoder.signal), shape: encoding.shape,
          hdrMetadata: encoding.hdrMetadata),
        encoded: { [timeline] sample in
          meter.advance(
            to: timeline.end(of: sample.presentationTime, lasting: sample.duration), frames: 1)
        })
    }
    return AssetWriterInput(
      mode: .copy(demuxed, pictures: isVideo ? try CopiedPictures(demuxed, path: path) : nil),
      boxes: TrackBoxes(
        timeline: timeline, matrix: matrix, source: box,
        color: isVideo && box != nil ? .copied : .none,
        hdrMetadata: isVideo ? plan.video?.copiedMetadata ?? .none : .none))
  }
}
