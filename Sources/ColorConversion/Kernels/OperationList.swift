internal import CodePoints
internal import ColorScience
internal import RowOperations

/// The operations on rows that a plan's steps amount to, from code values less that of 0 to code
/// values. Linear maps that follow each other become one, also with what reads and writes code
/// values.
struct OperationList {
  private(set) var operations: [RowOperation] = []
  /// The tables that operations point to.
  private(set) var tables: [any AnyObject & Sendable] = []

  /// A gamut mapping that kernels have no operation for and that has edges too sharp for a table: it
  /// is computed as it is defined.
  private(set) var byDefinition: GamutMap?
  /// How many operations come before it.
  private(set) var definitionIndex = 0

  private var map = Matrix3x3.identity
  private var offset = Triple.zero

  /// The operations of a plan.
  init(_ plan: ConversionPlan) {
    for step in plan.steps {
      if let peaks = step.tablePeaks { appendCube(step, peaks) } else { append(step, plan) }
    }
    flush()
  }

  private mutating func append(_ step: ConversionStep, _ plan: ConversionPlan) {
    switch step {
    case .upsampleChroma, .downsampleChroma: break
    case .dequantize:
      let quantizations = (0..<3).map { plan.sourceQuantization(ofComponent: $0) }
      // Readers have taken the offset away, so that black is 0 and gray has no color, to the bit.
      append(.diagonal(Triple(quantizations.map { 1 / $0.scale })))
    case .quantize:
      let quantizations = (0..<3).map { plan.targetQuantization(ofComponent: $0) }
      append(
        .diagonal(Triple(quantizations.map(\.scale))), Triple(quantizations.map(\.offset)))
    case .toRGB(let color):
      if let coding = SignalCoding(color) { appendToRGB(coding) }
    case .fromRGB(let color):
      if let coding = SignalCoding(color) { appendFromRGB(coding) }
    case .toLinear(let transfer, let reading):
      if let transfer = ComponentTransfer(transfer, as: reading) { append(transfer, .toLinear) }
    case .toSignal(let transfer, let reading):
      if let transfer = ComponentTransfer(transfer, as: reading) { append(transfer, .toSignal) }
    default: appendLight(step)
    }
  }

  /// Steps on linear light.
  private mutating func appendLight(_ step: ConversionStep) {
    switch step {
    case .hlgOOTF(let primaries, let peak, let surround):
      let gamma = HLG.systemGamma(peakLuminance: peak, surround: surround)
      append(.gainByPower(primaries.luminanceWeights, exponent: gamma - 1, scale: peak))
    case .inverseHLGOOTF(let primaries, let peak):
      // Fd = peak · Y^(γ−1) · E, solved for E by the display light's luminance.
      let exponent = 1 / HLG.systemGamma(peakLuminance: peak) - 1
      append(.diagonal(Triple(repeating: 1 / peak)))
      append(.gainByPower(primaries.luminanceWeights, exponent: exponent, scale: 1))
    case .scale(let factor, _): append(.diagonal(Triple(repeating: factor)))
    case .changePrimaries(let from, let to): append(from.matrix(to: to))
    case .toneMap(.curve(let map), _): append(map)
    case .mapGamut(let map, _):
      if let operation = RowOperation(map) {
        append(operation)
      } else {
        flush()
        (byDefinition, definitionIndex) = (map, operations.count)
      }
    default: break
    }
  }

  private mutating func append(_ next: Matrix3x3, _ nextOffset: Triple = .zero) {
    map = next * map
    offset = next * offset + nextOffset
  }

  private mutating func append(_ operation: RowOperation) {
    flush()
    operations.append(operation)
  }

  /// Adds the linear map that has come together.
  private mutating func flush() {
    guard map != .identity || offset != .zero else { return }
    operations.append(.affine(map, offset))
    (map, offset) = (.identity, .zero)
  }

  private enum Direction { case toLinear, toSignal }

  private mutating func append(_ transfer: ComponentTransfer, _ direction: Direction) {
    guard transfer != .linear else { return }
    if let operation = transfer.operation(toLinear: direction == .toLinear) {
      append(operation)
    } else {
      let function = direction == .toLinear ? transfer.toLinear : transfer.toSignal
      // The brightest light that PQ can hold, relative to white, in other primaries.
      appendTable(
        .curve, SampledCurve(upTo: 256, function), negativeScale: transfer.negativeScale)
    }
  }

  private mutating func appendTable(
    _ kind: RowOperation.Kind, _ table: SampledCurve, negativeScale: Float = 0,
    norm: RowOperation.Norm = .luminance, weights: Triple = .zero
  ) {
    var operation = RowOperation(kind)
    operation.curve = unsafe table.table(negativeScale: negativeScale)
    operation.norm = norm
    operation.weights = .init(weights)
    tables.append(table)
    append(operation)
  }

  private mutating func append(_ map: ToneMap) {
    let norm: RowOperation.Norm =
      switch map.norm {
      case .maxRGB: .maximum
      case .luminance: .luminance
      case .blend, .ictcp: .blend
      }
    if case .spline(let curve) = map.curve, curve.sourcePeak > curve.targetPeak {
      append(.gain(curve, norm: norm, weights: map.weights))
    } else {
      let table = SampledCurve(upTo: Float(PQ.peakLuminance), map.gain)
      appendTable(.gainByTable, table, norm: norm, weights: map.weights)
    }
  }

  /// A step on light by a table.
  private mutating func appendCube(_ step: ConversionStep, _ peaks: SampledCube.Peaks) {
    let cube = SampledCube(step, peaks)
    tables.append(cube)
    append(.diagonal(Triple(repeating: 1 / peaks.input)))
    append(.power(SampledCube.exponent))
    var operation = RowOperation(.cube)
    operation.cube = unsafe cube.table
    append(operation)
    append(.power(1 / SampledCube.exponent))
    append(.diagonal(Triple(repeating: peaks.output)))
  }

  private mutating func appendToRGB(_ coding: SignalCoding) {
    switch coding {
    case .matrix(let matrix): append(matrix.toRGB)
    case .constantLuminance(let coding):
      append(.constantLuminance(.differencesToComponents, coding))
      append(coding.transfer, .toLinear)
      append(coding.luminanceBlueRedToRGB)
      append(coding.transfer, .toSignal)
    case .iCtCp(let coding):
      append(coding.lmsToICtCp.inverse)
      append(coding.transfer, .toLinear)
      append(ICtCp.rgbToLMS.inverse)
      append(coding.transfer, .toSignal)
    }
  }

  private mutating func appendFromRGB(_ coding: SignalCoding) {
    switch coding {
    case .matrix(let matrix): append(matrix.fromRGB)
    case .constantLuminance(let coding):
      append(coding.transfer, .toLinear)
      append(coding.luminanceBlueRedToRGB.inverse)
      append(coding.transfer, .toSignal)
      append(.constantLuminance(.componentsToDifferences, coding))
    case .iCtCp(let coding):
      append(coding.transfer, .toLinear)
      append(ICtCp.rgbToLMS)
      append(coding.transfer, .toSignal)
      append(coding.lmsToICtCp)
    }
  }
}
