// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import Settings

/// Decides for each audio track whether it is copied, encoded or left out.
struct AudioPlanner {
  /// The audio tracks of the output.
  private(set) var plans: [AudioPlan] = []
  /// Notices about tracks that are not simply copied.
  private(set) var notices: [Notice] = []
  /// The tracks that are left out. Each one has a notice.
  private(set) var leftOut: [AssetTrack] = []

  /// The kind of movie in which samples are collected before the container is written.
  let movieType: FileType

  private let settings: AudioSettings
  private let container: FileType
  /// The other containers that can store the video. A notice may name the first of them that can
  /// also store the audio.
  private let others: [FileType]
  /// Whether the source has the same kind of container as the output. If so, a player that plays
  /// the source also plays the output, so even a codec that few players know is kept. Always
  /// `false` for QuickTime and WebM: their tables of codecs list all that libavformat writes
  /// correctly, so a codec that is not listed cannot be kept.
  private let isOfSourcesKind: Bool

  /// Plans an asset's audio tracks for the kind of movie in which the fewest of them are changed or
  /// lost.
  ///
  /// - Parameters:
  ///   - movieTypes: the kinds of movie that can store the video.
  ///   - others: the other containers that can store the video.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the settings ask for audio that
  ///   the container cannot store.
  static func best(
    for asset: MediaAsset, _ settings: TranscodeSettings, container: FileType,
    movieTypes: [FileType], others: [FileType]
  ) throws -> AudioPlanner {
    for track in asset.tracks where track.isAudio && settings.tracks.audio.contains(track) {
      try settings.audio.rules.first { $0.matches(track) }?.refuse(in: container)
    }
    let planners = movieTypes.map { movieType in
      AudioPlanner(asset, settings, container: container, movieType: movieType, others)
    }
    // Each track that is changed or lost has a notice, so fewer notices are better. But changing a
    // track in several ways is better than losing it.
    let best = planners.min {
      ($0.leftOut.count, $0.notices.count) < ($1.leftOut.count, $1.notices.count)
    }
    return best
      ?? AudioPlanner(asset, settings, container: container, movieType: container, others)
  }

  private init(
    _ asset: MediaAsset, _ settings: TranscodeSettings, container: FileType, movieType: FileType,
    _ others: [FileType]
  ) {
    self.settings = settings.audio
    self.others = others
    self.container = container
    self.movieType = movieType
    isOfSourcesKind = container.keepsUnknownAudio && asset.isOfKind(container)
    for track in asset.tracks where track.isAudio && settings.tracks.audio.contains(track) {
      decide(track)
    }
  }

  private mutating func decide(_ track: AssetTrack) {
    // If FFmpeg does not know the codec, the track gets no plan here. ``CarriedTracks`` copies such
    // tracks between movies, in the same way as timed metadata. If the container cannot store the
    // codec, the track is left out.
    if !track.demuxed.codec.isKnown {
      if settings != .none, !container.knowsAudio(track.codecName) {
        leaveOut(track, because: .decoder)
      }
      return
    }
    if let rule = settings.rules.first(where: { $0.matches(track) }) {
      encode(track, by: rule)
      return
    }
    switch settings.treatment {
    case .none: break
    case .passthrough: copy(track)
    case .auto:
      if isOfSourcesKind || container.knowsAudio(track.codecName), holds(track) {
        plans.append(AudioPlan(track: track))
      } else {
        encode(track, as: usualCodec)
      }
    }
  }

  /// The codec to encode with if the settings name none that the container can store.
  private var usualCodec: AudioCodec { AudioCodec(rawValue: container.encodedAudio) ?? .aac }

  /// Returns whether the track's samples can be copied.
  private func holds(_ track: AssetTrack) -> Bool {
    // For a container that is not a movie, samples are first collected in a movie. That movie
    // accepts every codec whose samples movies leave as they are. Any other codec must be one that
    // both the movie and the container can store.
    let isMovie = container.isMovie
    guard isMovie || track.demuxed.codec.isChangedByMovies else { return container.holds(track) }
    return movieType.holds(track) && (isMovie || container.holds(track))
  }

  /// Returns the reason why samples are not copied.
  ///
  /// - Parameter isPlayed: whether the container's players know the codec.
  private func reasonNotToCopy(of track: AssetTrack, isPlayed: Bool = true) -> String {
    let (name, container) = (track.codecName, ".\(container.rawValue)")
    // Readers of TTA in Matroska derive the number of samples from the duration, and fail if the
    // file has a different number of samples.
    if !self.container.countsSamples, track.demuxed.codec.countsByDuration {
      return "readers of \(container) derive the number of \(name) samples from the file's "
        + "duration, which a copy cannot state exactly"
    }
    return isPlayed
      ? "codec \(name) cannot be stored in \(container)"
      : "\(container) and its players do not support \(name)"
  }

  private mutating func copy(_ track: AssetTrack) {
    if holds(track) {
      plans.append(AudioPlan(track: track))
      return
    }
    let other = others.first { $0.holds(track) }
    leftOut.append(track)
    notices.append(
      .audioNotStorable(
        track.id, track.codecName, in: container, other: other, because: reasonNotToCopy(of: track))
    )
  }

