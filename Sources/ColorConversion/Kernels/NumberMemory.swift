// SPDX-License-Identifier: GPL-2.0-or-later

/// Memory in which kernels keep their numbers. It begins on a 64-byte boundary, and all numbers are
/// 0 at first.
@safe
final class NumberMemory<Number: Numeric & BitwiseCopyable> {
  @unsafe let start: UnsafeMutablePointer<Number>

  init(count: Int) {
    unsafe start = UnsafeMutableRawPointer.allocate(
      // Registers of AVX-512 are loaded from multiples of 64 bytes.
      byteCount: max(count, 1) * MemoryLayout<Number>.stride, alignment: 64
    ).bindMemory(to: Number.self, capacity: max(count, 1))
    unsafe start.initialize(repeating: 0, count: max(count, 1))
  }

  deinit {
    unsafe start.deallocate()
  }
}
