// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A transfer function of standard dynamic range: the code points that name it, and its formulas.
///
/// To add a curve, write a value of this type in a new file, as in `SDRCurve+H273.swift`, and add
/// its name to ``all``. The curve's code point has a number of H.273 or, if there is none, a
/// name. Conversions, kernels, ICC profiles and the code for QuickTime's `gama` use the list.
package struct SDRCurve: Sendable {
  /// The code point that stands for the curve.
  package let code: TransferCharacteristics
  /// All code points that name the curve.
  package let codePoints: [TransferCharacteristics]
  /// Whether the curve is among those with which an ICC profile's tone curves are compared.
  package let isInProfiles: Bool
  private let function: @Sendable (SDRReading) -> ComponentTransfer

  /// Makes a curve whose function does not depend on how the BT.709 family is read.
  init(
    _ code: TransferCharacteristics, _ others: TransferCharacteristics...,
    isInProfiles: Bool = false,
    function: ComponentTransfer
  ) {
    self.code = code
    codePoints = [code] + others
    self.isInProfiles = isInProfiles
    self.function = { _ in function }
  }

  /// Makes a curve whose function is a power that depends on the reading.
  init(
    _ code: TransferCharacteristics, _ others: TransferCharacteristics...,
    isInProfiles: Bool = false,
    readAs form: @escaping @Sendable (SDRReading) -> PowerForm
  ) {
    self.code = code
    codePoints = [code] + others
    self.isInProfiles = isInProfiles
    function = { .power(form($0)) }
  }

  /// Every curve, sorted by its first code point.
  package static let all: [SDRCurve] = [
    .bt709,
    .gamma22,
    .gamma28,
    .smpte240M,
    .linear,
    .log100,
    .log316,
    .xvYCC,
    .bt1361,
    .sRGB,
    .smpte428,
  ]

  /// Finds the curve of a code point. Returns `nil` for HDR, for reserved numbers and for
  /// "unspecified".
  package init?(_ code: TransferCharacteristics) {
    guard let curve = Self.all.first(where: { $0.codePoints.contains(code) }) else { return nil }
    self = curve
  }

  /// Returns the transfer function of one component in a reading.
  package func transfer(as reading: SDRReading) -> ComponentTransfer { function(reading) }

  /// The exponents of all curves that are plain powers in some reading, each with the curve's code
  /// point.
  package static let plainGammas: [(gamma: Double, code: TransferCharacteristics)] = all.flatMap {
    curve in
    SDRReading.allCases.compactMap { reading in
      curve.transfer(as: reading).plainGamma.map { ($0, curve.code) }
    }
  }
}

extension ComponentTransfer {
  /// The exponent, if the function is only a power.
  fileprivate var plainGamma: Double? {
    switch self {
    case .linear: 1
    case .power(let form): form == PowerForm(gamma: form.lightExponent) ? form.lightExponent : nil
    case .formula, .pq, .hlg: nil
    }
  }
}
