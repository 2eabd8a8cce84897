// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Reading
internal import Settings
internal import VideoEncoders

extension TranscodePlan {
  /// If the source's video already is what the plan would turn it into, returns a description of
  /// that video, such as `SDR H.264`. Returns `nil` if the video has to be encoded.
  ///
  /// - Throws: ``TranscodingError`` if samples cannot be read; `CancellationError`.
  package func alreadyMade() async throws -> String? {
    guard let video else { return nil }
    return try await Pipeline.onThread("look") { [container] checkpoint in
      do {
        return try video.alreadyMade(for: container, checkpoint: checkpoint)
      } catch {
        throw TranscodingError.meaning(of: error, input: video.track.path)
      }
    }
  }
}

extension VideoPlan {
  fileprivate func alreadyMade(
    for container: FileType, checkpoint: Pipeline.Checkpoint
  ) throws -> String? {
    guard let encoding, track.video?.bitstream?.codecName == encoding.codec.rawValue,
      container.isMovie, container.holds(track),
      shape?.steps.isEmpty == true, composition == nil, track.span == nil, isPlayedEverywhere,
      encoding.isUnchanged, try encoding.settings.limits(track, checkpoint)
    else { return nil }
    let range = encoding.signal.tags.signal.color.transferCharacteristics.dynamicRangeText
    return "\(range) \(encoding.codec.name)"
  }

  /// Whether all players of movies can play the track as it is. Apple's players do not know sample
  /// entries that announce parameter sets inside samples (`hev1`). If the file is not a movie, the
  /// result is `false`, because samples may contain parameter sets that nothing announces.
  private var isPlayedEverywhere: Bool {
    guard let entries = track.box?.sampleEntries, entries.count == 1 else { return false }
    let isUsual =
      VideoSampleEntry(entries[0].format).map { $0.holdsAllParameterSets && !$0.isDolbyVision }
      ?? (entries[0].format == encoding?.codec.sampleEntry)
    return isUsual && !track.isEncrypted && track.spatialLoss == nil
  }
}

extension EncodingPlan {
  /// Whether encoding would keep every frame as it is, with its tags and its metadata.
  fileprivate var isUnchanged: Bool {
    let source = frameSource.facts
    guard source.bitstream?.isOfUsualProfile == true, !source.isReshaped else { return false }
    // If the output states more than the source, or if the user says that the source's tags are
    // wrong, copied samples would not state what the output has to state.
    let isTagged =
      source.tags.signal.color == encoder.signal.color && source.tags.conflicts.isEmpty
      && signal.tags.conflicts.isEmpty
    return conversion.isIdentity && isTagged && source.format == encoder.format
      && source.tags.signal.videoFullRangeFlag ?? false
        == encoder.signal.videoFullRangeFlag ?? false
      && geometry.size == source.size && geometry.scaling == nil
      && matrix == frameSource.matrix
      && shape
        == FrameShape(
          cleanAperture: frameSource.cleanAperture, fieldOrder: source.fieldOrder,
          pixelAspectRatio: frameSource.sampleAspectRatio)
      && !source.hasAlpha && !hdrMetadata.needsDecodedFrames
      && hdrMetadata.lost(of: source.facts).isEmpty && hdrMetadata.recordFaults.isEmpty
      && !hdrMetadata.assumesAmbientViewingEnvironment && !settings.statesHDRMetadata
      && settings.profileLevel == nil && settings.rateControl != .lossless
  }
}

extension VideoSettings {
  /// Returns whether a track's data rate is within the limits, and not above the requested average.
  fileprivate func limits(_ track: AssetTrack, _ checkpoint: Pipeline.Checkpoint) throws -> Bool {
    var average: Double?
    if case .averageBitRate(let rate)? = rateControl { average = Double(rate) }
    guard average != nil || !dataRateLimits.isEmpty else { return true }
    var samples: [(time: Double, size: Int)] = []
    var packets = try TrackPackets(track, decodes: false)
    while let packet = try packets.next() {
      try checkpoint()
      // Without times, no rate is known.
      guard let time = packet.decodeTimeStamp ?? packet.presentationTimeStamp else { return false }
      samples.append((time.seconds, packet.bytes.count))
    }
    guard let first = samples.first, let last = samples.last else { return false }
    let bits = samples.reduce(0.0) { $0 + 8 * Double($1.size) }
    // The last sample has a duration, too. Assume the average duration of the other samples.
    let seconds = (last.time - first.time) * (1 + 1 / Double(max(samples.count - 1, 1)))
    if let average, bits > average * max(seconds, 0) { return false }
    return dataRateLimits.allSatisfy { $0.holds(samples) }
  }
}

extension VideoSettings.DataRateLimit {
  /// Returns whether every span of samples stays within the limit. The limit states how long a span
  /// lasts and how many bytes it may have. Pass samples in decoding order.
  fileprivate func holds(_ samples: [(time: Double, size: Int)]) -> Bool {
    var (start, sum) = (samples.startIndex, 0)
    for sample in samples {
      sum += sample.size
      while samples[start].time <= sample.time - seconds {
        sum -= samples[start].size
        start += 1
      }
      if sum > bytes { return false }
    }
    return true
  }
}
