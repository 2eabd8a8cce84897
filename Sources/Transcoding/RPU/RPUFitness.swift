internal import CodePoints
internal import DolbyVision

/// Whether RPUs are right in themselves and for the pictures that they are put into.
struct RPUFitness {
  /// What is wrong: one sentence each, at most one of a kind; empty where all is right.
  let faults: [String]

  /// - Parameter transfer: what the base layer's signal is; nil where it does not matter, because
  ///   another profile than 8 has its own.
  init(_ units: [ReferenceProcessingUnit], transfer: TransferCharacteristics?) {
    var faults: [String] = []
    if let index = units.firstIndex(where: { !$0.issues.isEmpty }) {
      faults.append("RPU \(index) is not valid: \(units[index].issues[0])")
    }
    if let transfer,
      let index = units.firstIndex(where: { !Self.fits($0, transfer) }),
      let signal = Self.signal(units[index], transfer)
    {
      faults.append(
        "RPU \(index) maps \(signal.rawValue) to Dolby Vision, but the pictures are \(transfer)")
    }
    self.faults = faults
  }

  private static func fits(
    _ unit: ReferenceProcessingUnit, _ transfer: TransferCharacteristics
  ) -> Bool {
    switch signal(unit, transfer) {
    case .pq: transfer == .pq
    case .hlg: transfer == .hlg
    case nil: true
    }
  }

  /// What a mapping is for. Mappings of SDR (8.2) are as their pictures: only what is another's
  /// mapping to the digit is told from them.
  private static func signal(
    _ unit: ReferenceProcessingUnit, _ transfer: TransferCharacteristics
  ) -> DataMapping.BaseLayerSignal? {
    unit.dataMapping?.baseLayerSignal(unit.header, tolerance: transfer.isHDR ? .infinity : 0.01)
  }
}
