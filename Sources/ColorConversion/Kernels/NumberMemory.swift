// SPDX-License-Identifier: GPL-2.0-or-later

/// Numbers that kernels work in, zeros at first, on a 64-byte boundary.
@safe
final class NumberMemory<Number: Numeric & BitwiseCopyable> {
  /// The first number.
  @unsafe let start: UnsafeMutablePointer<Number>

  /// Memory for so many numbers.
  init(count: Int) {
    unsafe start = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Number>.stride, alignment: 64
    ).bindMemory(to: Number.self, capacity: max(count, 1))
    unsafe start.initialize(repeating: 0, count: max(count, 1))
  }

  deinit {
    unsafe start.deallocate()
  }
}
