// SPDX-License-Identifier: GPL-2.0-or-later
#if LANES16 || LANES8
import CLanes
#endif

/// A table of 16 numbers. It is kept in registers if the processor can look up numbers there.
struct LaneTable {
  #if LANES16
  private let numbers: Lanes
  #elseif LANES8
  private let low: Lanes
  private let high: Lanes
  #else
  private let numbers: UnsafePointer<Float>
  #endif

  @_transparent
  init(_ numbers: UnsafePointer<Float>) {
    #if LANES16
    self.numbers = UnsafeRawPointer(numbers).loadUnaligned(as: Lanes.self)
    #elseif LANES8
    low = UnsafeRawPointer(numbers).loadUnaligned(as: Lanes.self)
    high = UnsafeRawPointer(numbers + 8).loadUnaligned(as: Lanes.self)
    #else
    self.numbers = numbers
    #endif
  }

  /// Returns the number at each place. Only the lowest four bits of a place count.
  @_transparent
  func callAsFunction(_ places: IntegerLanes) -> Lanes {
    #if LANES16
    // Swift cannot express these instructions, so they come from C headers.
    candela_look_up(numbers, places)
    #elseif LANES8
    // A register of AVX2 has room for only eight numbers, so look up both halves and let bit 3
    // choose.
    candela_choose(candela_look_up(low, places), candela_look_up(high, places), places &<< 28)
    #else
    Lanes(
      numbers[Int(places[0] & 15)], numbers[Int(places[1] & 15)], numbers[Int(places[2] & 15)],
      numbers[Int(places[3] & 15)])
    #endif
  }
}

/// Returns the number at each place of a table of eight. Only the lowest three bits of a place
/// count.
@_transparent
func lookUp(_ table: SIMD8<Float>, _ places: IntegerLanes) -> Lanes {
  #if LANES16
  candela_look_up(Lanes(lowHalf: table, highHalf: table), places)
  #elseif LANES8
  candela_look_up(table, places)
  #else
  Lanes(
    table[Int(places[0] & 7)], table[Int(places[1] & 7)], table[Int(places[2] & 7)],
    table[Int(places[3] & 7)])
  #endif
}

/// Whether a condition is true for every number.
@_transparent
func all(_ mask: LaneMask) -> Bool {
  let marks = unsafeBitCast(mask, to: IntegerLanes.self)
  #if LANES16 || LANES8
  return candela_all(marks) != 0
  #else
  // In a mask, true is −1, so the sum shows whether all are true.
  return marks.wrappedSum() == Int32(-Lanes.scalarCount)
  #endif
}

/// Returns the larger of two numbers. If `a` is NaN, the result is `b`.
@_transparent
func larger(_ a: Lanes, _ b: Lanes) -> Lanes {
  #if LANES16 || LANES8
  // The compiler sees only comparisons and choices of single numbers here, and sometimes takes a
  // register apart for them. This function from a C header prevents that.
  candela_larger(a, b)
  #else
  // In this form and order, it compiles to one instruction.
  b.replacing(with: a, where: a .> b)
  #endif
}

/// Returns the smaller of two numbers. If `a` is NaN, the result is `b`.
@_transparent
func smaller(_ a: Lanes, _ b: Lanes) -> Lanes {
  #if LANES16 || LANES8
  candela_smaller(a, b)
  #else
  b.replacing(with: a, where: a .< b)
  #endif
}

/// Returns the square root of each number.
@_transparent
func squareRoot(_ x: Lanes) -> Lanes {
  #if LANES16 || LANES8
  // Swift's own function computes one number at a time.
  candela_square_root(x)
  #else
  x.squareRoot()
  #endif
}

/// Returns the last number of one register, then all but the last of the other.
@_transparent
func oneBefore(_ before: Lanes, _ lanes: Lanes) -> Lanes {
  #if LANES16 || LANES8
  candela_one_before(before, lanes)
  #else
  Lanes(before[3], lanes[0], lanes[1], lanes[2])
  #endif
}

/// Returns the last two numbers of one register, then all but the last two of the other.
@_transparent
func twoBefore(_ before: Lanes, _ lanes: Lanes) -> Lanes {
  #if LANES16 || LANES8
  candela_two_before(before, lanes)
  #else
  Lanes(before[2], before[3], lanes[0], lanes[1])
  #endif
}

/// Returns all but the first number of one register, then the first of the other.
@_transparent
func oneAfter(_ lanes: Lanes, _ after: Lanes) -> Lanes {
  #if LANES16 || LANES8
  candela_one_after(lanes, after)
  #else
  Lanes(lanes[1], lanes[2], lanes[3], after[0])
  #endif
}
