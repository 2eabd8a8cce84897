// SPDX-License-Identifier: GPL-2.0-or-later
import Testing

@testable import Comparison

@Suite struct FrameMetricTests {
  /// A unit follows numbers, and never the word for a missing number.
  @Test(
    arguments: [
      ([40, 41, 42, 40.5], "Y 40.00, Cb 41.00, Cr 42.00, all 40.50 dB"),
      ([40, nil, nil, 42], "Y 40.00 dB, Cb identical, Cr identical, all 42.00 dB"),
      ([nil, 41, 42, 41], "Y identical, Cb 41.00 dB, Cr 42.00 dB, all 41.00 dB"),
      ([40, nil, nil, 40], "40.00 dB"), ([nil, nil, nil, nil], "identical"),
    ] as [([Double?], String)])
  func unitsFollowNumbers(numbers: [Double?], text: String) {
    #expect(FrameMetric.psnr.text(numbers) == text)
  }
}
