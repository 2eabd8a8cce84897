// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorScience
internal import Dispatch
internal import DolbyVision
internal import FoundationEssentials
internal import LibAV
internal import MediaCore
internal import NALUnits

/// The light of a track's sync samples, each decoded by itself: it is the same with any number of
/// threads and wherever a clip is cut into segments.
struct ShotSurvey {
  /// The light of a picture.
  struct Sample {
    /// Time of its presentation, in seconds of the track's media timeline.
    let time: Double
    /// The share of the pixels that are brighter than diffuse white.
    let brightShare: Double
    /// The brightest light in cd/m²: what is seen, or what dynamic metadata says.
    let peak: Double
    /// Distance of the light from that of the sample before, 0…1; 1 for the first.
    let distance: Double
    /// The share of the picture that is as in the sample before, 0…1; 0 for the first.
    var unchangedShare = 0.0
    /// The time since the sync sample before, in seconds.
    let gap: Double
    /// Time of the cut after which it is another shot than the sample before, in seconds; nil for
    /// none.
    var cut: Double?
  }

  /// A sync sample that is to be looked at.
  private struct Candidate: Sendable {
    let packet: Packet
    let time: Double
    let gap: Double
  }

  /// The samples in the order of presentation.
  private(set) var samples: [Sample] = []
  /// The longest time from one sync sample to the next, in seconds.
  private var longestGap = 0.0

  private let source: Source
  private let metadata: PacketUnits?
  private var latest: Look?

  /// Multiple of diffuse white from which light counts wholly as a highlight: white of captions,
  /// screens and test charts, which is just diffuse white, is none.
  private static let clearly = 1.25
  /// A scene of which so much does not change stands still: it is the same shot.
  static let stillShare = 0.5
  /// Light that is this far from that of the sample before may be of another shot.
  private static let cutDistance = 0.35
  /// Encoders begin a group of frames early where they see a cut: sooner than this part of the
  /// longest one.
  private static let earlyShare = 0.9
  /// Shots whose shares of bright pixels differ less have nearly the same curve.
  private static let nearlySame = 0.05
  /// The part of all frames that may be decoded to find cuts, and how many may in any case.
  private static let (searchedShare, searchedCount) = (0.1, 150.0)
  /// Sync samples that follow sooner are not looked at, in seconds.
  private static let shortest = 0.5
  /// So many rows lie between two whose pixels are counted.
  fileprivate static let rowStep = 8

  /// - Returns: nil for frames whose light cannot be measured.
  init?(_ track: AssetTrack, _ plan: ConversionPlan, hlgPeakLuminance: Double) throws {
    guard plan.source.format.layout == .planar, let size = track.video?.size else { return nil }
    source = Source(track: track, plan: plan, hlgPeakLuminance: hlgPeakLuminance, size: size)
    metadata = PacketUnits(track.demuxed).flatMap { $0.codec == .hevc ? $0 : nil }
    guard source.meter != nil else { return nil }
    try look(at: track)
    samples.sort { $0.time < $1.time }
    try findCuts(in: track)
  }

  private mutating func look(at track: AssetTrack) throws {
    var packets = try TrackPackets(track)
    let most = ProcessInfo.processInfo.activeProcessorCount
    var candidates: [Candidate] = []
    var sync: Double?
    var taken = -Double.infinity
    while let (packet, time) = try packets.next() {
      guard packet.isSync else { continue }
      let gap = sync.map { time - $0 } ?? 0
      sync = time
      longestGap = max(longestGap, gap)
      if (0..<Self.shortest).contains(time - taken) { continue }
      taken = time
      candidates.append(Candidate(packet: packet, time: time, gap: gap))
      if candidates.count == most { take(&candidates) }
    }
    take(&candidates)
  }

  /// Finds cuts: where frames of other light come early there is one. Elsewhere it is looked for
  /// between the two, first where it makes the largest difference.
  private mutating func findCuts(in track: AssetTrack) throws {
    var unknown: [Int] = []
    for index in samples.indices.dropFirst()
    where samples[index].distance > Self.cutDistance
      && samples[index].unchangedShare < Self.stillShare
    {
      if samples[index].gap < Self.earlyShare * longestGap {
        samples[index].cut = samples[index].time
      } else if change(at: index) > Self.nearlySame {
        unknown.append(index)
      }
    }
    guard !unknown.isEmpty, let first = samples.first, let last = samples.last else { return }
    let rate = track.demuxed.averageFrameRate?.framesPerSecond ?? 30
    var rest = max(Self.searchedShare * (last.time - first.time) * rate, Self.searchedCount)
    var chosen: [Int] = []
    for index in unknown.sorted(by: { change(at: $0) > change(at: $1) }) {
      let count = (samples[index].time - samples[index - 1].time) * rate
      guard count <= rest else { continue }
      rest -= count
      chosen.append(index)
    }
    chosen.sort()
    let search = CutSearch(chosen.map { samples[$0 - 1].time...samples[$0].time })
    for (index, cut) in zip(chosen, try search.cuts(in: track)) { samples[index].cut = cut }
  }

