// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import CodePoints
internal import MediaCore
internal import NALUnits

/// Changes the samples of a track so that all lengths before NAL units have the size that the
/// track's configuration states.
///
/// Each configuration of a track states the size of the length before each NAL unit
/// (`lengthSizeMinusOne`; ISO/IEC 14496-15, 5.3.3 and 8.3.3). After the sizes are made equal, one
/// size is enough to split the samples into units.
struct LengthSizes {
  private let codec: NALCodec
  /// The size of a length in bytes, as the track's configuration states it.
  private let wanted: Int
  /// The size of a length in bytes, in the samples that are being read.
  private var stored: Int

  /// - Returns: `nil` if the track's samples have no lengths before NAL units.
  init?(_ parameters: CodecParameters) {
    guard let codec = parameters.nalCodec,
      let size = (try? DecoderConfiguration(parameters.extradata, codec))?.lengthSize
    else { return nil }
    (self.codec, wanted, stored) = (codec, size, size)
  }

  /// Takes the size of the lengths from the configuration of the samples that follow.
  ///
  /// - Returns: the configuration for the changed samples; `nil` if it cannot be read.
  mutating func take(_ configuration: [UInt8]) -> [UInt8]? {
    guard var record = try? codec.record.init(configuration) else { return nil }
    stored = record.lengthSize
    record.lengthSize = wanted
    return record.bytes
  }

  /// Returns a packet whose lengths have the size that its track's configuration states.
  ///
  /// - Throws: ``LibAVError`` if a NAL unit is too long for that size.
  func equalized(_ packet: Packet) throws(LibAVError) -> Packet {
    guard stored != wanted else { return packet }
    guard let sample = Self.resized(packet.bytes, from: stored, to: wanted) else {
      throw LibAVError(
        "av_read_frame", candela_averror_invaliddata(),
        context: "a NAL unit of track \(packet.trackIndex + 1) is too long for a length of "
          + "\(wanted) bytes, which the track's first configuration states")
    }
    return try packet.replacing(sample)
  }

  /// Returns a sample whose lengths have another size; `nil` if a unit is too long for it. A last
  /// unit that is cut off stays cut off.
  private static func resized(_ sample: [UInt8], from old: Int, to new: Int) -> [UInt8]? {
    let longest = 1 << (8 * new) - 1
    var (result, rest) = ([UInt8](), sample[...])
    while rest.count >= old {
      let length = rest.prefix(old).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(old)
      guard length <= longest || length > rest.count else { return nil }
      let stated = min(length, longest)
      result += (0..<new).reversed().map { UInt8(truncatingIfNeeded: stated >> (8 * $0)) }
      result += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    return result + rest
  }
}
