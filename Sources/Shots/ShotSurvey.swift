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

/// The light of a track's sync samples, each decoded by itself, and of frames between them where
/// those are far apart: it is the same with any number of threads and wherever a clip is cut into
/// segments.
struct ShotSurvey {
  /// The light of a picture.
  struct Sample {
    /// Time of its presentation, in seconds of the track's media timeline.
    let time: Double
    /// The share of the pixels that are brighter than diffuse white.
    let brightShare: Double
    /// The brightest light in cd/m²: what is seen, or what dynamic metadata says.
    let peak: Double
    /// Distance of the light from that of the sync sample before, 0…1; 1 for the first.
    let distance: Double
    /// True if the scene stands still since the sample before; false for the first.
    var isStill = false
    /// The parts of the picture, by which that is known; nil where nothing is held against it.
    var cells: FrameCells?
    /// The time since the sync sample before, in seconds.
    let gap: Double
    /// Time of the cut after which it is another shot than the sample before, in seconds; nil for
    /// none.
    var cut: Double?
  }

  /// A sync sample that is to be looked at.
  private typealias Candidate = (packet: Packet, time: Double, gap: Double)

  /// The samples in the order of presentation.
  private(set) var samples: [Sample] = []
  /// Times of the sync samples that were looked at, also of black ones, in seconds.
  private var seen: [Double] = []
  private var groups = FrameGroups()

  private let source: LightSource
  private let metadata: PacketUnits?
  private var latest: PictureLight?

  /// Multiple of diffuse white from which light counts wholly as a highlight: white of captions,
  /// screens and test charts, which is just diffuse white, is none.
  private static let clearly = 1.25
  /// Light that is this far from that of the sample before may be of another shot, and so may light
  /// of which this much more or less is bright.
  private static let (cutDistance, cutChange) = (0.35, 0.1)
  /// Encoders begin a group of frames early where they see a cut: sooner than this part of the
  /// longest one.
  private static let earlyShare = 0.9
  /// Groups that begin early in a fade follow each other sooner, in seconds.
  private static let fade = 1.0
  /// Shots whose shares of bright pixels differ less have nearly the same curve.
  private static let nearlySame = 0.05
  /// The part of all frames that may be decoded to find cuts, and how many may in any case.
  private static let (searchedShare, searchedCount) = (0.1, 300.0)
  /// Sync samples that follow sooner are not looked at, in seconds: of groups of frames, and where
  /// each frame is one.
  private static let (shortest, shortestOfIntra) = (0.2, 0.5)
  /// Distance of the next sync sample, in seconds, beyond which shots may begin and end unseen.
  private static let longest = 2.0

  /// - Returns: nil for frames whose light cannot be measured.
  init?(_ track: AssetTrack, _ plan: ConversionPlan, hlgPeakLuminance: Double) throws {
    guard plan.source.format.layout == .planar, let size = track.video?.size else { return nil }
    source = LightSource(
      track: track, plan: plan, hlgPeakLuminance: hlgPeakLuminance, size: size)
    metadata = PacketUnits(track.demuxed).flatMap { $0.codec.carriesHDRMetadata ? $0 : nil }
    guard source.meter != nil else { return nil }
    try look(at: track)
    samples.sort { $0.time < $1.time }
    seen = Set(seen).sorted()
    try search()
  }

  private mutating func look(at track: AssetTrack) throws {
    var packets = try TimedPackets(track)
    let most = ProcessInfo.processInfo.activeProcessorCount
    var candidates: [Candidate] = []
    var (sync, taken, isIntra) = (Double?.none, -Double.infinity, false)
    while let (packet, time) = try packets.next() {
      groups.take(size: packet.byteCount, at: time, isSync: packet.isSync)
      defer { isIntra = packet.isSync }
      guard packet.isSync else { continue }
      let gap = sync.map { time - $0 } ?? 0
      sync = time
      let least = isIntra ? Self.shortestOfIntra : Self.shortest
      if (0..<least).contains(time - taken) { continue }
      taken = time
      seen.append(time)
      candidates.append((packet, time, gap))
      if candidates.count == most { take(&candidates) }
    }
    take(&candidates)
    groups.finish()
  }

  /// By how much the share of bright pixels may have changed at a cut before a sample: 0 where it
  /// is of the same shot, or of one with nearly the same curve.
  private func change(at index: Int) -> Double {
    let (one, before) = (samples[index], samples[index - 1])
    let change = abs(one.brightShare - before.brightShare)
    let differs = one.distance > Self.cutDistance || change > Self.cutChange
    return differs && !one.isStill && change > Self.nearlySame ? change : 0
  }

  /// Looks for cuts between sync samples, and takes those for cuts that come early.
  private mutating func search() throws {
    guard let first = seen.first, let last = seen.last else { return }
    var rest = max(
      Self.searchedShare * (groups.end - first),
      Self.searchedCount * source.track.usualFrameDuration.seconds)
    let changed = samples.indices.dropFirst().filter { change(at: $0) > 0 }
    let early = changed.filter { samples[$0].gap < Self.earlyShare * groups.longestGap }
    var spans: [ClosedRange<Double>] = []
    for span in doubtfulSpans(changed, early: early)
    where span.upperBound - span.lowerBound <= rest {
      rest -= span.upperBound - span.lowerBound
      spans.append(span)
    }
    // Behind the last one, as much as may be.
    let isDoubtful =
      groups.end - last > Self.longest || samples.isEmpty
      || groups.mayHideCut(between: last, and: .infinity)
    if isDoubtful, rest > 0 { spans.append(last...max(min(groups.end, last + rest), last)) }
    let searched = Set(spans.map(\.upperBound))
    for index in early where !searched.contains(samples[index].time) {
      samples[index].cut = samples[index].time
    }
    insert(try source.findings(in: Self.joined(spans)))
  }

