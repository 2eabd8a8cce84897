// SPDX-License-Identifier: GPL-2.0-or-later
extension DataMapping {
  // 0.65 is 390 cd/m². SDR's white becomes 100 (0.51) or 203 cd/m² (0.58), while phones map the
  // white of HLG to 0.72. So 0.65 separates SDR from HLG with a margin on both sides.
  /// If white is mapped to a PQ signal below this one, the base layer is SDR.
  private static let highestWhiteOfSDR = 0.65

  /// Returns the kind of base layer that the mapping was made for, judged by the curve of luma.
  /// Returns `nil` if that curve cannot be computed.
  ///
  /// - Parameter header: the unit's header, for the format of the numbers.
  package func baseLayerSignal(_ header: RPUHeader) -> BaseLayerSignal? {
    // No field of a unit names the base layer, but the mapping reveals it, because each kind of
    // base layer has a typical curve.
    guard let white = curves.first?.value(940.0 / 1023, header) else { return nil }
    if white < Self.highestWhiteOfSDR { return .sdr }
    // The mapping that phones record is coded with the usual header, not with this unit's header.
    let usual = RPUHeader()
    var (fromPQ, fromHLG) = (0.0, 0.0)
    // Compare only from black to white of limited range, because the mappings need not be defined
    // outside that range.
    for step in 1...15 {
      let signal = (64 + 876 * Double(step) / 16) / 1023
      guard let value = curves.first?.value(signal, header),
        let phone = Self.profile84.curves[0].value(signal, usual)
      else { return nil }
      fromPQ = max(fromPQ, abs(value - signal))
      fromHLG = max(fromHLG, abs(value - phone))
    }
    return fromPQ < fromHLG ? .pq : .hlg
  }
}

extension ReshapingCurve {
  /// Returns the value, 0 to 1, that a base layer's signal is mapped to, or `nil` if the curve's
  /// piece for that signal is not a polynomial.
  fileprivate func value(_ signal: Double, _ header: RPUHeader) -> Double? {
    let whole = Double((UInt64(1) << UInt64(min(header.blBitDepth, 32))) - 1)
    let limits = pivots.map { Double($0) / whole }
    guard let first = limits.first, let last = limits.last else { return nil }
    // A curve ends at its first and last pivot. Signals beyond them are mapped like the nearer
    // pivot.
    let x = min(max(signal, first), last)
    let index = (limits.lastIndex { $0 <= x } ?? 0)
    guard let piece = pieces.isEmpty ? nil : pieces[min(index, pieces.count - 1)],
      case .polynomial(let coefficients) = piece
    else { return nil }
    return coefficients.reversed().reduce(0) {
      $0 * x + $1.value(fractionBits: header.fractionBits)
    }
  }
}
