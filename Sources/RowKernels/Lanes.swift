// SPDX-License-Identifier: GPL-2.0-or-later
// This folder is compiled once for each instruction set, each time as a separate target (see
// Package.swift). All functions of pointers, integers and SIMD types must be inlined completely,
// because a function that the compiler emits for one target could be linked into all of them.
// `@_transparent` makes sure of that. `@inline(__always)` is not always obeyed in large functions,
// which then run at a third of the speed.

#if LANES16
/// The numbers of one register.
typealias Lanes = SIMD16<Float>
typealias IntegerLanes = SIMD16<Int32>
#elseif LANES8
/// The numbers of one register.
typealias Lanes = SIMD8<Float>
typealias IntegerLanes = SIMD8<Int32>
#else
/// The numbers of one register.
typealias Lanes = SIMD4<Float>
typealias IntegerLanes = SIMD4<Int32>
#endif

/// Pairs of numbers: as many pairs as a register has numbers.
#if LANES16
typealias PairedLanes = SIMD32<Float>
#elseif LANES8
typealias PairedLanes = SIMD16<Float>
#else
typealias PairedLanes = SIMD8<Float>
#endif

/// True or false for each number of a register.
typealias LaneMask = SIMDMask<IntegerLanes>

/// Returns a · b + c, rounded once.
@_transparent
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
  // x86 before AVX2 has no instruction for this, and a library call for each number is slow. In
  // double precision the product is exact; the sum is rounded to odd (see `OddSums.swift`).
  #if BASELINE && arch(x86_64)
  Lanes(sumToOdd(SIMD4<Double>(a) * SIMD4<Double>(b), SIMD4<Double>(c)))
  #else
  c.addingProduct(a, b)
  #endif
}

@_transparent
func multiplyAdd(_ a: Lanes, _ b: Float, _ c: Float) -> Lanes {
  multiplyAdd(a, Lanes(repeating: b), Lanes(repeating: c))
}

@_transparent
func multiplyAdd(_ a: Lanes, _ b: Float, _ c: Lanes) -> Lanes {
  multiplyAdd(a, Lanes(repeating: b), c)
}

@_transparent
func multiplyAdd(_ a: Lanes, _ b: Lanes, _ c: Float) -> Lanes {
  multiplyAdd(a, b, Lanes(repeating: c))
}

@_transparent
func larger(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  b.replacing(with: a, where: a .> b)
}

@_transparent
func smaller(_ a: IntegerLanes, _ b: IntegerLanes) -> IntegerLanes {
  b.replacing(with: a, where: a .< b)
}

@_transparent
func larger(_ a: Lanes, _ b: Float) -> Lanes { larger(a, Lanes(repeating: b)) }

@_transparent
func smaller(_ a: Lanes, _ b: Float) -> Lanes { smaller(a, Lanes(repeating: b)) }

@_transparent
func bits(_ x: Lanes) -> IntegerLanes { unsafeBitCast(x, to: IntegerLanes.self) }

@_transparent
func number(_ bits: IntegerLanes) -> Lanes { unsafeBitCast(bits, to: Lanes.self) }

/// x without its sign.
@_transparent
func magnitude(_ x: Lanes) -> Lanes { number(bits(x) & 0x7FFF_FFFF) }

/// `x`, which must not be negative, with the sign of another number.
@_transparent
func withSign(_ x: Lanes, of other: Lanes) -> Lanes {
  number(bits(x) | (bits(other) & IntegerLanes(repeating: .min)))
}

@_transparent
func load(_ row: UnsafeMutablePointer<Float>, _ index: Int) -> Lanes {
  UnsafeRawPointer(row + index).load(as: Lanes.self)
}

@_transparent
func store(_ lanes: Lanes, _ row: UnsafeMutablePointer<Float>, _ index: Int) {
  UnsafeMutableRawPointer(row + index).storeBytes(of: lanes, as: Lanes.self)
}

@_transparent
func loadPairs(_ row: UnsafePointer<Float>) -> PairedLanes {
  UnsafeRawPointer(row).loadUnaligned(as: PairedLanes.self)
}