  /// By how much the share of bright pixels changes.
  private func change(at index: Int) -> Double {
    abs(samples[index].brightShare - samples[index - 1].brightShare)
  }

  /// Looks at some samples side by side.
  private mutating func take(_ candidates: inout [Candidate]) {
    let found = candidates.map { _ in Exclusive<Look?>(nil) }
    let (source, packets) = (source, candidates.map(\.packet))
    DispatchQueue.concurrentPerform(iterations: packets.count) { index in
      found[index].use { $0 = source.look(at: packets[index], step: Self.rowStep) }
    }
    for (candidate, found) in zip(candidates, found) {
      // Of black frames there is nothing to know.
      guard let look = found.use({ $0 }), look.histogram.total > 0 else { continue }
      add(look, candidate)
    }
    candidates = []
  }

  private mutating func add(_ look: Look, _ candidate: Candidate) {
    let histogram = look.histogram
    samples.append(
      Sample(
        time: candidate.time, brightShare: Self.brightShare(of: histogram, source.plan),
        peak: max(PQ.eotf(histogram.peak), statedPeak(candidate.packet) ?? 0),
        distance: latest.map { histogram.distance(to: $0.histogram) } ?? 1,
        unchangedShare: latest.map { look.cells.unchangedShare(since: $0.cells) } ?? 0,
        gap: candidate.gap, cut: nil))
    latest = look
  }

  fileprivate static func brightShare(
    of histogram: LightHistogram, _ plan: ConversionPlan
  ) -> Double {
    let white = plan.brightLuminance
    return histogram.share(
      above: PQ.inverseEOTF(white), wholly: PQ.inverseEOTF(clearly * white))
  }

  /// The brightest light of the shot by HDR10+ or Dolby Vision's level 1, in cd/m²; nil where
  /// neither is there.
  private func statedPeak(_ packet: Packet) -> Double? {
    guard let units = metadata?.split(packet).own else { return nil }
    let messages = units.lazy.filter { $0.type == .hevc(.prefixSEI) }.flatMap(SEIMessage.messages)
    if let peak = messages.lazy.compactMap(\.hdr10PlusPeak).first { return peak }
    let rpu = units.last(where: \.isDolbyVisionRPU)?.dolbyVisionRPU
    let level = rpu.flatMap { try? ReferenceProcessingUnit(dolbyVisionRPU: $0) }?
      .displayManagement?.level1
    return level.map { PQ.eotf(Double($0.maxPQ) / 4095) }
  }
}

extension ShotSurvey.Sample {
  /// The light of one picture; nil for one whose light cannot be measured, or that is black.
  init?(of picture: PixelBuffer, _ plan: ConversionPlan, hlgPeakLuminance: Double) {
    guard plan.source.format.layout == .planar, picture.format == plan.source.format,
      let meter = LightMeter(plan.source, width: picture.width, peakLuminance: hlgPeakLuminance)
    else { return nil }
    let histogram = meter.histogram(of: picture, step: ShotSurvey.rowStep)
    guard histogram.total > 0 else { return nil }
    self.init(
      time: 0, brightShare: ShotSurvey.brightShare(of: histogram, plan),
      peak: PQ.eotf(histogram.peak), distance: 1, gap: 0, cut: nil)
  }
}

extension ShotSurvey {
  /// Light of a sync sample, and where it is.
  fileprivate struct Look: Sendable {
    let histogram: LightHistogram
    let cells: FrameCells
  }

  /// A source whose samples are decoded and measured, on any thread.
  fileprivate struct Source: Sendable {
    let track: AssetTrack
    let plan: ConversionPlan
    let hlgPeakLuminance: Double
    let size: VideoDimensions

    /// A meter; nil where the light of the frames is not known.
    var meter: LightMeter? {
      LightMeter(plan.source, width: size.width, peakLuminance: hlgPeakLuminance)
    }

    /// - Returns: nil for a packet that cannot be decoded, and for a frame unlike the first.
    func look(at packet: Packet, step: Int) -> Look? {
      guard let decoder = try? VideoDecoder(track: track.demuxed, onePicture: true) else {
        return nil
      }
      try? decoder.send(packet)
      var frame = try? decoder.receive()
      if frame == nil {
        try? decoder.send(nil)
        frame = try? decoder.receive()
      }
      guard let picture = frame?.pixelBuffer, picture.format == plan.source.format,
        picture.size == size
      else { return nil }
      return meter.map { meter in
        Look(histogram: meter.histogram(of: picture, step: step), cells: FrameCells(of: picture))
      }
    }
  }
}
