internal import CodePoints
internal import ColorConversion
internal import LibAV
internal import MediaCore
internal import VideoEncoders

/// What carries out a plan for pictures.
extension EncodingPlan {
  func makeEncoder() throws(VideoEncoderError) -> any VideoEncoder {
    switch codec {
    case .hevc: try X265Encoder(encoder)
    case .h264: try X264Encoder(encoder)
    }
  }

  /// What the muxer has to know of the encoded pictures.
  func trackFormat(_ encoder: any VideoEncoder, _ track: DemuxedTrack) -> VideoTrackFormat {
    VideoTrackFormat(
      codec: codec, size: self.encoder.size, sampleAspectRatio: self.encoder.sampleAspectRatio,
      parameterSets: encoder.parameterSets, timescale: self.encoder.timescale,
      frameRate: self.encoder.frameRate,
      language: track.language)
  }

  /// What the output's pictures are promised to be.
  var promise: OutputPromise {
    var signal = encoder.signal
    // x264 states no location where it is the one that an unstated location is read as.
    if codec == .h264 && signal.chromaLocation == .left { signal.chromaLocation = nil }
    return OutputPromise(
      sampleEntry: codec == .hevc ? "hvc1" : "avc1", width: encoder.size.width,
      height: encoder.size.height, signal: signal)
  }

  /// Scales and converts pictures from one queue to the other; nil where they stay as they are.
  func makeConversion() -> SessionStages.Conversion? {
    guard geometry.scaling != nil || !conversion.isIdentity else { return nil }
    let plan = self
    let converter =
      conversion.isIdentity
      ? nil : FrameConverter(plan: conversion, width: geometry.width, height: geometry.height)
    return { decoded, converted in
      let scaler = try plan.geometry.scaling.map {
        try PictureScaler(format: plan.source.format, signal: plan.source.signal, geometry: $0)
      }
      while var frame = try decoded.pop() {
        if let scaler { frame.pixelBuffer = try scaler.scale(frame.pixelBuffer) }
        if let converter { frame.pixelBuffer = converter.convert(frame.pixelBuffer) }
        try converted.push(frame)
      }
      converted.finish()
    }
  }
}
