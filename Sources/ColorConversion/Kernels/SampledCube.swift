internal import ColorScience
internal import Dispatch
internal import RowOperations

/// A step on linear light that kernels have no operation for, as a table made in double precision.
///
/// Light goes in and comes out raised to 1/2.4, relative to a peak on either side, so that the points
/// are as dense for the eye near black as elsewhere.
@safe
final class SampledCube: Sendable {
  /// The power that light is raised to.
  static let exponent = 1 / 2.4
  private static let side = 65

  /// The light that counts as 1 on its way in and on its way out; what is brighter counts as it.
  typealias Peaks = (input: Double, output: Double)

  nonisolated(unsafe) private let entries: UnsafeMutablePointer<SIMD4<UInt16>>

  init(_ step: ConversionStep, _ peaks: Peaks) {
    let side = Self.side
    unsafe entries = .allocate(capacity: side * side * side)
    nonisolated(unsafe) let table = unsafe entries
    let coding = ComponentTransfer.gamma(1 / Self.exponent)
    DispatchQueue.concurrentPerform(iterations: side) { x in
      for y in 0..<side {
        for z in 0..<side {
          let signal = Triple(Double(x), Double(y), Double(z)) / Double(side - 1)
          let light = signal.componentwise(coding.toLinear)
          let result = step.map(light * peaks.input) / peaks.output
          unsafe (table + (x * side + y) * side + z).initialize(
            to: Self.entry(result.componentwise(coding.toSignal)))
        }
      }
    }
  }

  deinit {
    unsafe entries.deallocate()
  }

  /// The table, valid as long as this object lives.
  @unsafe var table: CubeTable {
    var table = CubeTable()
    unsafe table.entries = UnsafePointer(entries)
    (table.side, table.step) = (Self.side, 1 / 65535)
    return table
  }

  private static func entry(_ color: Triple) -> SIMD4<UInt16> {
    func number(_ x: Double) -> UInt16 { UInt16((min(max(x, 0), 1) * 65535).rounded()) }
    return SIMD4(number(color.x), number(color.y), number(color.z), 0)
  }
}
