// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import NALUnits
import Testing

/// Fields of H.264 in access units of their own.
@Suite struct SecondFieldsTests {
  /// Returns a NAL unit of H.264 from its header and bits, with the stop bit.
  private func unit(_ header: UInt8, _ bits: String) -> NALUnit {
    var bits = Array(bits.filter { $0 != " " }) + ["1"]
    while bits.count % 8 != 0 { bits.append("0") }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 == "1" ? 1 : 0) }
    }
    return NALUnit([header] + bytes, .h264)
  }

  /// Returns a reader for Baseline with a `frame_num` of 4 bits and 32 × 64 samples.
  private func reader(isFrameOnly: Bool) -> SecondFields {
    let size = "010 010" + (isFrameOnly ? "1" : "0 0")
    return SecondFields(parameterSets: [
      unit(0x67, "01000010 00000000 00011110 1 1 011 1 0 \(size) 1 0 0"), unit(0x68, "1 1 0 0"),
    ])
  }

  /// Returns the first slice of a picture that uses the first picture parameter set.
  private func slice(_ number: String, _ flags: String) -> [NALUnit] {
    [unit(0x65, "1 1 1 \(number) \(flags) 1111 0000")]
  }

  /// Returns for each access unit whether it completes the picture before it.
  private func seconds(_ units: [[NALUnit]], isFrameOnly: Bool = false) -> [Bool] {
    var fields = reader(isFrameOnly: isFrameOnly)
    var answers: [Bool] = []
    for unit in units { answers.append(fields.isSecond(unit)) }
    return answers
  }

  @Test func theSecondFieldBelongsToTheFirst() {
    // Frame number, field_pic_flag, bottom_field_flag. A field of another frame or of the same
    // parity is not a second field.
    let units = [
      slice("0000", "1 0"), slice("0000", "1 1"), slice("0001", "1 0"), slice("0010", "1 1"),
      slice("0010", "1 1"), slice("0010", "1 0"),
    ]
    #expect(seconds(units) == [false, true, false, false, false, true])
  }

  @Test func framesAndPairsInOneUnitStandAlone() {
    let pair = slice("0000", "1 0") + slice("0000", "1 1")
    #expect(
      seconds([slice("0000", "0"), pair, slice("0000", "1 1")]) == [false, false, false])
    #expect(
      seconds([slice("0000", "1 0"), slice("0000", "1 1")], isFrameOnly: true) == [false, false])
  }
}
