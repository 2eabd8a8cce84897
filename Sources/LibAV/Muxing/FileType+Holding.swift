// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import MediaCore

// libavformat's tables and the facts in `FileType` show whether a muxer can store a track. Trying
// it out would need a file, and a muxer refuses a track only when it writes the header.
extension FileType {
  /// Returns whether a sample entry whose type is the track's tag stands for the track's codec.
  package func knowsTag(of track: DemuxedTrack) -> Bool {
    guard let format = unsafe av_guess_format(muxerName, nil, nil) else { return false }
    return unsafe candela_codec_of_muxer(format, track.codecTag)
      == track.codec.pointer.pointee.codec_id
  }

  /// Returns whether samples of a track can be stored unchanged.
  ///
  /// - Parameter entry: the track's sample entry in QuickTime, which is kept; `nil` if there is
  ///   none.
  package func holds(_ track: DemuxedTrack, entry: [UInt8]? = nil) -> Bool {
    let codec = track.codec
    guard codec.isKnown, countsSamples || !codec.countsByDuration else { return false }
    if isMovie {
      let hasForm = unsafe entry != nil || !codec.pointer.isUnsupportedInMovies
      return hasForm && codec.isMeasured(upTo: Self.longestSide) && holds(codec: codec.codecName)
    }
    guard codec.isMeasured(upTo: .max), let told = try? codec.forMatroska(entry) else {
      return false
    }
    return told.hasConfigurationForMatroska && holds(codec: told.codecName)
  }

  /// The longest side of a frame in a sample entry, whose fields have 16 bits.
  private static let longestSide: Int32 = 65_535

  /// Returns the kinds of movie from which a file of this kind can be made, in the order in which
  /// to try them.
  ///
  /// - Parameter codecs: FFmpeg's names of codecs that the movie must be able to store.
  package func movieTypes(holding codecs: [String]) -> [FileType] {
    movieTypes.filter { type in codecs.allSatisfy { type.holds(codec: $0) } }
  }

  /// Returns whether the muxer takes a codec, under the container's own tag or under a tag of AVI
  /// or QuickTime.
  ///
  /// - Parameter codec: FFmpeg's name for a codec that this FFmpeg knows.
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
    // Matroska's muxer also takes codecs for which Matroska has no name, but only as experimental.
    // Such a codec is stored under its tag of AVI or QuickTime.
    let takesOthers = takes(FF_COMPLIANCE_EXPERIMENTAL)
    return (takesTagsOfAVI || takesOthers) && candela_tag_in_avi(id) != 0
      || takesOthers && candela_tag_in_quicktime(id) != 0
  }
}

extension CodecParameters {
  /// Returns whether muxers can take the track: the frame size of video has to fit, and audio needs
  /// a sample rate.
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

  /// Returns the codec as the Matroska muxer will get it.
  fileprivate func forMatroska(_ entry: [UInt8]?) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    try unsafe copy.pointer.suitMatroska(entry)
    return copy
  }

  /// Whether the Matroska muxer finds all that it needs in the configuration.
  fileprivate var hasConfigurationForMatroska: Bool {
    // The muxer parses these configurations. A bad configuration makes it fail only after the work
    // of encoding is done. The sizes below are the smallest that the muxer's parsers accept.
    let bytes = extradata
    switch unsafe pointer.pointee.codec_id {
    // The tag names the form of the samples, which the decoder has to know.
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
      // The configuration is either a record (`av1C`), whose first byte is 0x81, or a series of
      // units that begins with a sequence header or a temporal delimiter.
      return first & 0x80 == 0
        ? [1, 2].contains(first >> 3 & 0xF) : bytes.count >= 4 && first == 0x81
    default: return true
    }
  }
}

/// Returns the first byte of each NAL unit after a start code; `nil` if the bytes do not begin with
/// a start code.
private func firstBytesOfUnits(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1]) else { return nil }
  return bytes.indices.dropFirst(3).filter {
    bytes[$0 - 1] == 1 && bytes[$0 - 2] == 0 && bytes[$0 - 3] == 0
  }.map { bytes[$0] }
}

extension [UInt8] {
  /// Returns whether all of the given types occur among these first bytes of units.
  fileprivate func holds(_ types: Set<UInt8>, _ type: (UInt8) -> UInt8) -> Bool {
    types.isSubset(of: map(type))
  }
}

/// Returns whether these are the three headers of a Xiph codec, in one of the two forms that
/// demuxers give.
private func hasXiphHeaders(_ bytes: [UInt8], firstOf size: Int) -> Bool {
  func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
  // One form has 16 bits of length before each header. The other form is Matroska's. It begins with
  // 2 and then has the first two lengths, each as a sum of bytes (Xiph lacing).
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

/// Returns whether this is a configuration of AAC with a valid channel configuration (ISO/IEC
/// 14496-3, 1.6.2.1).
private func isAudioSpecificConfig(_ bytes: [UInt8]) -> Bool {
  let bits = bytes.prefix(8).flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
  func number(from start: Int, bits count: Int) -> Int {
    (start..<start + count).reduce(0) { $0 << 1 | ($1 < bits.count ? Int(bits[$1]) : 0) }
  }
  // After an object type of 31 there are six more bits, and after a sample rate index of 15 there
  // are 24 more.
  let rate = number(from: 0, bits: 5) == 31 ? 11 : 5
  let channels = rate + (number(from: rate, bits: 4) == 15 ? 28 : 4)
  return number(from: channels, bits: 4) < 14
}
