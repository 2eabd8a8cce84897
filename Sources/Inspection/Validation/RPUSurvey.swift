// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision
internal import MediaCore
internal import NALUnits

/// The Dolby Vision RPUs of all samples of a track.
struct RPUSurvey: Sendable {
  /// Access units.
  private(set) var accessUnits = 0
  /// Access units with an RPU.
  private(set) var present = 0
  /// Access units without an RPU.
  private(set) var missing = Tally()
  /// Access units with more than one.
  private(set) var several = Tally()
  /// Access units that go on behind their RPU.
  private(set) var notLast = Tally()
  /// RPUs with another check sum than their data has.
  private(set) var badCheckSum = Tally()
  /// RPUs that cannot be read for another reason.
  private(set) var unreadable = Tally()
  /// RPUs of another profile than the first.
  private(set) var otherProfile = Tally()
  /// RPUs with values that should not be so.
  private(set) var issues = Tally()
  /// The profile of the first RPU; nil where there is none or its profile is unknown.
  private(set) var profile: UInt8?
  /// RPUs in units of another layer or sublayer than the first.
  private(set) var otherLayer = Tally()
  /// RPUs whose level 5 leaves nothing of the frame.
  private(set) var noActiveArea = Tally()
  /// True if any RPU has a level 5.
  private(set) var hasLevel5 = false
  /// Levels 1.
  private(set) var level1 = Level1Survey()

  /// True if any RPU could be read.
  private(set) var isRead = false

  private let size: VideoDimensions

  /// - Parameter size: samples in a row and rows of the frames.
  init(size: VideoDimensions) { self.size = size }

  /// Looks at an access unit of HEVC.
  mutating func add(_ units: [NALUnit]) {
    let sample = accessUnits
    accessUnits += 1
    guard let index = units.lastIndex(where: \.isDolbyVisionRPU) else {
      missing.add(sample)
      return
    }
    present += 1
    let all = units.filter(\.isDolbyVisionRPU)
    if all.count > 1 { several.add(sample, "\(all.count)") }
    if let next = units[(index + 1)...].first(where: { !$0.endsSequence }) {
      notLast.add(sample, "NAL unit of type \(next.type.rawValue) behind it")
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
    if case .invalidCheckSum = damage {
      badCheckSum.add(sample, "\(damage)")
    } else {
      unreadable.add(sample, "\(damage)")
    }
  }

  private mutating func look(at rpu: ReferenceProcessingUnit, _ sample: Int) {
    if !isRead { (profile, isRead) = (rpu.profile, true) }
    if rpu.profile != profile {
      otherProfile.add(sample, rpu.profile.map { "profile \($0)" } ?? "an unknown profile")
    }
    if let issue = rpu.issues.first { issues.add(sample, "\(issue)") }
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

extension NALUnit {
  /// `nuh_layer_id` and `TemporalId` of HEVC.
  fileprivate var layerText: String {
    guard bytes.count > 1 else { return "no header" }
    return "nuh_layer_id \((bytes[0] & 1) << 5 | bytes[1] >> 3), "
      + "nuh_temporal_id_plus1 \(bytes[1] & 7)"
  }
}

/// The brightness that RPUs state.
struct Level1Survey: Sendable {
  /// RPUs that state it.
  private(set) var count = 0
  /// RPUs whose minimum, average and maximum are not in that order.
  private(set) var outOfOrder = Tally()
  /// The least and the greatest of each value.
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
