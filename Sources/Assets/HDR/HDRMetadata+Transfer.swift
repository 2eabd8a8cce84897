package import CodePoints
internal import DolbyVision

extension HDRMetadata {
  /// What there is that pictures of a transfer function cannot have, for people: Dolby Vision goes
  /// with the base layer that its record names, HDR10+ with PQ, and static metadata with the
  /// functions of its kind.
  package func names(notFor transfer: TransferCharacteristics) -> [String] {
    var rest = self
    rest.removeStaticMetadata { $0.transferFunctions.contains(transfer) }
    if transfer == .pq { rest.hasHDR10Plus = false }
    if isDolbyVisionBaseLayer(transfer) {
      (rest.dolbyVision, rest.hasDolbyVisionRPU) = (nil, false)
    }
    let record = dolbyVision.map { "\(Self.dolbyVisionName) \($0.value)" }
    return rest.names.map { $0 == Self.dolbyVisionName ? record ?? $0 : $0 }
  }

  /// Whether the base layer of Dolby Vision may have a transfer function; RPUs alone are of profile
  /// 8, which goes with each in HDR.
  private func isDolbyVisionBaseLayer(_ transfer: TransferCharacteristics) -> Bool {
    guard let record = dolbyVision?.value else { return transfer.isHDR }
    return DolbyVisionSource(record).baseLayer?.permits(transfer) ?? true
  }
}
