// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// `avcC` or `hvcC`: the parameter sets of a track (ISO/IEC 14496-15, 5.3.3 and 8.3.3), or the same
/// out of a byte stream with start codes.
package struct DecoderConfiguration: Hashable, Sendable {
  /// The codec.
  package let codec: VideoCodec
  /// The parameter sets and SEI NAL units, in their order.
  package let units: [NALUnit]
  /// The bytes of the length before each NAL unit of a sample; nil for a byte stream.
  package let lengthSize: Int?

  /// Reads a configuration in whichever form it is.
  package init(_ bytes: [UInt8], _ codec: VideoCodec) throws(NALUnitError) {
    self.codec = codec
    if bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) {
      units = NALUnit.split(annexB: bytes, codec)
      lengthSize = nil
      return
    }
    switch codec {
    case .hevc:
      let record = try HEVCDecoderConfigurationRecord(bytes)
      (units, lengthSize) = (record.arrays.flatMap(\.units), record.lengthSize)
    case .h264:
      let record = try AVCDecoderConfigurationRecord(bytes)
      (units, lengthSize) = (record.units, record.lengthSize)
    }
  }

  /// The NAL units of a sample.
  package func split(_ sample: [UInt8]) -> [NALUnit] {
    guard let lengthSize else { return NALUnit.split(annexB: sample, codec) }
    return NALUnit.split(sample: sample, lengthSize: lengthSize, codec)
  }
}

extension ByteReader {
  /// A number of NAL units, each behind its length of 16 bits.
  mutating func units(_ count: Int, _ codec: VideoCodec) throws(BitstreamError) -> [NALUnit] {
    var units: [NALUnit] = []
    for _ in 0..<count {
      units.append(NALUnit(try bytes(Int(try integer(UInt16.self))), codec))
    }
    return units
  }
}
