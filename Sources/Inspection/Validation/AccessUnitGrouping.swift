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
      hasPicture = hasPicture || unit.type.isVCL
    }
    return complete
  }

  /// The last access unit, at the end of the stream.
  mutating func finish() -> [[NALUnit]] {
    defer { (current, hasPicture) = ([], false) }
    return current.isEmpty ? [] : [current]
  }
}
