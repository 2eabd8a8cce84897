// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// Where possible, operations that follow each other share one loop, because loading and storing
// between them would take longer than a linear map itself.

/// Applies one function of pixels, then another.
struct Chain<First: PixelFunction, Second: PixelFunction>: PixelFunction {
  let first: First
  let second: Second

  @_transparent
  init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels { second(first(pixels)) }
}

/// An operation, and the operations before and after it that share its loop.
struct FusedOperation {
  /// A linear map before the operation.
  private(set) var before: UnsafePointer<RowOperation>?
  private(set) var center: UnsafePointer<RowOperation>
  /// The operation after a gain, if they share a loop.
  private(set) var second: UnsafePointer<RowOperation>?
  /// A linear map after the operation.
  private(set) var after: UnsafePointer<RowOperation>?
  /// How many operations are fused.
  private(set) var count = 1

  /// Begins with the first operation, and adds those after it that can share its loop. `total`, the
  /// number of operations, is at least 1.
  init(_ operations: UnsafePointer<RowOperation>, of total: Int) {
    center = operations
    // Two linear maps in a row do not occur: `OperationList` multiplies them.
    if total > 1 && isLinear(operations) && isFusible(operations + 1) {
      (before, center, count) = (operations, operations + 1, 2)
    }
    guard isFusible(center) else { return }
    // HLG's OOTF is a gain by a power of luminance. One of three operations can share its loop: the
    // default tone curve (to SDR), PQ's signal (to PQ), or a norm (if light is measured).
    if case .gainByPower = center.pointee.kind, count < total && takesGain(operations + count) {
      second = operations + count
      count += 1
    }
    if count < total && isLinear(operations + count) {
      after = operations + count
      count += 1
    }
  }
}

private func isLinear(_ operation: UnsafePointer<RowOperation>) -> Bool {
  if case .affine = operation.pointee.kind { true } else { false }
}

private func isFusible(_ operation: UnsafePointer<RowOperation>) -> Bool {
  switch operation.pointee.kind {
  case .power, .plainPower, .pqToSignal, .hlgToLight, .hlgToLightRoughly, .gainByPower,
    .gainByPieces:
    true
  default: false
  }
}

private func takesGain(_ operation: UnsafePointer<RowOperation>) -> Bool {
  switch operation.pointee.kind {
  case .pqToSignal: true
  case .norm:
    if case .maximum = operation.pointee.norm { true } else { false }
  case .gainByPieces:
    switch operation.pointee.norm {
    case .blend, .vividBlend: true
    case .luminance, .maximum: false
    }
  default: false
  }
}

extension FusedOperation {
  /// The same operations without the map after them.
  var withoutAfter: FusedOperation {
    var part = self
    part.after = nil
    return part
  }

  /// The same operations without the map before them.
  var withoutBefore: FusedOperation {
    var part = self
    part.before = nil
    return part
  }
}

extension Rows {
  /// Replaces pixels by a function of the pixels in `source`. The linear maps before and after the
  /// function are applied in the same loop.
  @inline(__always)
  func map(
    _ range: Range<Int>, _ function: some PixelFunction, _ fused: FusedOperation, from source: Rows
  ) {
    // Each case is a separate loop with its functions inlined, so that the loop has no branches.
    switch (fused.before, fused.after) {
    case (nil, nil): map(range, function, from: source)
    case (nil, let after?):
      map(range, Chain(function, after.pointee.map), from: source)
    case (let before?, nil) where DifferencesToRGB.covers(before.pointee.map):
      map(range, Chain(DifferencesToRGB(map: before.pointee.map), function), from: source)
    case (let before?, nil):
      map(range, Chain(before.pointee.map, function), from: source)
    case (let before?, let after?) where DifferencesToRGB.covers(before.pointee.map):
      map(
        range,
        Chain(Chain(DifferencesToRGB(map: before.pointee.map), function), after.pointee.map),
        from: source)
    case (let before?, let after?):
      map(range, Chain(Chain(before.pointee.map, function), after.pointee.map), from: source)
    }
  }
}
