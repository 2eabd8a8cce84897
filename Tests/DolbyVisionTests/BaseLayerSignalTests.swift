// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import DolbyVision

/// The luma curve of a mapping shows for which signal of the base layer the mapping was made.
@Suite struct BaseLayerSignalTests {
  /// Returns a mapping of luma by one straight line.
  private func mapping(slope: Double) -> DataMapping {
    let slope = Coefficient(Int64(slope), UInt32((slope - slope.rounded(.down)) * 8_388_608))
    let luma = ReshapingCurve(
      predPivotValue: [0, 1023], pieces: [.polynomial([Coefficient(), slope])])
    return DataMapping(curves: [luma, luma, luma])
  }

  /// A mapping of SDR puts white at 100 cd/m² (0.51 in PQ) or at 203 cd/m² (0.58). A mapping of PQ
  /// changes white little or not at all. The mapping of HLG is the one that phones write.
  @Test func signalsAreTold() {
    let header = RPUHeader()
    #expect(mapping(slope: 0.55).baseLayerSignal(header) == .sdr)
    #expect(mapping(slope: 0.63).baseLayerSignal(header) == .sdr)
    #expect(mapping(slope: 1).baseLayerSignal(header) == .pq)
    #expect(mapping(slope: 0.97).baseLayerSignal(header) == .pq)
    #expect(DataMapping.profile84.baseLayerSignal(header) == .hlg)
    #expect(DataMapping.profile81.baseLayerSignal(header) == .pq)
  }

  @Test func withoutPiecesNothingIsTold() {
    #expect(DataMapping(curves: []).baseLayerSignal(RPUHeader()) == nil)
  }
}
