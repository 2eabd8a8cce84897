// SPDX-License-Identifier: GPL-2.0-or-later
extension DataMapping {
  /// Largest PQ signal that SDR's white is mapped to: 400 cd/m². Phones map HLG's to 0.72.
  private static let highestWhiteOfSDR = 0.65

  /// The signal whose luma the mapping is nearest to being made for; nil where it cannot be
  /// computed.
  ///
  /// - Parameter header: the unit's, for the form of the numbers.
  package func baseLayerSignal(_ header: RPUHeader) -> BaseLayerSignal? {
    guard let white = curves.first?.value(940.0 / 1023, header) else { return nil }
    if white < Self.highestWhiteOfSDR { return .sdr }
    let usual = RPUHeader()
    var (fromPQ, fromHLG) = (0.0, 0.0)
    // From black to white of limited range, where both mappings are defined.
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
  /// Value that a signal of the base layer, 0 to 1, is mapped to; nil where its piece is no
  /// polynomial.
  fileprivate func value(_ signal: Double, _ header: RPUHeader) -> Double? {
    let whole = Double((UInt64(1) << UInt64(min(header.blBitDepth, 32))) - 1)
    let limits = pivots.map { Double($0) / whole }
    guard let first = limits.first, let last = limits.last else { return nil }
    let x = min(max(signal, first), last)
    let index = (limits.lastIndex { $0 <= x } ?? 0)
    guard let piece = pieces.isEmpty ? nil : pieces[min(index, pieces.count - 1)],
      case .polynomial(let coefficients) = piece
    else { return nil }
    return coefficients.reversed().reduce(0) { $0 * x + $1.value(header.coefficientFormat) }
  }
}
