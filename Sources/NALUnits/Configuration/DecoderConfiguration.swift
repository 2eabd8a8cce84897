// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// `avcC` or `hvcC`: the parameter sets of a track (ISO/IEC 14496-15, 5.3.3 and 8.3.3), or the same
/// out of a byte stream with start codes.
package struct DecoderConfiguration: Hashable, Sendable {
  /// The codec.
  package let codec: NALCodec
  /// The parameter sets and SEI NAL units, in their order.
  package let units: [NALUnit]
  /// The bytes of the length before each NAL unit of a sample; nil for a byte stream.
  package let lengthSize: Int?

  /// Reads a configuration in whichever form it is.
  package init(_ bytes: [UInt8], _ codec: NALCodec) throws(NALUnitError) {
    self.codec = codec
    if bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) {
      units = NALUnit.split(annexB: bytes, codec)
      lengthSize = nil
      return
    }
    let record = try codec.record.init(bytes)
    (units, lengthSize) = (record.units, record.lengthSize)
  }

  /// The NAL units of a sample.
  package func split(_ sample: [UInt8]) -> [NALUnit] {
    guard let lengthSize else { return NALUnit.split(annexB: sample, codec) }
    return NALUnit.split(sample: sample, lengthSize: lengthSize, codec)
  }
}

/// The record in a configuration box, which can be changed.
package protocol DecoderConfigurationRecord {
  /// The bytes that a record has at least.
  static var minimumSize: Int { get }
  /// Reads a record.
  init(_ bytes: [UInt8]) throws(NALUnitError)
  /// The record's bytes.
  var bytes: [UInt8] { get }
  /// The parameter sets and SEI NAL units, in their order.
  var units: [NALUnit] { get }
  /// The bytes of the length before each NAL unit of a sample.
  var lengthSize: Int { get }
  /// Puts other units into the places of the record's.
  mutating func replaceUnits(_ change: (NALUnit) throws -> NALUnit) rethrows
  /// Changes the prefix SEI units, where the record has a place for them.
  mutating func editPrefixSEI(_ change: ([NALUnit]) -> [NALUnit])
  /// Says that all parameter sets are in the record, where it has a place to say so.
  mutating func completeParameterSets()
}

extension NALCodec {
  /// The record of the codec's configuration box.
  package var record: any DecoderConfigurationRecord.Type {
    switch self {
    case .hevc: HEVCDecoderConfigurationRecord.self
    case .h264: AVCDecoderConfigurationRecord.self
    }
  }
}

extension ByteReader {
  /// A number of NAL units, each behind its length of 16 bits.
  mutating func units(_ count: Int, _ codec: NALCodec) throws(BitstreamError) -> [NALUnit] {
    var units: [NALUnit] = []
    for _ in 0..<count {
      units.append(NALUnit(try bytes(Int(try integer(UInt16.self))), codec))
    }
    return units
  }
}
