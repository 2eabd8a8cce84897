// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import MediaCore
internal import NALUnits
internal import OBUs

// Put facts about single codecs here, so that other code does not have to know codecs by name.
extension CodecParameters {
  /// Codecs whose packets are whole frames that do not depend on other frames.
  private static let intraCodecs: Set<String> = [
    "prores", "dnxhd", "mjpeg", "jpeg2000", "png", "v210", "rawvideo", "r10k", "v308", "v410",
    "cfhd", "dvvideo", "huffyuv", "utvideo", "hap", "tiff",
  ]

  /// Whether each packet is a whole frame that does not depend on other frames.
  package var isIntraOnly: Bool { Self.intraCodecs.contains(codecName) }

  /// Codecs whose packets may be parts of a frame.
  private static let partialCodecs: Set<String> = ["dirac", "rv10", "rv20", "rv30", "rv40"]

  /// Whether a packet may be the rest of a frame that began in another packet.
  package var mayGivePartsOfFrames: Bool { Self.partialCodecs.contains(codecName) }

  /// Codecs whose frames say whether they have fields.
  private static let tellingCodecs: Set<String> = ["h264", "mpeg2video", "prores", "vc1"]

  /// Whether the codec's frames say whether they have fields.
  package var framesTellFields: Bool { Self.tellingCodecs.contains(codecName) }

  /// Codecs whose frames declare their range, or have only one range.
  private static let rangedCodecs: Set<String> = [
    "mjpeg", "mjpegb", "ljpeg", "jpegls", "jpeg2000", "png", "apng", "gif", "vp9", "av1", "dnxhd",
    "h264", "hevc",
  ]

  // For other codecs libavcodec copies the container's range to each frame, so the frame confirms
  // nothing.
  /// Whether frames declare their range themselves.
  package var framesTellRange: Bool { Self.rangedCodecs.contains(codecName) }

  package var isDV: Bool { codecName == "dvvideo" }
  /// Whether the codec is MPEG-2 (H.262).
  package var isMPEG2: Bool { codecName == "mpeg2video" }
  package var isVP8: Bool { codecName == "vp8" }
  package var isVP9: Bool { codecName == "vp9" }
  var isAV1: Bool { codecName == "av1" }
  /// Whether the codec is E-AC-3.
  package var isEnhancedAC3: Bool { codecName == "eac3" }
  package var isWavPack: Bool { codecName == "wavpack" }
  // Readers of TTA in Matroska fail if they derive a wrong number of samples. The duration of a
  // copy is not exact to the sample, so the derived number would be wrong.
  /// Whether readers of Matroska derive the number of samples from the file's duration (TTA).
  package var countsByDuration: Bool { codecName == "tta" }

  /// Whether the codec is AMR, which may have several frames in a sample.
  package var isAMR: Bool { codecName == "amr_nb" || codecName == "amr_wb" }

  /// Whether movies store the codec's samples or configuration in a special form. A Matroska file
  /// that is made from a movie then has this form, too.
  package var isChangedByMovies: Bool {
    // For example, movies gather parameter sets in the sample entry, drop the headers of AAC
    // packets, and count each value of PCM as a sample.
    nalCodec != nil || isAV1 || isPCM || codecName == "aac" || isEnhancedAC3
  }

  // Matroska's mapping of AV1 leaves temporal delimiters out of blocks.
  /// Whether packets in Matroska lack bytes that they may have in other containers.
  package var losesBytesInMatroska: Bool { isAV1 }

  /// Whether the codec is PCM, in which a sample is one value for each channel.
  package var isPCM: Bool { codecName.hasPrefix("pcm_") }

  /// The largest number of samples in a packet, if the codec's header states it (Vorbis I, 4.2.2);
  /// 0 for other codecs.
  package var longestStatedBlock: Int {
    let header = extradata.prefix(64)
    guard codecName == "vorbis", let name = header.firstRange(of: Array("vorbis".utf8)),
      header.indices.contains(name.lowerBound + 27)
    else { return 0 }
    // The upper four bits are the exponent of the size of a long block. Each block overlaps the
    // next one by half, so a packet adds half a block.
    return 1 << Int(header[name.lowerBound + 27] >> 4) / 2
  }

  /// How much audio to decode before the first requested sample so that this sample is right.
  package var warmUp: MediaTime {
    // Packets of these codecs do not depend on earlier ones.
    if isPCM || ["flac", "alac"].contains(codecName) { return .zero }
    // RFC 7845 asks for 80 ms of Opus. Two packets of most other codecs last less than 50 ms.
    return MediaTime(value: codecName == "opus" ? 80 : 50, timescale: 1000)
  }
}

extension CodecParameters {
  // FFmpeg's decoders parse RPUs, too. An RPU that is damaged, or of a kind that FFmpeg does not
  // know, then counts as an error of the frame, although the frame is whole. No decoder of FFmpeg
  // uses an enhancement layer. Units of reserved types count as errors as well.
  /// A function that finds the units of a packet that decoders do not need: RPUs and enhancement
  /// layers of Dolby Vision, and the units of AV1 that decoders ignore. `nil` if the codec has no
  /// such units, or if its configuration cannot be read.
  var unreadUnits: ((Span<UInt8>) -> [Range<Int>])? {
    if isAV1 { return { OBU.unread(in: $0) } }
    guard let nalCodec, nalCodec.carriesDolbyVision else { return nil }
    var lengthSize: Int?
    // Raw byte streams may have no parameter sets before their packets, so an empty configuration
    // is no error.
    if !extradata.isEmpty {
      let configuration = try? DecoderConfiguration(extradata, nalCodec)
      guard let configuration else { return nil }
      lengthSize = configuration.lengthSize
    }
    return { [lengthSize] packet in
      guard let lengthSize else { return NALUnit.dolbyVision(annexB: packet) }
      return NALUnit.dolbyVision(sample: packet, lengthSize: lengthSize)
    }
  }
}
