internal import Bitstreams

/// `avcC` or `hvcC`: the parameter sets of a track (ISO/IEC 14496-15, 5.3.3 and 8.3.3), or the same
/// out of a byte stream with start codes.
public struct DecoderConfiguration: Hashable, Sendable {
  /// The parameter sets and SEI NAL units, in their order.
  public let units: [NALUnit]
  /// The bytes of the length before each NAL unit of a sample; nil for a byte stream.
  public let lengthSize: Int?

  /// Reads a configuration in whichever form it is; nil where it is in neither.
  public init?(_ bytes: [UInt8], _ codec: NALCodec) {
    if bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) {
      units = NALUnit.split(annexB: bytes)
      lengthSize = nil
      return
    }
    var reader = ByteReader(bytes)
    let content = try? codec == .hevc ? Self.hevc(&reader) : Self.avc(&reader)
    guard let content else { return nil }
    (units, lengthSize) = content
  }

  private static func hevc(
    _ reader: inout ByteReader
  ) throws(BitstreamError) -> (units: [NALUnit], lengthSize: Int?) {
    try reader.skip(21)
    let lengthSize = Int(try reader.integer(UInt8.self) & 3) + 1
    var units: [NALUnit] = []
    for _ in 0..<(try reader.integer(UInt8.self)) {
      try reader.skip(1)
      for _ in 0..<(try reader.integer(UInt16.self)) {
        units.append(NALUnit(try reader.bytes(Int(try reader.integer(UInt16.self)))))
      }
    }
    return (units, lengthSize)
  }

  private static func avc(
    _ reader: inout ByteReader
  ) throws(BitstreamError) -> (units: [NALUnit], lengthSize: Int?) {
    try reader.skip(4)
    let lengthSize = Int(try reader.integer(UInt8.self) & 3) + 1
    var units: [NALUnit] = []
    for mask: UInt8 in [0x1F, 0xFF] {
      for _ in 0..<(try reader.integer(UInt8.self) & mask) {
        units.append(NALUnit(try reader.bytes(Int(try reader.integer(UInt16.self)))))
      }
    }
    return (units, lengthSize)
  }

  /// The NAL units of a sample.
  public func split(_ sample: [UInt8]) -> [NALUnit] {
    guard let lengthSize else { return NALUnit.split(annexB: sample) }
    return NALUnit.split(sample: sample, lengthSize: lengthSize)
  }
}
