// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import MediaCore
internal import RowOperations

// Loading and storing a row takes longer than a linear map itself. So successive linear maps are
// joined into one, including the maps that read and write code values.

/// The operations on rows that make up a plan's steps. Their input is code values minus the code
/// that means 0, and their result is code values.
struct OperationList {
  private(set) var operations: [RowOperation] = []
  /// The tables that operations point to.
  private(set) var tables: [any AnyObject & Sendable] = []

  /// The exact definition for doubtful pixels, or `nil` if no operation marks any.
  private(set) var definition: PixelDefinition?

  private let plan: ConversionPlan
  let precision: CurvePrecision
  /// How uncertain the results of the operations are in single precision.
  var doubt: PrecisionDoubt
  /// A gain that is not in the list yet, so that a factor after it can still become a part of it.
  private var gain: (weights: Triple, exponent: Double, scale: Double)?
  private var map = Matrix3x3.identity
  private var offset = Triple.zero

  /// Lists the operations of a plan.
  init(_ plan: ConversionPlan) {
    self.plan = plan
    precision = CurvePrecision(plan.target.format)
    doubt = PrecisionDoubt(plan.target.format)
    for step in plan.steps { append(step) }
    flush()
  }

  private mutating func append(_ step: ConversionStep) {
    switch step {
    case .upsampleChroma, .downsampleChroma: break
    case .dequantize:
      let quantizations = (0..<3).map { plan.sourceQuantization(ofComponent: $0) }
      // Readers have subtracted the offset, so black is exactly 0, and so is the chroma of gray.
      append(.diagonal(Triple(quantizations.map { 1 / $0.scale })))
    case .quantize:
      let quantizations = (0..<3).map { plan.targetQuantization(ofComponent: $0) }
      append(
        .diagonal(Triple(quantizations.map(\.scale))), Triple(quantizations.map(\.offset)))
    case .reshape(let reshaping, let middle): append(reshaping, middle: middle)
    case .toRGB(let color):
      if let coding = SignalCoding(color) { appendToRGB(coding) }
    case .fromRGB(let color):
      if let coding = SignalCoding(color) { appendFromRGB(coding) }
    case .toLinear(let transfer, let reading):
      if let transfer = ComponentTransfer(transfer, as: reading) { append(toLinear: transfer) }
    case .toSignal(let transfer, let reading):
      if let transfer = ComponentTransfer(transfer, as: reading) { append(toSignal: transfer) }
    default: appendLight(step)
    }
  }

  private mutating func appendLight(_ step: ConversionStep) {
    switch step {
    case .ootf(let system, let primaries, let peak, let surround):
      let gamma = system.systemGamma(peak: peak, surround: surround)
      append(gain: primaries.luminanceWeights, exponent: gamma - 1, scale: peak)
    case .inverseOOTF(let system, let primaries, let peak):
      // Fd = peak · Y^(γ−1) · E, solved for E with the luminance of display light.
      let exponent = 1 / system.systemGamma(peak: peak) - 1
      append(.diagonal(Triple(repeating: 1 / peak)))
      let share = doubt.uncertainShareOfLuminance(exponent: exponent)
      if share > 0 { appendDoubt(.doubt(luminance: primaries.luminanceWeights, below: share)) }
      append(gain: primaries.luminanceWeights, exponent: exponent, scale: 1)
    case .scale(let factor, _): scale(factor)
    case .changePrimaries(let from, let to): mix(from.matrix(to: to))
    case .toneMap(let tone, _): append(tone)
    case .inverseToneMap(let tone, _): appendInverse(tone)
    case .mapGamut(let map, _): append(map)
    case .lightToICtCp(let coding):
      append(ICtCp.rgbToLMS)
      // L, M and S of a color are never far apart, so none is small enough to be uncertain.
      doubt.isMixed = false
      append(toSignal: coding.transfer)
      append(coding.lmsToICtCp)
    default: break
    }
  }

  private mutating func append(_ gamut: GamutMap) {
    if let method = gamut.method as? any RowGamutMethod {
      // Limiting components does not change small ones, so they stay uncertain and are marked here.
      if method.isByComponent {
        appendDoubt(for: plan.target.signal.color.transferCharacteristics)
      }
      append(method.operation)
    } else {
      // Colors inside the gamut stay as they are; others are computed with the exact definition.
      appendDoubt(RowOperation(.doubtOutside))
    }
    // From here on, small components are not uncertain: they were mapped or marked as doubtful.
    doubt.isMixed = false
    doubt.isSigned = false
  }

  mutating func append(_ next: Matrix3x3, _ nextOffset: Triple = .zero) {
    map = next * map
    // Matrices are multiplied in double precision, so pixels are rounded only once for all maps.
    offset = next * offset + nextOffset
  }

  private mutating func append(gain weights: Triple, exponent: Double, scale: Double) {
    flush()
    gain = (weights, exponent, scale)
  }

  mutating func scale(_ factor: Double) {
    // Scaling the power's table costs nothing, but a linear map costs a step for each pixel.
    if let before = gain, map == .identity, offset == .zero {
      gain = (before.weights, before.exponent, before.scale * factor)
    } else {
      append(.diagonal(Triple(repeating: factor)))
    }
  }

  mutating func mix(_ matrix: Matrix3x3) {
    append(matrix)
    doubt.mix(matrix)
  }

