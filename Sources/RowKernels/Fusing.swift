// SPDX-License-Identifier: GPL-2.0-or-later
import RowOperations

// Operations that follow each other in one loop: what each of them would load and store otherwise
// takes longer than a linear map itself.

/// One function of pixels after the other.
struct Chain<First: PixelFunction, Second: PixelFunction>: PixelFunction {
  let first: First
  let second: Second

  @_transparent
  init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  @_transparent
  func callAsFunction(_ pixels: Pixels) -> Pixels { second(first(pixels)) }
}

/// An operation and those around it that share its loop.
struct FusedOperation {
  /// A linear map before it; nil for none.
  private(set) var before: UnsafePointer<RowOperation>?
  /// The operation.
  private(set) var center: UnsafePointer<RowOperation>
  /// An operation after a gain whose first loop takes the gain along; nil for none.
  private(set) var second: UnsafePointer<RowOperation>?
  /// A linear map after it; nil for none.
  private(set) var after: UnsafePointer<RowOperation>?
  /// Number of operations in all.
  private(set) var count = 1

  /// The first of so many operations, one at least, with those after it that go along.
  init(_ operations: UnsafePointer<RowOperation>, of total: Int) {
    center = operations
    if total > 1 && isLinear(operations) && isFusible(operations + 1) {
      (before, center, count) = (operations, operations + 1, 2)
    }
    guard isFusible(center) else { return }
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
  case .gainByPieces: if case .blend = operation.pointee.norm { true } else { false }
  default: false
  }
}

extension FusedOperation {
  /// The beginning alone.
  var withoutAfter: FusedOperation {
    var part = self
    part.after = nil
    return part
  }

  /// The end alone.
  var withoutBefore: FusedOperation {
    var part = self
    part.before = nil
    return part
  }
}

extension Rows {
  /// Replaces pixels by a function of those of other rows, and by the linear maps around it.
  @inline(__always)
  func map(
    _ range: Range<Int>, _ function: some PixelFunction, _ fused: FusedOperation, from source: Rows
  ) {
    switch (fused.before, fused.after) {
    case (nil, nil): map(range, function, from: source)
    case (nil, let after?):
      map(range, Chain(function, Affine(map: after.pointee.map)), from: source)
    case (let before?, nil) where DifferencesToRGB.covers(before.pointee.map):
      map(range, Chain(DifferencesToRGB(map: before.pointee.map), function), from: source)
    case (let before?, nil):
      map(range, Chain(Affine(map: before.pointee.map), function), from: source)
    case (let before?, let after?) where DifferencesToRGB.covers(before.pointee.map):
      map(
        range,
        Chain(
          Chain(DifferencesToRGB(map: before.pointee.map), function),
          Affine(map: after.pointee.map)), from: source)
    case (let before?, let after?):
      map(
        range,
        Chain(Chain(Affine(map: before.pointee.map), function), Affine(map: after.pointee.map)),
        from: source)
    }
  }
}