  private mutating func encode(_ track: AssetTrack, by rule: AudioRule) {
    do throws(AudioObstacle) {
      let encoding = try AudioPlan.encoding(
        of: track, as: rule.codec, by: rule, in: [container, movieType])
      if let wanted = rule.bitRate, let taken = encoding.bitRate, taken != wanted {
        notices.append(.audioBitRateBounded(track.id, rule.codec, from: wanted, to: taken))
      }
      plans.append(
        AudioPlan(track: track, encoding: encoding, reason: "the settings ask for it"))
    } catch {
      fallBack(track, rule, because: error)
    }
  }

  private mutating func fallBack(
    _ track: AssetTrack, _ rule: AudioRule, because obstacle: AudioObstacle
  ) {
    switch rule.fallback {
    case .none: leaveOut(track, because: obstacle)
    case .passthrough: copy(track)
    case .encode(let wanted):
      // WebM does not hold AAC, the usual fallback.
      let codec = container.knowsAudio(wanted.rawValue) ? wanted : usualCodec
      do throws(AudioObstacle) {
        let encoding = try encoding(of: track, as: codec, by: rule)
        if codec != rule.codec {
          notices.append(.audioFallback(track.id, track.codecName, as: codec, because: obstacle))
        }
        plans.append(AudioPlan(track: track, encoding: encoding, reason: "\(obstacle)"))
      } catch {
        leaveOut(track, because: error)
      }
    }
  }

  /// Encodes a track because its own codec cannot be kept.
  private mutating func encode(_ track: AssetTrack, as codec: AudioCodec) {
    let name = track.codecName
    do throws(AudioObstacle) {
      let encoding = try encoding(of: track, as: codec, by: AudioRule())
      // If the source is the same kind of file, players of such files know the codec, so the reason
      // must be something else.
      let reason = reasonNotToCopy(
        of: track, isPlayed: container.knowsAudio(name) || isOfSourcesKind)
      notices.append(.audioEncoded(track.id, name, as: codec, because: reason))
      plans.append(AudioPlan(track: track, encoding: encoding, reason: reason))
    } catch {
      // An unusual codec is better than no audio. So if the track cannot be encoded, copy it,
      // provided that the container can store it.
      if holds(track) {
        plans.append(AudioPlan(track: track, reason: "\(error)"))
      } else {
        leaveOut(track, because: error)
      }
    }
  }

  /// Returns settings for a codec that was chosen without regard to the track's channels. If the
  /// codec does not support them, they are mixed down to the largest layout that it supports.
  private mutating func encoding(
    of track: AssetTrack, as codec: AudioCodec, by rule: AudioRule
  ) throws(AudioObstacle) -> AudioEncoderSettings {
    do throws(AudioObstacle) {
      return try AudioPlan.encoding(of: track, as: codec, by: rule, in: [container, movieType])
    } catch {
      guard case .channels(_, let layout) = error else { throw error }
      let encoding = try AudioPlan.encoding(
        of: track, as: codec, by: rule, in: [container, movieType],
        channels: codec.largestLayout(within: layout) ?? .stereo)
      notices.append(.audioMixed(track.id, track.codecName, from: layout, to: encoding.layout))
      return encoding
    }
  }

  private mutating func leaveOut(_ track: AssetTrack, because obstacle: AudioObstacle) {
    leftOut.append(track)
    notices.append(.audioNotCarried(track.id, track.codecName, because: obstacle))
  }
}

extension AudioRule {
  fileprivate func matches(_ track: AssetTrack) -> Bool {
    // A rule without a language matches every track.
    guard let language else { return true }
    return TrackSelection.isSameLanguage(language, track.demuxed.language)
  }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the rule's fallback is a codec,
  ///   and a container can store neither that codec nor the rule's own.
  fileprivate func refuse(in container: FileType) throws {
    func holdsEither(_ type: FileType) -> Bool {
      guard case .encode(let other) = fallback else { return true }
      return [codec, other].contains { type.knowsAudio($0.rawValue) }
    }
    guard !holdsEither(container) else { return }
    let taken = AudioCodec.allCases.map(\.rawValue).filter(container.knowsAudio)
    let others = container.others.filter(holdsEither)
    let advice = others.isEmpty ? "" : ", or write \(FileType.names(of: others))"
    // Say where the fallback comes from. It may be the default, which the user did not choose.
    var lack = ""
    if case .encode(let other) = fallback, other != codec {
      lack = ", nor can \(other.rawValue), the codec of audio.fallback"
    }
    throw TranscodingError(
      .invalidSettings,
      "audio of codec \(codec.rawValue) cannot be stored in .\(container.rawValue)\(lack); encode "
        + "it as \(taken.alternatives)\(advice)")
  }
}

extension AssetTrack {
  fileprivate var id: Int { demuxed.id }
  fileprivate var codecName: String { demuxed.codec.codecName }

  /// Whether the track is audio that needs a decision: FFmpeg knows its codec, or some container
  /// can store it.
  fileprivate var isAudio: Bool {
    demuxed.kind == .audio
      && (demuxed.codec.isKnown || FileType.all.contains { $0.knowsAudio(codecName) })
  }
}
