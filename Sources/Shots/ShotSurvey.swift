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
internal import Reading

/// The light of a track's sync samples and of some frames between them. Each sync sample is decoded
/// by itself.
struct ShotSurvey {
  struct Sample {
    /// Presentation time, in seconds on the track's media timeline.
    let time: Double
    /// The light of the frame.
    let histogram: LightHistogram
    /// The brightest light in cd/m², measured or given by dynamic metadata.
    var peak: Double
    /// How much the light differs from the previous sync sample's, 0…1. It is 1 for the first sync
    /// sample, and 0 for frames between sync samples.
    let distance: Double
    /// Whether the scene has stood still since the previous sample.
    var isStill = false
    /// The cells that show whether the scene stands still, or `nil` if nothing is compared.
    var cells: FrameCells?
    /// The share of luma samples that are brighter than white, and the share that are much
    /// brighter, 0…1.
    let (brightLuma, glareLuma): (Double, Double)
    /// Seconds since the previous sync sample; 0 for the first one and for frames in between.
    let gap: Double
    /// The time of a cut after the previous sample and up to this one, in seconds.
    var cut: Double?
    /// The longest time from one frame to the next since the previous sample, in seconds.
    var interval = 0.0
  }

  private typealias Candidate = (
    packet: Packet, found: FrameMetadataReader.Found?, time: Double, gap: Double
  )

  // The result must be the same with any number of threads and wherever a clip is cut into
  // segments. Otherwise, neighboring segments would get different tone curves.

  /// The samples in presentation order.
  private(set) var samples: [Sample] = []
  /// The latest presentation time, in seconds.
  var end: Double { groups.end }
  /// Times, in seconds, of the sync samples chosen for measuring, even of black or damaged ones.
  private var seen: [Double] = []
  /// Times of all frames, in seconds.
  private var times: [Double] = []
  private var groups = FrameGroups()

  private let source: LightSource
  private let metadata: PacketMetadata?
  private var latest: FrameLight?
  /// The brightest light that dynamic metadata of sync samples states, by time.
  private var statedPeaks: [(time: Double, peak: Double)] = []

  /// A sample may belong to a different shot than the previous sample if their histograms differ by
  /// more than `cutDistance`, or their shares of bright pixels by more than `cutChange`.
  private static let (cutDistance, cutChange) = (0.35, 0.1)
  /// If a group is shorter than this part of the longest one, the next group began early, because
  /// the encoder saw a cut.
  private static let earlyShare = 0.9
  /// Early groups that are closer together than this, in seconds, come from a fade. Encoders that
  /// look for scene changes start several groups in one fade.
  private static let fade = 1.0
  /// Two shots whose shares of bright pixels differ by less than this get nearly the same curve, so
  /// a cut between them does not matter.
  private static let nearlySame = 0.05
  /// How many frames may be decoded to find cuts: a tenth of all frames, or 300 if that is more.
  /// Decoding all frames would take as long as a transcode's own decoding, and would delay the
  /// first encoded frame by that much.
  private static let (searchedShare, searchedCount) = (0.1, 300.0)
  /// If a clip has no more frames than `searchedCount`, and together they have no more luma samples
  /// than this, all of its frames are decoded. Then it makes no difference where an encoder placed
  /// sync samples.
  private static let smallClip = 300 * 1024 * 576.0
  /// A sync sample is skipped if it comes less than this, in seconds, after the last sync sample
  /// that was not skipped. The limit is `shortestOfIntra` if the packet before is a sync sample,
  /// too, as in intra-only video. In other video, it is `shortest`.
  private static let (shortest, shortestOfIntra) = (0.2, 0.5)
  /// If the next sync sample is farther away than this, in seconds, a whole shot may be in between.
  private static let longest = 2.0

  /// - Returns: `nil` if the light of the frames cannot be measured.
  init?(_ track: AssetTrack, _ plan: ConversionPlan, hlgPeakLuminance: Double) throws {
    guard plan.source.format.layout == .planar, let size = track.video?.size else { return nil }
    source = LightSource(
      track: track, plan: plan, hlgPeakLuminance: hlgPeakLuminance, size: size)
    metadata = PacketMetadata(track.demuxed)
    guard source.meter != nil else { return nil }
    try look(at: track)
    // Packets come in file order. Leading frames and edits make this order differ from presentation
    // order, but everything below compares frames that are neighbors in time.
    samples.sort { $0.time < $1.time }
    seen = Set(seen).sorted()
    try search()
    noteIntervals()
  }

  private mutating func noteIntervals() {
    times.sort()
    var frame = 0
    for index in samples.indices.dropFirst() {
      while frame + 1 < times.count, times[frame + 1] <= samples[index].time {
        samples[index].interval = max(samples[index].interval, times[frame + 1] - times[frame])
        frame += 1
      }
    }
  }