  /// Spans in order, of which those that follow each other are one: a flash may be where they meet.
  private static func joined(_ spans: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    var joined: [ClosedRange<Double>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, last.upperBound == span.lowerBound {
        joined[joined.count - 1] = last.lowerBound...span.upperBound
      } else {
        joined.append(span)
      }
    }
    return joined
  }

  /// Spans from one sync sample to the next in which there may be a cut, the most important first:
  /// where light changes and no early group tells the cut, where a shot may be hidden, and where
  /// the next one is far away.
  private func doubtfulSpans(_ changed: [Int], early: [Int]) -> [ClosedRange<Double>] {
    var changes: [Double: (change: Double, isTold: Bool)] = [:]
    for (place, index) in changed.enumerated() {
      let others = [place - 1, place + 1].filter(changed.indices.contains).map { changed[$0] }
      let isAlone = others.allSatisfy {
        abs(samples[$0].time - samples[index].time) > Self.fade
      }
      changes[samples[index].time] = (change(at: index), isAlone && early.contains(index))
    }
    let doubtful = zip(seen, seen.dropFirst()).compactMap { start, next in
      let hides = groups.mayHideCut(between: start, and: next)
      let (change, isTold) = changes[next] ?? (0, false)
      let isKnown = change > 0 ? isTold && !hides : !hides && next - start <= Self.longest
      return isKnown ? nil : (change, start...next)
    }
    return doubtful.sorted { $0.0 > $1.0 }.map(\.1)
  }

  /// Inserts what was found between the samples and behind them.
  private mutating func insert(_ findings: [FrameFinding]) {
    var (all, cut, rest) = ([Sample](), Double?.none, findings[...])
    func add(_ sample: Sample) {
      var sample = sample
      (sample.cut, cut) = (sample.cut ?? cut, nil)
      if let cells = sample.cells, let before = all.last?.cells {
        sample.isStill = cells.change(since: before).isStill
      }
      all.append(sample)
    }
    func takeFindings(to time: Double) {
      while let finding = rest.first, finding.time <= time {
        rest.removeFirst()
        if finding.isCut { cut = finding.time }
        guard finding.time < time, let light = finding.light else { continue }
        add(Sample(finding, light, source.plan))
      }
    }
    let flashes = Set(findings.filter(\.isFlash).map(\.time))
    for sample in samples where !flashes.contains(sample.time) {
      takeFindings(to: sample.time)
      add(sample)
    }
    takeFindings(to: .infinity)
    samples = all
  }

  /// Looks at some samples side by side.
  private mutating func take(_ candidates: inout [Candidate]) {
    let found = candidates.map { _ in Exclusive<PictureLight?>(nil) }
    let (source, packets) = (source, candidates.map(\.packet))
    DispatchQueue.concurrentPerform(iterations: packets.count) { index in
      found[index].use { $0 = source.light(of: packets[index]) }
    }
    for (candidate, found) in zip(candidates, found) {
      if let light = found.use({ $0 }) { add(light, candidate) }
    }
    candidates = []
  }

  private mutating func add(_ light: PictureLight, _ candidate: Candidate) {
    let histogram = light.histogram
    samples.append(
      Sample(
        time: candidate.time, brightShare: Self.brightShare(of: histogram, source.plan),
        peak: max(PQ.eotf(histogram.peak), statedPeak(candidate.packet) ?? 0),
        distance: latest.map { histogram.distance(to: $0.histogram) } ?? 1,
        isStill: latest.map { light.cells.change(since: $0.cells).isStill } ?? false,
        cells: light.cells, gap: candidate.gap, cut: nil))
    latest = light
  }

  fileprivate static func brightShare(
    of histogram: LightHistogram, _ plan: ConversionPlan
  ) -> Double {
    let white = plan.brightLuminance
    return histogram.share(
      above: PQ.inverseEOTF(white), wholly: PQ.inverseEOTF(clearly * white))
  }

  /// The brightest light of the shot by the frame's metadata, in cd/m²; nil where none states it.
  private func statedPeak(_ packet: Packet) -> Double? {
    guard let units = metadata?.split(packet).own else { return nil }
    var stated = FrameMetadata()
    stated.take(units)
    return stated.peakLuminance
  }
}

extension ShotSurvey.Sample {
  /// A frame between two sync samples.
  fileprivate init(
    _ finding: FrameFinding, _ light: PictureLight, _ plan: ConversionPlan
  ) {
    self.init(
      time: finding.time, brightShare: ShotSurvey.brightShare(of: light.histogram, plan),
      peak: PQ.eotf(light.histogram.peak), distance: 0, cells: light.cells, gap: 0,
      cut: nil)
  }

  /// The light of one picture; nil for one whose light cannot be measured, or that is black.
  init?(of picture: PixelBuffer, _ plan: ConversionPlan, hlgPeakLuminance: Double) {
    guard plan.source.format.layout == .planar, picture.format == plan.source.format,
      let meter = LightMeter(plan.source, width: picture.width, peakLuminance: hlgPeakLuminance)
    else { return nil }
    let histogram = meter.histogram(of: picture, step: LightSource.rowStep)
    guard histogram.total > 0 else { return nil }
    self.init(
      time: 0, brightShare: ShotSurvey.brightShare(of: histogram, plan),
      peak: PQ.eotf(histogram.peak), distance: 1, gap: 0, cut: nil)
  }
}
