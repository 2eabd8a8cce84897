// SPDX-License-Identifier: GPL-2.0-or-later

extension HDR10PlusMetadata {
  /// Descriptions of everything in the metadata that ST 2094-40 does not allow.
  package var issues: [String] {
    var issues: [String] = []
    func refuse(_ isWrong: Bool, _ problem: @autoclosure () -> String) {
      if isWrong { issues.append(problem()) }
    }
    refuse(applicationVersion > 1, "application_version is \(applicationVersion), not 0 or 1")
    refuse(
      targetedSystemDisplayMaximumLuminance > 10_000,
      "the targeted display's peak is \(targetedSystemDisplayMaximumLuminance) cd/m², which is "
        + "above 10 000 cd/m²")
    for (name, grid) in [("targeted", targetedPeaks), ("mastering", masteringPeaks)] {
      guard let grid else { continue }
      let sides: ClosedRange<UInt8> = 2...25
      refuse(
        !sides.contains(grid.rowCount) || !sides.contains(grid.columnCount),
        "the \(name) display's grid of peaks is \(grid.rowCount) × \(grid.columnCount), but each "
          + "side must be from 2 to 25")
    }
    return issues
      + windows.enumerated().flatMap { number, window in
        window.issues.map { "window \(number + 1): \($0)" }
      }
  }
}

extension HDR10PlusMetadata.Window {
  fileprivate var issues: [String] {
    var issues: [String] = []
    func refuse(_ isWrong: Bool, _ problem: @autoclosure () -> String) {
      if isWrong { issues.append(problem()) }
    }
    let brightest = HDR10PlusMetadata.brightest
    refuse(maxSCL.contains { $0 > brightest }, "maxscl is above 10 000 cd/m²")
    refuse(averageMaxRGB > brightest, "average_maxrgb is above 10 000 cd/m²")
    // A `maxscl` of 0 means that the writer did not know the light.
    if let largest = maxSCL.max(), largest > 0 {
      refuse(averageMaxRGB > largest, "average_maxrgb is above maxscl")
    }
    refuse(fractionBrightPixels > 1000, "fraction_bright_pixels is above 1")
    let rising = percentiles
    refuse(
      zip(rising, rising.dropFirst()).contains { $0.percentage >= $1.percentage },
      "the percentages do not rise")
    refuse(
      zip(rising, rising.dropFirst()).contains { $0.value > $1.value },
      "the percentiles do not rise")
    refuse(rising.contains { $0.value > brightest }, "a percentile is above 10 000 cd/m²")
    if let curve = toneCurve {
      refuse(
        zip(curve.anchors, curve.anchors.dropFirst()).contains { $0 > $1 },
        "the anchors of the tone curve do not rise")
    }
    return issues
  }

  /// The distribution without the slots in which writers store figures other than percentiles.
  private var percentiles: [HDR10PlusMetadata.Percentile] {
    guard distribution.count == 9 else { return distribution }
    return distribution.indices.filter { !(1...2).contains($0) }.map { distribution[$0] }
  }
}
