// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import DolbyVision

/// Check of RPUs, in themselves and for the frames that they are put into.
struct RPUFitness {
  /// Faults, at most one of a kind; empty where there are none.
  let faults: [Notice]

  /// - Parameter transfer: the transfer function of the base layer; nil where it does not matter,
  ///   because another profile than 8 has its own.
  init(_ units: [ReferenceProcessingUnit], transfer: TransferCharacteristics?) {
    var faults: [Notice] = []
    if let index = units.firstIndex(where: { !$0.issues.isEmpty }) {
      faults.append(.rpuNotValid(index, "\(units[index].issues[0])"))
    }
    if let transfer {
      let misfits = units.enumerated().lazy.compactMap { index, unit in
        Self.misfit(unit, transfer).map { (index, $0) }
      }
      if let (index, signal) = misfits.first {
        faults.append(.rpuOfOtherSignal(index, "\(signal)", transfer))
      }
    }
    self.faults = faults
  }

  /// The signal that a unit's mapping is for, where frames of a transfer function are another;
  /// nil where it fits, or is not known.
  private static func misfit(
    _ unit: ReferenceProcessingUnit, _ transfer: TransferCharacteristics
  ) -> DataMapping.BaseLayerSignal? {
    guard let signal = unit.dataMapping?.baseLayerSignal(unit.header) else { return nil }
    return signal.permits(transfer) ? nil : signal
  }
}
