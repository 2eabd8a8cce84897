// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport

/// A stream of Dolby Vision profile 7, made from a stream and RPUs in the shared media. The
/// enhancement layer is a second stream, in NAL units of type 63.
struct DualLayerStream {
  enum Layer: String, Sendable, CaseIterable {
    case minimal = "mel"
    case full = "fel"
  }

  static let frameCount = 259

  /// The NAL units of the whole stream.
  private(set) var units: [[UInt8]]

  /// - Parameter hasEnds: whether the NAL units that end sequences stay. libavformat cuts streams
  ///   after them.
  init(_ layer: Layer, hasEnds: Bool = false) throws {
    let rpu = try Self.rpu("\(layer.rawValue)_orig")
    let stored = try SharedMedia.bytes("metadata/dovi_tool__regular_start_code_4_muxed_el.hevc")
    units = ByteStream.units(stored).compactMap { unit in
      let inner = Self.isLayer(unit) ? Array(unit.dropFirst(2)) : unit
      if !hasEnds, inner[0] >> 1 == 36 { return nil }
      return Self.isRPU(unit) ? rpu : unit
    }
  }

  /// Returns a NAL unit with an RPU from the shared media.
  static func rpu(_ name: String) throws -> [UInt8] {
    [62 << 1, 1] + ByteStream.units(try SharedMedia.bytes("metadata/rpu/\(name).bin"))[0]
  }

  static func isRPU(_ unit: [UInt8]) -> Bool { unit[0] >> 1 == 62 }
  static func isLayer(_ unit: [UInt8]) -> Bool { unit[0] >> 1 == 63 }

  /// The units of the base layer.
  var base: [[UInt8]] { units.filter { !Self.isRPU($0) && !Self.isLayer($0) } }
  /// The units of the enhancement layer and the RPUs, as a separate stream.
  var layer: [[UInt8]] {
    units.filter { Self.isRPU($0) || Self.isLayer($0) }.map {
      Self.isLayer($0) ? Array($0.dropFirst(2)) : $0
    }
  }
  /// The slices of the base layer.
  var slices: [[UInt8]] { base.filter { $0[0] >> 1 < 32 } }

  /// Changes units, and removes those for which `change` returns `nil`. `change` also gets the
  /// number of the frame that a unit belongs to.
  mutating func change(_ change: (_ unit: [UInt8], _ frame: Int) -> [UInt8]?) {
    var frame = -1
    units = units.compactMap { unit in
      if unit[0] >> 1 == 35 { frame += 1 }
      return change(unit, frame)
    }
  }

  /// Writes a file with both layers in one track.
  func write(to name: String, in folder: TemporaryFolder) throws -> String {
    let raw = try folder.write(ByteStream.joined(units), to: "layers.hevc")
    return try Self.wrap([raw], as: name, in: folder)
  }

  /// Writes a file with a track for each layer.
  func writeTracks(to name: String, in folder: TemporaryFolder) throws -> String {
    let streams = [
      try folder.write(ByteStream.joined(base), to: "base.hevc"),
      try folder.write(ByteStream.joined(layer), to: "layer.hevc"),
    ]
    return try Self.wrap(streams, as: name, in: folder)
  }

  private static func wrap(
    _ streams: [String], as name: String, in folder: TemporaryFolder
  ) throws -> String {
    let path = folder.path(name)
    guard !name.hasSuffix(".hevc") else {
      try FileManager.default.moveItem(atPath: streams[0], toPath: path)
      return path
    }
    // ffmpeg gives no times to raw streams whose frames are reordered, but mkvmerge does.
    let timed = name.hasSuffix(".mkv") ? path : folder.path("timed.mkv")
    _ = try Tool.run("mkvmerge", ["--quiet", "--output", timed] + streams)
    guard timed != path else { return path }
    let tag = name.hasSuffix(".ts") ? [] : ["-tag:v", "hvc1"]
    try Tool.ffmpeg(["-i", timed, "-map", "0:v", "-c", "copy"] + tag + [path])
    return path
  }
}
