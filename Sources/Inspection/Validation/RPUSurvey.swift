// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import MediaCore
internal import NALUnits

/// What is known about the Dolby Vision RPUs of all samples of a track.
struct RPUSurvey: Sendable {
  /// The number of access units.
  private(set) var accessUnits = 0
  /// The number of access units with an RPU.
  private(set) var present = 0
  /// Access units without an RPU.
  private(set) var missing = Tally()
  /// Access units with more than one RPU.
  private(set) var several = Tally()
  /// Access units in which something follows the RPU.
  private(set) var notLast = Tally()
  /// RPUs whose checksum is wrong.
  private(set) var badChecksum = Tally()
  /// RPUs that cannot be read for another reason.
  private(set) var unreadable = Tally()
  /// RPUs whose profile differs from the profile of the first RPU.
  private(set) var otherProfile = Tally()
  /// Access units with the enhancement layer of Dolby Vision.
  private(set) var enhanced = 0
  /// Access units without the enhancement layer.
  private(set) var notEnhanced = Tally()
  /// RPUs whose kind of enhancement layer differs from that of the first RPU.
  private(set) var otherLayerKind = Tally()
  /// The kind of the first RPU's enhancement layer.
  private(set) var layerKind: EnhancementLayer?
  /// RPUs of profile 8, by the base layer that their mapping is for.
  private(set) var mappings: [DataMapping.BaseLayerSignal: Tally] = [:]
  /// RPUs with invalid values.
  private(set) var issues = Tally()
  /// The profile of the first RPU that can be read, if it is known.
  private(set) var profile: UInt8?
  /// RPUs whose NAL unit has an unusual layer or temporal ID.
  private(set) var otherLayer = Tally()
  /// RPUs whose level 5 leaves nothing of the frame.
  private(set) var noActiveArea = Tally()
  /// Whether any RPU has a level 5.
  private(set) var hasLevel5 = false
  /// The brightness in level 1.
  private(set) var level1 = Level1Survey()

  /// Whether any RPU could be read.
  private(set) var isRead = false

  private let size: VideoDimensions

  /// - Parameter size: the size of the frames in luma samples.
  init(size: VideoDimensions) { self.size = size }

  /// Examines an access unit.
  mutating func add(_ units: [NALUnit]) {
    let sample = accessUnits
    accessUnits += 1
    if units.contains(where: \.isDolbyVisionEnhancementLayer) {
      enhanced += 1
    } else {
      notEnhanced.add(sample)
    }
    guard let index = units.lastIndex(where: \.isDolbyVisionRPU) else {
      missing.add(sample)
      return
    }
    present += 1
    let all = units.filter(\.isDolbyVisionRPU)
    if all.count > 1 { several.add(sample, "\(all.count) RPUs") }
    // The RPU must be the last NAL unit of its access unit, except for units that end the sequence
    // or the bitstream. FFmpeg before 9 looks only at the last unit.
    if let next = units[(index + 1)...].first(where: { !$0.endsSequence }) {
      notLast.add(sample, "a NAL unit of type \(next.type.rawValue) follows the RPU")
    }
    for unit in all {
      if unit.header != HEVCNALUnitType.dolbyVisionRPU.header {
        otherLayer.add(sample, unit.layerText)
      }
      read(unit, sample)
    }
  }

  private mutating func read(_ unit: NALUnit, _ sample: Int) {
    let rpu = DolbyVisionRPU(payload: unit.dolbyVisionRPU ?? [])
    if let unit = rpu.unit { return look(at: unit, sample) }
    guard let damage = rpu.damage else { return }
    // A wrong checksum means that bits were changed later. Other faults usually come from the
    // program that made the RPU.
    if case .invalidChecksum = damage {
      badChecksum.add(sample, "\(damage)")
    } else {
      unreadable.add(sample, "\(damage)")
    }
  }

  private mutating func look(at rpu: ReferenceProcessingUnit, _ sample: Int) {
    if !isRead { (profile, isRead) = (rpu.profile, true) }
    if rpu.profile != profile {
      otherProfile.add(sample, rpu.profile.map { "profile \($0)" } ?? "an unknown profile")
    }
    if let signal = rpu.mappedSignal { mappings[signal, default: Tally()].add(sample) }
    if let kind = rpu.enhancementLayer {
      layerKind = layerKind ?? kind
      if kind != layerKind { otherLayerKind.add(sample, kind.text) }
    }
    if let issue = rpu.issues.first { issues.add(sample, issue) }
    level1.add(rpu, sample)
    if let area = rpu.displayManagement?.level5 { look(at: area, sample) }
  }

  private mutating func look(at area: Level5, _ sample: Int) {
    hasLevel5 = true
    let (left, right) = (area.activeAreaLeftOffset, area.activeAreaRightOffset)
    let (top, bottom) = (area.activeAreaTopOffset, area.activeAreaBottomOffset)
    if Int(left) + Int(right) >= size.width || Int(top) + Int(bottom) >= size.height {
      noActiveArea.add(
        sample,
        "left \(left), right \(right), top \(top) and bottom \(bottom) of "
          + "\(size)")
    }
  }
}

extension EnhancementLayer {
  /// The kind, as text for people.
  var text: String {
    switch self {
    case .minimal: "minimal (MEL)"
    case .full: "full (FEL)"
    }
  }
}

extension NALUnit {
  /// `nuh_layer_id` and `nuh_temporal_id_plus1` of an HEVC unit, as text.
  fileprivate var layerText: String {
    guard bytes.count > 1 else { return "no header" }
    return "nuh_layer_id \((bytes[0] & 1) << 5 | bytes[1] >> 3), "
      + "nuh_temporal_id_plus1 \(bytes[1] & 7)"
  }
}

/// What RPUs say about brightness.
struct Level1Survey: Sendable {
  /// How many RPUs have level 1.
  private(set) var count = 0
  /// RPUs in which minimum, average and maximum are not in ascending order.
  private(set) var outOfOrder = Tally()
  /// The range of each value over all RPUs.
  private(set) var minimum: ClosedRange<UInt16>?
  private(set) var maximum: ClosedRange<UInt16>?
  private(set) var average: ClosedRange<UInt16>?

  mutating func add(_ rpu: ReferenceProcessingUnit, _ sample: Int) {
    guard let block = rpu.displayManagement?.level1 else { return }
    count += 1
    if block.minPQ > block.avgPQ || block.avgPQ > block.maxPQ {
      outOfOrder.add(sample, "\(block.minPQ), \(block.avgPQ), \(block.maxPQ)")
    }
    func widen(_ range: inout ClosedRange<UInt16>?, _ value: UInt16) {
      range = min(range?.lowerBound ?? value, value)...max(range?.upperBound ?? value, value)
    }
    widen(&minimum, block.minPQ)
    widen(&maximum, block.maxPQ)
    widen(&average, block.avgPQ)
  }
}
