// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience

/// A plan's conversion of one pixel in double precision, as `ColorScience` defines it. It is slow,
/// so it is used only where single precision is not enough.
struct PixelDefinition: Sendable {
  private let toComponents: Triple
  private let functions: [@Sendable (Triple, NormShift) -> Triple]
  private let toCodes: Triple
  private let codeOfZero: Triple

  /// Prepares the definition of a plan's steps.
  init(_ plan: ConversionPlan) {
    let source = (0..<3).map { plan.sourceQuantization(ofComponent: $0) }
    let target = (0..<3).map { plan.targetQuantization(ofComponent: $0) }
    toComponents = Triple(source.map { 1 / $0.scale })
    functions = plan.steps.compactMap(Self.function)
    toCodes = Triple(target.map(\.scale))
    codeOfZero = Triple(target.map(\.offset))
  }

  private static func function(
    _ step: ConversionStep
  ) -> (@Sendable (Triple, NormShift) -> Triple)? {
    if case .toneMap(.curve(let map), _) = step, map.highlightDetail > 0 {
      return { map.map($0, $1) }
    }
    guard let function = step.function else { return nil }
    return { light, _ in function(light) }
  }

  /// Converts code values of the source, minus the code that means 0, to code values of the target.
  /// The results are neither rounded nor limited.
  ///
  /// - Parameter shift: how far the pixel's norm moves toward the norm of its surroundings.
  func callAsFunction(_ codes: Triple, _ shift: NormShift = .none) -> Triple {
    functions.reduce(codes * toComponents) { $1($0, shift) } * toCodes + codeOfZero
  }
}
