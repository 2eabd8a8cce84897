// SPDX-License-Identifier: GPL-2.0-or-later
internal import ColorScience

/// A plan for one pixel in double precision, as `ColorScience` defines it: slow, and right where
/// single precision is not.
struct PixelDefinition: Sendable {
  private let toComponents: Triple
  private let functions: [@Sendable (Triple) -> Triple]
  private let toCodes: Triple
  private let codeOfZero: Triple

  /// The definition of a plan's steps.
  init(_ plan: ConversionPlan) {
    let source = (0..<3).map { plan.sourceQuantization(ofComponent: $0) }
    let target = (0..<3).map { plan.targetQuantization(ofComponent: $0) }
    toComponents = Triple(source.map { 1 / $0.scale })
    functions = plan.steps.compactMap(\.function)
    toCodes = Triple(target.map(\.scale))
    codeOfZero = Triple(target.map(\.offset))
  }

  /// Code values of the source less that of 0, as code values of the target, unrounded.
  func callAsFunction(_ codes: Triple) -> Triple {
    functions.reduce(codes * toComponents) { $1($0) } * toCodes + codeOfZero
  }
}
