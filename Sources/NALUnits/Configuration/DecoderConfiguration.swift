// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// The parameter sets of a track: the content of `avcC` or `hvcC` (ISO/IEC 14496-15, 5.3.3 and
/// 8.3.3), or NAL units with start codes from a byte stream.
package struct DecoderConfiguration: Hashable, Sendable {
  package let codec: NALCodec
  /// The parameter sets and SEI NAL units, in order.
  package let units: [NALUnit]
  /// The number of bytes that code the length before each NAL unit of a sample; `nil` for a byte
  /// stream.
  package let lengthSize: Int?

  /// Reads a configuration in either form.
  package init(_ bytes: [UInt8], _ codec: NALCodec) throws(NALUnitError) {
    self.codec = codec
    // FFmpeg's `extradata` has either form, depending on the container. A record begins with its
    // version, which is 1, and a start code begins with 0.
    if bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) {
      units = NALUnit.split(annexB: bytes, codec)
      lengthSize = nil
      return
    }
    let record = try codec.record.init(bytes)
    (units, lengthSize) = (record.units, record.lengthSize)
  }

  /// Splits a sample into its NAL units.
  package func split(_ sample: [UInt8]) -> [NALUnit] {
    guard let lengthSize else { return NALUnit.split(annexB: sample, codec) }
    return NALUnit.split(sample: sample, lengthSize: lengthSize, codec)
  }
}

/// The record that a configuration box contains. It can be changed.
package protocol DecoderConfigurationRecord {
  /// The size of the shortest record in bytes.
  static var minimumSize: Int { get }
  /// Reads the payload of the box.
  init(_ bytes: [UInt8]) throws(NALUnitError)
  /// The record as the payload of its box.
  var bytes: [UInt8] { get }
  /// The parameter sets and SEI NAL units, in order.
  var units: [NALUnit] { get }
  /// The number of bytes that code the length before each NAL unit of a sample, 1 to 4.
  var lengthSize: Int { get set }
  /// Replaces the units of the record.
  mutating func replaceUnits(_ change: (NALUnit) throws -> NALUnit) rethrows
  /// Changes the prefix SEI units, if the record has a place for them.
  mutating func editPrefixSEI(_ change: ([NALUnit]) -> [NALUnit])
  /// Declares that all parameter sets are in the record, if the record can say so.
  mutating func completeParameterSets()
}

extension NALCodec {
  /// The type of the record in the codec's configuration box.
  package var record: any DecoderConfigurationRecord.Type {
    switch self {
    case .hevc: HEVCDecoderConfigurationRecord.self
    case .h264: AVCDecoderConfigurationRecord.self
    }
  }
}

extension ByteReader {
  /// Reads some NAL units, each of which is preceded by its 16-bit length.
  mutating func units(_ count: Int, _ codec: NALCodec) throws(BitstreamError) -> [NALUnit] {
    var units: [NALUnit] = []
    for _ in 0..<count {
      units.append(NALUnit(try bytes(Int(try integer(UInt16.self))), codec))
    }
    return units
  }
}