  private mutating func look(at track: AssetTrack) throws {
    var packets = try TimedPackets(track)
    var reader = ReshapingDecoder.metadata(of: track) { try Task.checkCancellation() }
    let most = ProcessInfo.processInfo.activeProcessorCount
    var candidates: [Candidate] = []
    var (sync, taken, isIntra) = (Double?.none, -Double.infinity, false)
    while let (packet, time) = try packets.next() {
      let found = try reader?.read(packet)
      groups.take(size: packet.byteCount, at: time, isSync: packet.isSync)
      times.append(time)
      defer { isIntra = packet.isSync }
      guard packet.isSync else { continue }
      let gap = sync.map { time - $0 } ?? 0
      sync = time
      let least = isIntra ? Self.shortestOfIntra : Self.shortest
      if (0..<least).contains(time - taken) { continue }
      taken = time
      seen.append(time)
      candidates.append((packet, found, time, gap))
      // A batch has one packet for each core. A larger one would only keep more packets in memory.
      if candidates.count == most { take(&candidates) }
    }
    take(&candidates)
    groups.finish()
  }

  /// Returns how much the share of bright pixels changed from the previous sample to this one.
  /// Returns 0 if both samples seem to belong to one shot, or to shots with nearly the same curve.
  private func change(at index: Int) -> Double {
    let (one, before) = (samples[index], samples[index - 1])
    let change = abs(brightShare(of: one) - brightShare(of: before))
    let differs = one.distance > Self.cutDistance || change > Self.cutChange
    return differs && !one.isStill && change > Self.nearlySame ? change : 0
  }

  /// Decodes frames between sync samples to find cuts. Where nothing is decoded, sync samples that
  /// come early and differ in light from the previous one count as cuts.
  private mutating func search() throws {
    // `rest` is how much may still be decoded, in seconds of video. Spans are taken in order of
    // importance. A span that is longer than `rest` is passed over in favor of less important ones.
    guard let first = seen.first, let last = seen.last else { return }
    var rest = max(
      Self.searchedShare * (groups.end - first),
      Self.searchedCount * source.track.usualFrameDuration.seconds)
    let changed = samples.indices.dropFirst().filter { change(at: $0) > 0 }
    let early = changed.filter { samples[$0].gap < Self.earlyShare * groups.longestGap }
    var spans: [ClosedRange<Double>] = []
    let (duration, frame) = (groups.end - first, source.track.usualFrameDuration.seconds)
    let samplesOfFrame = Double(source.size.width * source.size.height)
    if duration <= rest, duration / frame * samplesOfFrame <= Self.smallClip, groups.end > first {
      samples.removeAll { $0.time != first }
      insert(try source.findings(in: [first...groups.end]))
      for (time, peak) in statedPeaks {
        guard let index = samples.lastIndex(where: { $0.time <= time }) else { continue }
        samples[index].peak = max(samples[index].peak, peak)
      }
      return
    }
    for span in doubtfulSpans(changed, early: early)
    where span.upperBound - span.lowerBound <= rest {
      rest -= span.upperBound - span.lowerBound
      spans.append(span)
    }
    // No sync sample follows the last one, so no comparison can show a cut there. If the frames
    // after it may hide a cut, search as many of them as `rest` permits.
    let isDoubtful =
      groups.end - last > Self.longest || samples.isEmpty
      || groups.mayHideCut(between: last, and: .infinity)
    if isDoubtful, rest > 0 { spans.append(last...max(min(groups.end, last + rest), last)) }
    let searched = Set(spans.map(\.upperBound))
    for index in early where !searched.contains(samples[index].time) {
      samples[index].cut = samples[index].time
    }
    insert(try source.findings(in: Self.joined(spans)))
    try searchWhole(except: spans)
  }

  /// Decodes the rest of a file that seems to have been made from SDR.
  private mutating func searchWhole(except searched: [ClosedRange<Double>]) throws {
    // Such a file gets a curve that clips all light above white. If a frame between the samples had
    // light above white, all of that light would be lost.
    let white = source.plan.brightLuminance
    guard !samples.isEmpty, !samples.contains(where: { $0.isBrighter(than: white) }) else { return }
    let ends = seen + (groups.end > seen.last ?? .infinity ? [groups.end] : [])
    let spans = zip(ends, ends.dropFirst()).map { $0...$1 }.filter { !searched.contains($0) }
    insert(try source.findings(in: Self.joined(spans)))
  }

  /// Sorts spans and joins those that touch, because a flash may be where they meet.
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

