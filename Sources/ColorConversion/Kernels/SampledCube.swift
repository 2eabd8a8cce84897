internal import ColorScience
internal import Dispatch
internal import RowOperations

/// Steps from signal to signal as a table over R', G' and B', made in double precision.
///
/// Where one end is linear light, which has no signal of its own, the table is over PQ's signal for
/// it.
@safe
final class SampledCube: Sendable {
  /// Whether what comes in is light with reference white as 1.
  let inputIsLight: Bool
  /// Whether what comes out is light with reference white as 1.
  let outputIsLight: Bool

  private static let side = 65
  nonisolated(unsafe) private let entries: UnsafeMutablePointer<SIMD4<UInt16>>

  init(_ steps: [ConversionStep]) {
    inputIsLight = steps.first?.isOfLinear ?? false
    outputIsLight = steps.last?.isOfLinear ?? false
    let side = Self.side
    unsafe entries = .allocate(capacity: side * side * side)
    let function = SignalFunction(
      steps: steps, inputIsLight: inputIsLight, outputIsLight: outputIsLight)
    nonisolated(unsafe) let table = unsafe entries
    DispatchQueue.concurrentPerform(iterations: side) { x in
      for y in 0..<side {
        for z in 0..<side {
          let color = Triple(Double(x), Double(y), Double(z)) / Double(side - 1)
          unsafe (table + (x * side + y) * side + z).initialize(
            to: Self.entry(function.map(color)))
        }
      }
    }
  }

  deinit {
    unsafe entries.deallocate()
  }

  /// The table, valid as long as this object lives.
  @unsafe var table: CubeTable {
    unsafe CubeTable(entries: entries, side: Self.side, offset: 0, step: 1 / 65535)
  }

  private static func entry(_ color: Triple) -> SIMD4<UInt16> {
    func number(_ x: Double) -> UInt16 { UInt16((min(max(x, 0), 1) * 65535).rounded()) }
    return SIMD4(number(color.x), number(color.y), number(color.z), 0)
  }
}

/// Steps from signal to signal, with PQ in the place of linear light.
private struct SignalFunction {
  let steps: [ConversionStep]
  let inputIsLight: Bool
  let outputIsLight: Bool

  func map(_ signal: Triple) -> Triple {
    var color = inputIsLight ? signal.componentwise { PQ.eotf($0) / 203 } : signal
    color = steps.reduce(color) { $1.map($0) }
    return outputIsLight ? color.componentwise { PQ.inverseEOTF($0 * 203) } : color
  }
}
