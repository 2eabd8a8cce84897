internal import Bitstreams
internal import NALUnits

/// Puts the NAL units of an HEVC byte stream together to access units (H.265, 7.4.2.4.4): demuxers
/// of byte streams cut them at other places now and then.
struct AccessUnitGrouping: Sendable {
  private var current: [NALUnit] = []
  private var hasPicture = false

  /// Takes more units of the stream.
  ///
  /// - Returns: the access units that are complete.
  mutating func add(_ units: [NALUnit]) -> [[NALUnit]] {
    var complete: [[NALUnit]] = []
    for unit in units {
      if hasPicture && unit.beginsAccessUnit { complete += finish() }
      current.append(unit)
      hasPicture = hasPicture || unit.hevcType.rawValue < 32
    }
    return complete
  }

  /// The last access unit, at the end of the stream.
  mutating func finish() -> [[NALUnit]] {
    defer { (current, hasPicture) = ([], false) }
    return current.isEmpty ? [] : [current]
  }
}

extension NALUnit {
  /// Whether a unit behind a picture belongs to the next one.
  fileprivate var beginsAccessUnit: Bool {
    guard isBaseLayer(.hevc) else { return false }
    switch hevcType.rawValue {
    // A slice segment that is the first of its picture.
    case 0..<32: return bytes.count > 2 && bytes[2] & 0x80 != 0
    case 32...35, 39, 41...44, 48...55: return true
    default: return false
    }
  }
}
