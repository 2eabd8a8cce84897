// SPDX-License-Identifier: GPL-2.0-or-later

package import MediaCore

// Kinds of samples, by FFmpeg's name of the codec.
extension CodecParameters {
  /// Codecs each packet of which is a whole frame, which needs no other.
  private static let intraCodecs: Set<String> = [
    "prores", "dnxhd", "mjpeg", "jpeg2000", "png", "v210", "rawvideo", "r10k", "v308", "v410",
    "cfhd", "dvvideo", "huffyuv", "utvideo", "hap", "tiff",
  ]

  /// True if each packet is a whole frame, which needs no other.
  package var isIntraOnly: Bool { Self.intraCodecs.contains(codecName) }

  /// Codecs whose packets may be parts of a frame.
  private static let partialCodecs: Set<String> = ["dirac", "rv10", "rv20", "rv30", "rv40"]

  /// True if a packet may be a part of a frame, and no frame begins in it.
  package var mayGivePartsOfFrames: Bool { Self.partialCodecs.contains(codecName) }

  /// Codecs whose frames state themselves if they have fields.
  private static let tellingCodecs: Set<String> = ["h264", "mpeg2video", "prores", "vc1"]

  /// True if frames state themselves if they have fields.
  package var framesTellFields: Bool { Self.tellingCodecs.contains(codecName) }

  /// Codecs whose frames state their range themselves, or have only one.
  private static let rangedCodecs: Set<String> = [
    "mjpeg", "mjpegb", "ljpeg", "jpegls", "jpeg2000", "png", "apng", "gif", "vp9", "av1", "dnxhd",
    "h264", "hevc",
  ]

  /// True if frames state their range themselves. Of others, the decoder repeats the container.
  package var framesTellRange: Bool { Self.rangedCodecs.contains(codecName) }

  /// True if this is DV.
  package var isDV: Bool { codecName == "dvvideo" }
  /// True if this is MPEG-2 (H.262).
  package var isMPEG2: Bool { codecName == "mpeg2video" }
  /// True if this is VP8.
  package var isVP8: Bool { codecName == "vp8" }
  /// True if this is VP9.
  package var isVP9: Bool { codecName == "vp9" }
  /// True if this is E-AC-3.
  package var isEnhancedAC3: Bool { codecName == "eac3" }
  /// True if this is WavPack.
  package var isWavPack: Bool { codecName == "wavpack" }
  /// True if readers of Matroska derive the number of samples from the file's duration and fail at
  /// another number (TTA). A copy does not have that duration to the sample.
  package var countsByDuration: Bool { codecName == "tta" }

  /// True if this is AMR, of which a sample may have several frames.
  package var isAMR: Bool { codecName == "amr_nb" || codecName == "amr_wb" }

  /// True if samples or configuration get another form on the way through a movie, which a Matroska
  /// file takes over: parameter sets are gathered, headers of packets left out, PCM is counted in
  /// values.
  package var isChangedByMovies: Bool {
    nalCodec != nil || isPCM || codecName == "aac" || isEnhancedAC3
  }

  /// True if packets of Matroska lack bytes that those of other files may have: delimiters of AV1.
  package var losesBytesInMatroska: Bool { codecName == "av1" }

  /// True if this is PCM, whose samples are single values of all channels.
  package var isPCM: Bool { codecName.hasPrefix("pcm_") }

  /// The most samples that a packet gives, of a codec whose packets have different numbers of them
  /// and whose header says so (Vorbis I, 4.2.2: two lengths of blocks, which overlap by half); 0
  /// for others.
  package var longestStatedBlock: Int {
    let header = extradata.prefix(64)
    guard codecName == "vorbis", let name = header.firstRange(of: Array("vorbis".utf8)),
      header.indices.contains(name.lowerBound + 27)
    else { return 0 }
    return 1 << Int(header[name.lowerBound + 27] >> 4) / 2
  }

  /// Time before the first sample that is to be heard, from which on audio is decoded so that this
  /// sample is right: two packets of most codecs, and what RFC 7845 demands for Opus.
  package var warmUp: MediaTime {
    if isPCM || ["flac", "alac"].contains(codecName) { return .zero }
    return MediaTime(value: codecName == "opus" ? 80 : 50, timescale: 1000)
  }
}
