// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

// What a muxer would store, by libavformat's tables and by what rows say of its muxers: none is
// opened to find out.
extension FileType {
  /// True if a movie file's sample entries have the track's tag, and it means the track's codec.
  package func knowsTag(of track: DemuxedTrack) -> Bool {
    guard let format = unsafe av_guess_format(muxerName, nil, nil) else { return false }
    return unsafe candela_codec_of_muxer(format, track.codecTag)
      == track.codec.pointer.pointee.codec_id
  }

  /// True if samples of a track can be stored as they are.
  ///
  /// - Parameter entry: the track's sample entry in QuickTime, which is kept; nil for none.
  package func holds(_ track: DemuxedTrack, entry: [UInt8]? = nil) -> Bool {
    let codec = track.codec
    guard codec.isKnown, countsSamples || !codec.countsByDuration else { return false }
    if isMovie {
      let hasForm = unsafe entry != nil || !codec.pointer.hasNoFormInMovies
      return hasForm && codec.isMeasured(upTo: Self.longestSide) && holds(codec: codec.codecName)
    }
    guard codec.isMeasured(upTo: .max), let told = try? codec.forMatroska(entry) else {
      return false
    }
    return told.hasConfigurationForMatroska && holds(codec: told.codecName)
  }

  /// The longest side of frames that a sample entry has a number for.
  private static let longestSide: Int32 = 65_535

  /// True if the muxer has a place for a codec: one of its own, or for what AVI or QuickTime have.
  ///
  /// - Parameter codec: FFmpeg's name of a codec that this FFmpeg knows.
  package func holds(codec: String) -> Bool {
    guard !refusedCodecs.contains(codec),
      let descriptor = unsafe avcodec_descriptor_get_by_name(codec),
      let format = unsafe av_guess_format(muxerName, nil, nil)
    else { return false }
    let id = unsafe descriptor.pointee.id
    func takes(_ compliance: Int32) -> Bool {
      unsafe avformat_query_codec(format, id, compliance) == 1
    }
    if takes(FF_COMPLIANCE_NORMAL) { return true }
    // Matroska's muxer counts whatever another file has a tag for as an experiment.
    let takesOthers = takes(FF_COMPLIANCE_EXPERIMENTAL)
    return (takesTagsOfAVI || takesOthers) && candela_tag_in_avi(id) != 0
      || takesOthers && candela_tag_in_quicktime(id) != 0
  }
}

extension CodecParameters {
  /// True if there is a size of frames or a sample rate, without which no muxer takes a track.
  fileprivate func isMeasured(upTo longestSide: Int32) -> Bool {
    let parameters = unsafe pointer.pointee
    let sides = 1...longestSide
    return switch unsafe parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO:
      unsafe sides.contains(parameters.width) && sides.contains(parameters.height)
    case AVMEDIA_TYPE_AUDIO: unsafe parameters.sample_rate > 0
    default: true
    }
  }

  /// The codec as the Matroska muxer is told of it.
  fileprivate func forMatroska(_ entry: [UInt8]?) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    try unsafe copy.pointer.suitMatroska(entry)
    return copy
  }

  /// True unless the Matroska muxer would look for something in the configuration and not find it.
  fileprivate var hasConfigurationForMatroska: Bool {
    let bytes = extradata
    switch unsafe pointer.pointee.codec_id {
    // The form of samples, by which the decoder knows them.
    case AV_CODEC_ID_RAWVIDEO:
      let form = unsafe pointer.pointee.codec_tag
      return form != 0 && candela_codec_in_avi(form) == AV_CODEC_ID_RAWVIDEO
    case AV_CODEC_ID_ALAC: return bytes.count >= 36
    case AV_CODEC_ID_FLAC: return bytes.count >= 34
    case AV_CODEC_ID_VORBIS: return hasXiphHeaders(bytes, firstOf: 30)
    case AV_CODEC_ID_THEORA: return hasXiphHeaders(bytes, firstOf: 42)
    case AV_CODEC_ID_H264:
      return bytes.count > 6 && (firstBytesOfUnits(bytes)?.holds([7, 8]) { $0 & 0x1F } ?? true)
    case AV_CODEC_ID_HEVC:
      let units = firstBytesOfUnits(bytes)
      return bytes.count >= 6
        && (units?.holds([32, 33, 34]) { $0 >> 1 & 0x3F } ?? (bytes[0] == 1))
    case AV_CODEC_ID_AAC: return bytes.isEmpty || isAudioSpecificConfig(bytes)
    case AV_CODEC_ID_AV1:
      guard let first = bytes.first else { return true }
      // A record, or units, of which a sequence header or what may stand before it is the first.
      return first & 0x80 == 0
        ? [1, 2].contains(first >> 3 & 0xF) : bytes.count >= 4 && first == 0x81
    default: return true
    }
  }
}

/// The first byte of each NAL unit behind a start code; nil for bytes that begin with none.
private func firstBytesOfUnits(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) else { return nil }
  return bytes.indices.dropFirst(3).filter {
    bytes[$0 - 1] == 1 && bytes[$0 - 2] == 0 && bytes[$0 - 3] == 0
  }.map { bytes[$0] }
}

extension [UInt8] {
  /// True if units of all types are there, of which the first bytes are these.
  fileprivate func holds(_ types: Set<UInt8>, _ type: (UInt8) -> UInt8) -> Bool {
    types.isSubset(of: map(type))
  }
}

/// True for the three headers of a codec of Xiph's, behind their lengths: either form that demuxers
/// give.
private func hasXiphHeaders(_ bytes: [UInt8], firstOf size: Int) -> Bool {
  func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
  if bytes.count >= 6, number(0) == size {
    var place = 0
    for _ in 0..<3 {
      guard place + 2 <= bytes.count else { return false }
      place += 2 + number(place)
    }
    return place <= bytes.count
  }
  guard bytes.first == 2 else { return false }
  var (rest, length) = (bytes.dropFirst(), 0)
  for _ in 0..<2 {
    let count = rest.prefix { $0 == 0xFF }.count
    rest = rest.dropFirst(count)
    guard let last = rest.popFirst() else { return false }
    length += count * 0xFF + Int(last)
  }
  return length <= rest.count
}

/// True for a configuration of AAC whose number of channels has a meaning (ISO/IEC 14496-3,
/// 1.6.2.1).
private func isAudioSpecificConfig(_ bytes: [UInt8]) -> Bool {
  let bits = bytes.prefix(8).flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
  func number(from start: Int, bits count: Int) -> Int {
    (start..<start + count).reduce(0) { $0 << 1 | ($1 < bits.count ? Int(bits[$1]) : 0) }
  }
  // The kind of object has six bits more where all of its five are set, the sample rate 24.
  let rate = number(from: 0, bits: 5) == 31 ? 11 : 5
  let channels = rate + (number(from: rate, bits: 4) == 15 ? 28 : 4)
  return number(from: channels, bits: 4) < 14
}
