// SPDX-License-Identifier: GPL-2.0-or-later
// Measures how long conversions take:
//
//   conversion-bench FRAMES.yuv SECONDS NAME…
//
// The file contains raw frames of 3840×2160 pixels in 10-bit 4:2:0. For each conversion, the
// program prints a line: the name, the elapsed milliseconds per frame, and the milliseconds of
// processor time per frame.
//
//   conversion-bench --digests
//
// This makes a frame, converts it with every conversion and every dither, and prints a line with
// the digest of each result. `CANDELA_INSTRUCTION_SET` chooses the kernels.

import CodePoints
import ColorConversion
import ColorScience
import Foundation
import MediaCore

let (width, height) = (3840, 2160)

func description(
  _ color: ColorDescription, _ format: PixelFormat = .yuv420p10, full: Bool = false
) -> FrameDescription {
  FrameDescription(
    signal: SignalDescription(color: color, videoFullRangeFlag: full), format: format)
}

/// Returns the source, the target and the options of a conversion.
func conversion(_ name: String) -> (FrameDescription, FrameDescription, ConversionOptions)? {
  var options = ConversionOptions()
  switch name {
  case "hlg-sdr": return (description(.hlg), description(.bt709, .yuv420p8), options)
  case "hlg-709":
    options.toneMapping = .none
    options.gamutMapping = .none
    return (description(.hlg), description(.bt709, .yuv420p8), options)
  case "2020-709":
    options.gamutMapping = .none
    return (description(.bt2020), description(.bt709), options)
  case "p3-709":
    options.gamutMapping = .none
    return (description(.p3D65), description(.bt709), options)
  case "hlg-pq": return (description(.hlg), description(.pq), options)
  case "pq-hlg": return (description(.pq), description(.hlg), options)
  case "2020-hlg": return (description(.bt2020), description(.hlg), options)
  case "ictcp":
    return (description(ColorDescription(.bt2020, .pq, .iCtCp)), description(.pq), options)
  case "ictcp-tone":
    options.toneMappingNorm = .ictcp
    return (description(.hlg), description(.bt709, .yuv420p8), options)
  case "matrix":
    return (description(ColorDescription(.bt709, .bt709, .bt470BG)), description(.bt709), options)
  case "range": return (description(.bt709), description(.bt709, full: true), options)
  case "depth":
    options.dither = .none
    return (description(.bt709), description(.bt709, .yuv420p8), options)
  case "constant":
    let constant = ColorDescription(.bt2020, .bt2020TwelveBit, .bt2020Constant)
    return (description(constant), description(.bt2020), options)
  case "logarithm":
    return (description(ColorDescription(.bt709, .log316, .bt709)), description(.p3D65), options)
  case "detail":
    options.highlightDetail = 0.5
    return (description(.hlg), description(.bt709, .yuv420p8), options)
  case "inverse-a", "inverse-c":
    options.inverseToneMapping = name == "inverse-a" ? .bt2446a : .bt2446c
    return (description(.bt709), description(.hlg), options)
  case "clip", "desaturate", "bt2407":
    options.gamutMapping = .init(rawValue: name) ?? .none
    return (description(.bt2020), description(.bt709), options)
  default:
    guard name.hasPrefix("tone-"),
      let tone = ConversionOptions.ToneMapping(rawValue: String(name.dropFirst(5)))
    else { return nil }
    options.toneMapping = tone
    var source = description(.hlg)
    source.toneMap = HeadroomAdaptiveToneMap(referenceWhiteCurveFor: 2)
    return (source, description(.bt709, .yuv420p8), options)
  }
}

let names =
  [
    "hlg-sdr", "hlg-709", "2020-709", "p3-709", "hlg-pq", "pq-hlg", "2020-hlg", "ictcp",
    "ictcp-tone", "matrix", "range", "depth", "constant", "logarithm", "detail", "inverse-a",
    "inverse-c", "clip", "desaturate", "bt2407",
  ] + ConversionOptions.ToneMapping.allCases.map { "tone-\($0.rawValue)" }

func pictures(_ path: String) throws -> [PixelBuffer] {
  let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
  let pool = PixelBufferPool(.yuv420p10, width: width, height: height)
  let size = width * height * 3
  return (0..<bytes.count / size).map { index in
    pool.makeBuffer(attachments: Attachments()) { planes in
      var offset = index * size
      for plane in planes {
        for line in 0..<plane.height {
          let row = plane.baseAddress + line * plane.bytesPerRow
          bytes.copyBytes(
            to: row.assumingMemoryBound(to: UInt8.self), from: offset..<offset + plane.width * 2)
          offset += plane.width * 2
        }
      }
    }
  }
}

/// Returns the processor time that this process has used.
func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func milliseconds(_ time: Duration) -> String {
  let (seconds, attoseconds) = time.components
  return String(format: "%.2f", Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
}

let arguments = CommandLine.arguments
if arguments.dropFirst() == ["--digests"] {
  try printDigests()
  exit(0)
}
guard arguments.count > 3, let seconds = Double(arguments[2]) else {
  print("usage: conversion-bench FRAMES.yuv SECONDS NAME…")
  exit(64)
}
let sources = try pictures(arguments[1])
for name in arguments.dropFirst(3) {
  guard let (source, target, options) = conversion(name) else {
    print("no conversion is named \(name)")
    exit(64)
  }
  let plan = try ConversionPlan(from: source, to: target, options: options)
  let converter = FrameConverter(plan: plan, width: width, height: height)
  for source in sources { _ = converter.convert(source) }
  let (start, startOfWork) = (ContinuousClock.now, processorTime())
  var count = 0
  while ContinuousClock.now - start < .seconds(seconds) || count == 0 {
    _ = converter.convert(sources[count % sources.count])
    count += 1
  }
  let (time, work) = (ContinuousClock.now - start, processorTime() - startOfWork)
  print(name, milliseconds(time / count), milliseconds(work / count))
}