  /// Returns spans between neighboring sync samples that may contain a cut, the most important
  /// first.
  private func doubtfulSpans(_ changed: [Int], early: [Int]) -> [ClosedRange<Double>] {
    var changes: [Double: (change: Double, isTold: Bool)] = [:]
    // A span is doubtful for one of three reasons: its ends differ in light, but no single early
    // group marks the cut; its ends are alike, but far apart; or a large packet in it may begin a
    // shot.
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

  /// Inserts findings between the samples and after them.
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
        add(Sample(finding, light))
      }
    }
    // A sync sample that turned out to be a flash would pull the shot's curve toward its light, so
    // leave it out.
    let flashes = Set(findings.filter(\.isFlash).map(\.time))
    for sample in samples where !flashes.contains(sample.time) {
      takeFindings(to: sample.time)
      add(sample)
    }
    takeFindings(to: .infinity)
    samples = all
  }

  /// Measures candidates on all cores.
  private mutating func take(_ candidates: inout [Candidate]) {
    let found = candidates.map { _ in Exclusive<FrameLight?>(nil) }
    let (source, samples) = (source, candidates.map { ($0.packet, $0.found) })
    DispatchQueue.concurrentPerform(iterations: samples.count) { index in
      let (packet, metadata) = samples[index]
      found[index].use { $0 = source.light(of: packet, metadata) }
    }
    for (candidate, found) in zip(candidates, found) {
      if let light = found.use({ $0 }) { add(light, candidate) }
    }
    candidates = []
  }

  private mutating func add(_ light: FrameLight, _ candidate: Candidate) {
    let histogram = light.histogram
    // Dynamic metadata may state the light of a spot that appears only in a later frame of the
    // shot, and that is brighter than anything in this frame.
    let stated = statedPeak(candidate.packet) ?? 0
    statedPeaks.append((candidate.time, stated))
    samples.append(
      Sample(
        time: candidate.time, histogram: histogram,
        peak: max(PQ.eotf(histogram.peak), stated),
        distance: latest.map { histogram.distance(to: $0.histogram) } ?? 1,
        isStill: latest.map { light.cells.change(since: $0.cells).isStill } ?? false,
        cells: light.cells, brightLuma: light.cells.brightShare,
        glareLuma: light.cells.glareShare, gap: candidate.gap, cut: nil))
    latest = light
  }

  /// Returns the share of pixels brighter than diffuse white.
  private func brightShare(of sample: Sample) -> Double {
    sample.histogram.share(
      above: PQ.inverseEOTF(source.plan.brightLuminance), wholly: source.plan.brightSignal)
  }

  /// Returns the shot's brightest light in cd/m² according to the frame's own metadata, or `nil` if
  /// the metadata does not state it.
  private func statedPeak(_ packet: Packet) -> Double? {
    guard let units = metadata?.split(packet).own else { return nil }
    var stated = FrameMetadata()
    stated.take(units)
    return stated.peakLuminance
  }
}

extension ShotSurvey.Sample {
  fileprivate init(_ finding: FrameFinding, _ light: FrameLight) {
    self.init(
      time: finding.time, histogram: light.histogram, peak: PQ.eotf(light.histogram.peak),
      distance: 0, cells: light.cells, brightLuma: light.cells.brightShare,
      glareLuma: light.cells.glareShare, gap: 0, cut: nil)
  }

  /// Multiples of white. Light below `aboveWhite` may just be white with noise. Overshoot hardly
  /// ever goes beyond `farAboveWhite`.
  static let (aboveWhite, farAboveWhite) = (1.06, 1.5)
  /// A lossy encoder hardly ever lifts more than these shares of luma samples above white, and far
  /// above it. For comparison, at a rate factor of 28, white text on black overshoots in 0.15 % of
  /// the samples.
  private static let (leastBright, leastGlare) = (0.005, 0.00005)
  /// The corresponding shares of pixels whose largest component is above white, and far above it.
  /// Next to the edges of vivid colors, components of SDR go beyond white, because chroma has fewer
  /// samples than luma.
  private static let (leastBrightColor, leastGlareColor) = (0.2, 0.005)

  /// Whether the frame shows light above diffuse white (in cd/m²), or its dynamic metadata states
  /// such light.
  func isBrighter(than white: Double) -> Bool {
    // Dynamic metadata may know of light that this frame does not show.
    let isStated = peak > Self.aboveWhite * white && peak > PQ.eotf(histogram.peak)
    func colors(above multiple: Double) -> Double {
      let least = PQ.inverseEOTF(multiple * white)
      return histogram.share(above: least, wholly: least + 0.01)
    }
    return isStated || brightLuma > Self.leastBright || glareLuma > Self.leastGlare
      || colors(above: Self.aboveWhite) > Self.leastBrightColor
      || colors(above: Self.farAboveWhite) > Self.leastGlareColor
  }

  /// Measures one frame. Returns `nil` if it is black or its light cannot be measured.
  init?(of picture: PixelBuffer, _ plan: ConversionPlan, hlgPeakLuminance: Double) {
    guard plan.source.format.layout == .planar, picture.format == plan.source.format,
      let meter = LightMeter(plan.source, size: picture.size, peakLuminance: hlgPeakLuminance)
    else { return nil }
    let histogram = meter.histogram(
      of: picture, step: LightSource.rowStep, white: plan.brightSignal)
    guard histogram.total > 0 else { return nil }
    let scale = FrameCells.Scale(plan, hlgPeakLuminance: hlgPeakLuminance)
    let cells = FrameCells(of: picture, scale)
    self.init(
      time: 0, histogram: histogram, peak: PQ.eotf(histogram.peak), distance: 1,
      brightLuma: cells.brightShare, glareLuma: cells.glareShare, gap: 0, cut: nil)
  }
}