  /// Adds an operation that marks pixels as doubtful, or as pixels that kernels cannot compute.
  mutating func appendDoubt(_ operation: RowOperation) {
    append(operation)
    if definition == nil { definition = PixelDefinition(plan) }
  }

  private mutating func appendDoubt(for transfer: TransferCharacteristics) {
    if let transfer = ComponentTransfer(transfer) { appendDoubt(for: transfer) }
  }

  /// - Parameter source: the curve that light was read by, if the light has not been scaled since.
  private mutating func appendDoubt(
    for transfer: ComponentTransfer, after source: ComponentTransfer? = nil
  ) {
    guard doubt.isMixed else { return }
    doubt.isMixed = false
    // Half-precision light is less precise than the values that it is computed from, so the errors
    // of these values do not show.
    if transfer == .linear && plan.target.format.layout == .halfRGBA { return }
    if let step = transfer.step {
      appendDoubt(.doubt(around: step, doubt.uncertainty))
    }
    let share = doubt.uncertainShare(before: transfer)
    guard share > 0 else { return }
    // A slope of 1e6 is so large that it limits nothing: the share is the same for dark pixels.
    let slope = source.map { doubt.slopeOfShare(before: transfer, after: $0) } ?? 1e6
    appendDoubt(.doubt(below: share, slope: slope))
  }

  mutating func append(_ tabled: TabledOperation) {
    tables += tabled.tables
    append(tabled.operation)
  }

  mutating func append(_ operation: RowOperation) {
    flush()
    operations.append(operation)
  }

  /// Adds the gain and the linear map that have accumulated.
  private mutating func flush() {
    if let (weights, exponent, scale) = gain {
      let operation = TabledOperation.gainByPower(
        weights, exponent: exponent, scale: scale, precision)
      tables += operation.tables
      operations.append(operation.operation)
      gain = nil
    }
    guard map != .identity || offset != .zero else { return }
    operations.append(.affine(map, offset))
    (map, offset) = (.identity, .zero)
  }

  /// - Parameter kept: the precision of an intermediate value, or `nil` for the precision that the
  ///   plan's result needs.
  mutating func append(toLinear transfer: ComponentTransfer, kept: CurvePrecision? = nil) {
    doubt.read(transfer)
    guard transfer != .linear else { return }
    append(.transfer(transfer, toLinear: true, kept ?? precision))
  }

  /// - Parameter kept: the precision of an intermediate value, or `nil` for the precision that the
  ///   plan's result needs.
  mutating func append(toSignal transfer: ComponentTransfer, kept: CurvePrecision? = nil) {
    appendDoubt(for: transfer)
    guard transfer != .linear else { return }
    append(.transfer(transfer, toLinear: false, kept ?? precision))
  }

  mutating func appendTable(
    _ kind: RowOperation.Kind, _ table: SampledCurve, norm: RowOperation.Norm = .luminance,
    weights: Triple = .zero
  ) {
    var operation = RowOperation(kind)
    operation.curve = unsafe table.table(negativeScale: 0)
    operation.norm = norm
    operation.weights = .init(weights)
    tables.append(table)
    append(operation)
  }

  private mutating func append(_ reshaping: SignalReshaping, middle: Double) {
    append(.identity, [0, middle, middle])
    append(.reshape(reshaping))
    append(reshaping.toCones, -(reshaping.toCones * reshaping.offset) * (2 * middle))
    append(toLinear: .pq)
    mix(reshaping.conesToRGB)
    // Limiting brings colors beyond BT.2020 to the edge of its gamut, where a component is 0. That
    // 0 is not in doubt, but would be marked as too small. So look for small components first.
    appendDoubt(for: ComponentTransfer.pq, after: .pq)
    append(.limit(0...1))
    doubt.isSigned = false
  }

  private mutating func appendToRGB(_ coding: SignalCoding) {
    switch coding {
    case .matrix(let matrix): append(matrix.toRGB)
    case .constantLuminance(let coding):
      append(.constantLuminance(.differencesToComponents, coding))
      // Only green has to go through light. Red and blue are saved and restored, because BT.709's
      // curve and limits would change them on the way.
      append(RowOperation(.keep))
      append(toLinear: coding.transfer, kept: .full)
      mix(coding.luminanceBlueRedToRGB)
      append(toSignal: coding.transfer, kept: .full)
      append(.restore([2, -1, 1]))
    case .iCtCp(let coding):
      append(coding.lmsToICtCp.inverse)
      append(toLinear: coding.transfer, kept: .full)
      mix(ICtCp.rgbToLMS.inverse)
      append(toSignal: coding.transfer, kept: .full)
    }
  }

  private mutating func appendFromRGB(_ coding: SignalCoding) {
    switch coding {
    case .matrix(let matrix): append(matrix.fromRGB)
    case .constantLuminance(let coding):
      append(RowOperation(.keep))
      // Luma's error enters all three components, so luma gets full precision.
      append(toLinear: coding.transfer, kept: .full)
      append(coding.luminanceBlueRedToRGB.inverse)
      append(toSignal: coding.transfer, kept: .full)
      append(.restore([-1, 2, 0]))
      append(.constantLuminance(.componentsToDifferences, coding))
    case .iCtCp(let coding):
      append(toLinear: coding.transfer)
      append(ICtCp.rgbToLMS)
      append(toSignal: coding.transfer)
      append(coding.lmsToICtCp)
    }
  }
}
