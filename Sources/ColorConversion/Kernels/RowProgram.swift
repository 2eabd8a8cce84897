internal import CodePoints
internal import ColorScience

/// The passes over a row that a plan's color steps amount to: linear maps that follow each other
/// are one, and curves are tables.
struct RowProgram: Sendable {
  private(set) var stages: [RowStage] = []

  /// The passes of some steps; steps on chroma samples and code values are not among them.
  init(_ steps: [ConversionStep]) {
    var weights = Triple(0, 1, 0)
    for step in steps {
      switch step {
      case .toRGB(let matrix, let primaries):
        weights = RGBSpace(primaries)?.luminanceWeights ?? weights
        append(YCbCrMatrix(matrix, primaries: primaries)?.toRGB)
      case .fromRGB(let matrix, let primaries):
        append(YCbCrMatrix(matrix, primaries: primaries)?.fromRGB)
      case .toLinear(let transfer, let reading):
        appendToLinear(ComponentTransfer(transfer, as: reading))
      case .toSignal(let transfer, let reading):
        appendToSignal(ComponentTransfer(transfer, as: reading))
      case .hlgOOTF(let peak):
        let curve = SampledCurve(upTo: 4, spacing: .fourthRoot, isOdd: false) {
          HLG.ootfGain(sceneLuminance: $0, peakLuminance: peak)
        }
        stages.append(.gainByLuminance(weights: weights, curve))
      case .inverseHLGOOTF(let peak):
        // The gain is infinite at 0, where there is nothing to multiply.
        let curve = SampledCurve(upTo: 10_000, spacing: .fourthRoot, isOdd: false) {
          HLG.inverseOOTFGain(displayLuminance: max($0, 1e-9), peakLuminance: peak)
        }
        stages.append(.gainByLuminance(weights: weights, curve))
      case .scale(let factor, _):
        append(.diagonal(Triple(repeating: factor)))
      case .toneMap(let curve):
        stages.append(.toneMap(curve))
      case .changePrimaries(let from, let to):
        guard let old = RGBSpace(from), let new = RGBSpace(to) else { continue }
        append(old.matrix(to: new))
        weights = new.luminanceWeights
      case .mapGamut(let mapping, _):
        stages.append(
          mapping == .perceptual ? .mapGamut(PerceptualGamut(weights: weights)) : .clip)
      case .upsampleChroma, .dequantize, .downsampleChroma, .quantize:
        break
      }
    }
  }

  private mutating func append(_ matrix: Matrix3x3?) {
    guard let matrix else { return }
    if case .matrix(let before) = stages.last {
      stages[stages.count - 1] = .matrix(matrix * before)
    } else {
      stages.append(.matrix(matrix))
    }
  }

  private mutating func appendToLinear(_ transfer: ComponentTransfer?) {
    guard let transfer, transfer != .linear else { return }
    // Signals that no R'G'B' can make still lie inside; the rest is cut off.
    stages.append(
      .curve(
        SampledCurve(upTo: 2, spacing: .linear, isOdd: !transfer.isHDR, transfer.toLinear)))
  }

  private mutating func appendToSignal(_ transfer: ComponentTransfer?) {
    guard let transfer, transfer != .linear else { return }
    // PQ's 10 000 cd/m² of blue are 11 times the scene light of HLG's peak.
    stages.append(
      .curve(
        SampledCurve(
          upTo: transfer == .hlg ? 12 : 4, spacing: transfer == .pq ? .fourthRoot : .squareRoot,
          isOdd: !transfer.isHDR,
          transfer.toSignal)))
  }
}
