// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
package import CodePoints

extension CodecParameters {
  /// Returns the same codec with another signal and another configuration; `nil` keeps the
  /// configuration.
  func stating(
    _ signal: SignalDescription, configuration: [UInt8]?
  ) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    unsafe copy.pointer.state(signal)
    return try configuration.map { (new) throws(LibAVError) in try copy.configured(new) } ?? copy
  }

  /// Returns the same codec with the color, range and chroma location of a signal. Colors that the
  /// codec stated before are cleared, even if the signal leaves them unspecified.
  func colored(_ signal: SignalDescription) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    unsafe copy.pointer.pointee.color_primaries = AVCOL_PRI_UNSPECIFIED
    unsafe copy.pointer.pointee.color_trc = AVCOL_TRC_UNSPECIFIED
    unsafe copy.pointer.pointee.color_space = AVCOL_SPC_UNSPECIFIED
    unsafe copy.pointer.state(signal)
    return copy
  }

  /// Returns the same codec with another configuration.
  fileprivate func configured(_ configuration: [UInt8]) throws(LibAVError) -> CodecParameters {
    let copy = try unsafe CodecParameters(copying: pointer)
    unsafe av_freep(&copy.pointer.pointee.extradata)
    try unsafe copy.pointer.setExtradata(configuration)
    return copy
  }
}

extension DemuxedTrack {
  /// Returns the same track with another signal and another configuration of its codec; `nil` keeps
  /// the configuration.
  package func stating(
    _ signal: SignalDescription, configuration: [UInt8]?
  ) throws(LibAVError) -> DemuxedTrack {
    var track = self
    track.codec = try codec.stating(signal, configuration: configuration)
    return track
  }

  /// Returns the same track with another configuration of its codec.
  package func configured(_ configuration: [UInt8]) throws(LibAVError) -> DemuxedTrack {
    var track = self
    track.codec = try codec.configured(configuration)
    return track
  }

  /// Returns the same track as if its container stated another signal, which decoders get, too.
  package func stated(_ signal: SignalDescription) throws(LibAVError) -> DemuxedTrack {
    var track = self
    track.containerSignal = signal
    track.codec = try codec.colored(signal)
    return track
  }
}

extension UnsafeMutablePointer<AVCodecParameters> {
  /// Sets the specified parts of a signal. If color or chroma location is unspecified, the
  /// parameters keep their old values. An unspecified range is cleared.
  func state(_ signal: SignalDescription) {
    let color = signal.color.numbered
    if color.colorPrimaries.isSpecified {
      unsafe pointee.color_primaries = AVColorPrimaries(UInt32(color.colorPrimaries.rawValue))
    }
    if color.transferCharacteristics.isSpecified {
      unsafe pointee.color_trc = AVColorTransferCharacteristic(
        UInt32(color.transferCharacteristics.rawValue))
    }
    if color.matrixCoefficients.isSpecified {
      unsafe pointee.color_space = AVColorSpace(UInt32(color.matrixCoefficients.rawValue))
    }
    if let location = signal.chromaLocation {
      // FFmpeg counts chroma locations from 1, and H.273 counts them from 0.
      unsafe pointee.chroma_location = AVChromaLocation(UInt32(location.rawValue) + 1)
    }
    // If an undeclared range were not cleared, libavformat would make one up.
    unsafe pointee.color_range =
      signal.videoFullRangeFlag.map { $0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
      ?? AVCOL_RANGE_UNSPECIFIED
  }
}
