// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import NALUnits
import Testing

/// If the two fields of an H.264 frame are in separate access units, the second one is found.
@Suite struct SecondFieldsTests {
  /// Returns an H.264 NAL unit with these bits after its header. The stop bit is added.
  private func unit(_ header: UInt8, _ bits: String) -> NALUnit {
    var bits = Array(bits.filter { $0 != " " }) + ["1"]
    while bits.count % 8 != 0 { bits.append("0") }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 == "1" ? 1 : 0) }
    }
    return NALUnit([header] + bytes, .h264)
  }

  /// Returns a reader that has parameter sets of profile Baseline. They state 32 × 64 samples, and
  /// that `frame_num` has 4 bits.
  private func reader(isFrameOnly: Bool) -> SecondFields {
    let size = "010 010" + (isFrameOnly ? "1" : "0 0")
    return SecondFields(parameterSets: [
      unit(0x67, "01000010 00000000 00011110 1 1 011 1 0 \(size) 1 0 0"), unit(0x68, "1 1 0 0"),
    ])
  }

  /// Returns an access unit with one slice, which begins a frame or a field.
  private func slice(_ number: String, _ flags: String) -> [NALUnit] {
    [unit(0x65, "1 1 1 \(number) \(flags) 1111 0000")]
  }

  /// Returns for each access unit whether it is the second field of the frame that the access unit
  /// before it began.
  private func seconds(_ units: [[NALUnit]], isFrameOnly: Bool = false) -> [Bool] {
    var fields = reader(isFrameOnly: isFrameOnly)
    var answers: [Bool] = []
    for unit in units { answers.append(fields.isSecond(unit)) }
    return answers
  }

  @Test func theSecondFieldBelongsToTheFirst() {
    // Each slice states its frame number, field_pic_flag and bottom_field_flag. A field of another
    // frame or of the same parity is not a second field.
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
