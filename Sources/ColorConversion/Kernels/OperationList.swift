internal import CodePoints
internal import ColorScience
internal import RowOperations

/// The operations on rows that a plan's steps amount to, from code values to code values. Linear
/// maps that follow each other become one, also with what reads and writes code values.
struct OperationList {
  private(set) var operations: [RowOperation] = []
  /// The tables that operations point to.
  private(set) var tables: [any AnyObject & Sendable] = []

  private var map = Matrix3x3.identity
  private var offset = Triple.zero
  private var weights = Triple(0, 1, 0)

  /// The operations of a plan.
  init(_ plan: ConversionPlan) {
    for step in plan.steps { append(step, plan) }
    flush()
  }

  private mutating func append(_ step: ConversionStep, _ plan: ConversionPlan) {
    switch step {
    case .upsampleChroma, .downsampleChroma: break
    case .dequantize:
      let quantizations = (0..<3).map { plan.sourceQuantization(ofComponent: $0) }
      let scale = Triple(quantizations.map { 1 / $0.scale })
      append(.diagonal(scale), Triple(quantizations.map(\.offset)) * -scale)
    case .quantize:
      let quantizations = (0..<3).map { plan.targetQuantization(ofComponent: $0) }
      append(
        .diagonal(Triple(quantizations.map(\.scale))), Triple(quantizations.map(\.offset)))
    case .toRGB(let matrix, let primaries):
      weights = RGBSpace(primaries)?.luminanceWeights ?? weights
      append(YCbCrMatrix(matrix, primaries: primaries)?.toRGB ?? .identity)
    case .fromRGB(let matrix, let primaries):
      append(YCbCrMatrix(matrix, primaries: primaries)?.fromRGB ?? .identity)
    case .toLinear(let transfer, let reading):
      append(ComponentTransfer(transfer, as: reading), toLinear: true)
    case .toSignal(let transfer, let reading):
      append(ComponentTransfer(transfer, as: reading), toLinear: false)
    case .hlgOOTF(let peak):
      let gamma = HLG.systemGamma(peakLuminance: peak)
      append(.gainByPower(weights: .init(weights), exponent: Float(gamma - 1), scale: Float(peak)))
    case .inverseHLGOOTF(let peak):
      // Fd = peak · Y^(γ−1) · E, solved for E by the display light's luminance.
      let exponent = 1 / HLG.systemGamma(peakLuminance: peak) - 1
      append(.diagonal(Triple(repeating: 1 / peak)))
      append(.gainByPower(weights: .init(weights), exponent: Float(exponent), scale: 1))
    case .scale(let factor, _): append(.diagonal(Triple(repeating: factor)))
    case .toneMap(let curve): appendGain(upTo: 64, curve.gain)
    case .changePrimaries(let from, let to):
      guard let old = RGBSpace(from), let new = RGBSpace(to) else { return }
      append(old.matrix(to: new))
      weights = new.luminanceWeights
    case .mapGamut(let mapping, _):
      append(
        mapping == .perceptual
          ? .compressGamut(weights: .init(weights), knee: Float(PerceptualGamut.knee)) : .limit)
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
    let rows = zip(map.rows, [offset.x, offset.y, offset.z]).map { row, offset in
      SIMD4<Float>(SIMD4(row, offset))
    }
    operations.append(.affine(AffineMap(x: rows[0], y: rows[1], z: rows[2])))
    (map, offset) = (.identity, .zero)
  }

  private mutating func append(_ transfer: ComponentTransfer?, toLinear: Bool) {
    guard let transfer, transfer != .linear else { return }
    if let curve = transfer.curve(toLinear: toLinear) {
      append(.curve(curve))
    } else {
      let table = SampledCurve(upTo: 4, toLinear ? transfer.toLinear : transfer.toSignal)
      tables.append(table)
      append(.curve(.table(unsafe table.table(isOdd: true))))
    }
  }

  /// A gain by the largest component.
  private mutating func appendGain(upTo upper: Float, _ gain: @escaping (Double) -> Double) {
    let table = SampledCurve(upTo: upper, gain)
    tables.append(table)
    let norm = Norm(weights: .zero, maximumShare: 1)
    append(.gainByTable(norm: norm, unsafe table.table(isOdd: false)))
  }
}
