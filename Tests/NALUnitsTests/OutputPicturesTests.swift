// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import NALUnits
import Testing

/// Decoders drop the RASL pictures of an HEVC picture with which decoding begins (H.265, 8.1.3).
@Suite struct OutputPicturesTests {
  /// The types of NAL units (H.265, table 7-1).
  private enum Unit: UInt8 {
    case trail = 1
    case rasl = 9
    case bla = 16
    case idr = 19
    case cra = 21
    case endOfSequence = 36
  }

  /// Returns whether a decoder shows each access unit.
  private func shown(_ units: [[Unit]]) -> [Bool] {
    var pictures = OutputPictures(.hevc, areSamples: true)
    var answers: [Bool] = []
    for (number, types) in units.enumerated() {
      let own = types.map { NALUnit([$0.rawValue << 1, 1, 0x80], .hevc) }
      answers.append(pictures.isShown(late: [], own: own[...], isFirst: number == 0))
    }
    return answers
  }

  @Test(
    arguments: [
      ([[.cra], [.rasl], [.trail], [.cra], [.rasl]], [true, false, true, true, true]),
      ([[.idr], [.cra], [.rasl]], [true, true, true]),
      ([[.idr], [.bla], [.rasl], [.cra], [.rasl]], [true, true, false, true, true]),
      // After the end of a sequence, a CRA picture begins the next one.
      ([[.idr, .endOfSequence], [.cra], [.rasl], [.trail]], [true, true, false, true]),
      ([[.idr, .endOfSequence], [.cra], [.cra], [.rasl]], [true, true, true, true]),
      // Muxers may store the end of a sequence in the next sample.
      ([[.idr], [.endOfSequence, .cra], [.rasl]], [true, true, false]),
      ([[.idr], [.endOfSequence, .idr], [.cra], [.rasl]], [true, true, true, true]),
    ] as [([[Unit]], [Bool])])
  private func droppedPictures(units: [[Unit]], expected: [Bool]) {
    #expect(shown(units) == expected)
  }
}
