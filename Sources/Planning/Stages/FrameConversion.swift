// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import ColorConversion
internal import Host
internal import LibAV
package import MediaCore
package import Shots

extension EncodingPlan {
  /// Makes the conversion, or returns `nil` if frames do not change.
  package func makeConversion() throws -> FrameConversion? {
    guard geometry.scaling != nil || !conversion.isIdentity else { return nil }
    return try FrameConversion(conversion, geometry, size: frameSource.facts.size, shots: shots)
  }
}

/// Scales and converts frames.
package final class FrameConversion {
  private let scaler: FrameScaler?
  private let converter: FrameConverter?
  /// Reshapes and converts frames in one step. It is made for the first frame that is not reshaped
  /// yet.
  private lazy var reshaping = plan.reshaping.map {
    FrameConverter(plan: $0, width: size.width, height: size.height)
  }
  private let plan: ConversionPlan
  /// The size of the frames to convert.
  private let size: VideoDimensions
  /// Whether frames are scaled before they are converted.
  private let scalesFirst: Bool
  /// The shots that tone curves are fitted to, or `nil` for a single curve.
  private let shots: ShotPlan?
  /// Remembers the author's most recent tone map, for frames that have none.
  private var toneMaps = AuthoredToneMaps()

  /// - Parameter size: the size of the frames that come in.
  package init(
    _ conversion: ConversionPlan, _ geometry: ScaledGeometry, size: VideoDimensions,
    shots: ShotPlan?
  ) throws {
    self.shots = shots
    let (source, target) = (conversion.source, conversion.target)
    // The scaler accepts only integers in planes. Other sources have to be converted first.
    scalesFirst = source.format.layout == .planar
    let scaled = scalesFirst ? source : target
    scaler = try geometry.scaling.map {
      try FrameScaler(
        format: scaled.format, signal: scaled.signal, geometry: $0, byFields: geometry.scalesFields)
    }
    let size = scalesFirst ? geometry.size : size
    (plan, self.size) = (conversion, size)
    converter =
      conversion.isIdentity
      ? nil : FrameConverter(plan: conversion, width: size.width, height: size.height)
  }

  /// Converts the next frame in presentation order. The frame need not be reshaped yet.
  package func convert(_ frame: inout VideoFrame) throws {
    let light = shots?.light(at: frame.presentationTimeStamp)
    if let curves = frame.metadata.pendingReshaping, let reshaping {
      frame.pixelBuffer = reshaping.convert(
        frame.pixelBuffer, light: light, reshaping: curves,
        toneMap: toneMaps.next(frame.metadata, reshaping.plan))
      frame.metadata.pendingReshaping = nil
      return
    }
    var buffer = frame.pixelBuffer
    if scalesFirst, let scaler { buffer = try scaler.scale(buffer) }
    if let converter {
      buffer = converter.convert(
        buffer, light: light, toneMap: toneMaps.next(frame.metadata, converter.plan))
    }
    if !scalesFirst, let scaler { buffer = try scaler.scale(buffer) }
    frame.pixelBuffer = buffer
  }

  /// Takes frames from one queue, converts them, and puts the results into another.
  package func run(_ decoded: FrameQueue, _ converted: FrameQueue) throws {
    while var frame = try decoded.pop() {
      try convert(&frame)
      try converted.push(frame)
    }
    converted.finish()
  }
}
