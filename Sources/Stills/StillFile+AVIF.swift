// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import MediaCore
internal import OBUs

/// An AVIF file (AV1 Image File Format 1.1; ISO/IEC 23008-12): the frame as an item with properties
/// for its colors and its HDR metadata, and an item of Exif data.
extension StillFile {
  /// - Parameters:
  ///   - units: open bitstream units, as the encoder returns them.
  ///   - picture: the image, for its size and its signal.
  ///   - metadata: units for the frame's dynamic metadata.
  /// - Returns: `nil` if the units have no sequence header that can be read.
  func avif(_ units: [UInt8], _ picture: PixelBuffer, metadata: [UInt8]) -> [UInt8]? {
    // Files have no temporal delimiters, which encoders put first (AV1 in ISO Base Media File
    // Format, 2.4).
    let own = OBU.split(units).filter(\.belongsInSample)
    let configuration = AV1ConfigurationRecord(own).fields
    guard !configuration.isEmpty else { return nil }
    // The item is a sample of AV1, which may have metadata before the frame (AV1 5.9.1; AVIF 2.1).
    let frame = own.inserting(OBU.split(metadata)).flatMap(\.bytes)
    let properties = properties(of: picture, configuration)
    let type = Box(
      "ftyp", fields: Array("avif".utf8) + [0, 0, 0, 0] + Array("avifmif1miafMA1A".utf8))
    // The size of `meta` does not depend on where the data is, so it can be computed first.
    let place = type.size + meta(properties, of: frame, at: 0).size + 8
    let data = Box("mdat", fields: frame + exifItem)
    return type.bytes + meta(properties, of: frame, at: place).bytes + data.bytes
  }

  /// The Exif item: four bytes with the distance to the data, which is zero, and then the data.
  private var exifItem: [UInt8] { exif.isEmpty ? [] : [0, 0, 0, 0] + exif }

  /// - Parameter place: where the frame begins in the file.
  private func meta(_ properties: Box, of frame: [UInt8], at place: Int) -> Box {
    var items = [(type: "av01", start: place, count: frame.count)]
    if !exif.isEmpty { items.append(("Exif", place + frame.count, exifItem.count)) }
    var children = [
      full("hdlr", Self.long(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)),
      full("pitm", Self.short(1)), full("iloc", Self.places(of: items)),
      full("iinf", Self.short(items.count), children: Self.entries(of: items)),
    ]
    if !exif.isEmpty {
      // The Exif item describes (`cdsc`) the first item.
      let reference = Box("cdsc", fields: Self.short(2) + Self.short(1) + Self.short(1))
      children.append(full("iref", [], children: [reference]))
    }
    return full("meta", [], children: children + [properties])
  }

  /// Returns the properties, and the box that associates them with the frame's item.
  private func properties(of picture: PixelBuffer, _ configuration: [UInt8]) -> Box {
    let depth = UInt8(clamping: picture.format.bitDepth)
    let signal = picture.attachments.signal
    let points = signal.color.numbered
    let numbers = [
      Int(points.colorPrimaries.rawValue), Int(points.transferCharacteristics.rawValue),
      Int(points.matrixCoefficients.rawValue),
    ].flatMap(Self.short)
    let range: UInt8 = signal.videoFullRangeFlag == true ? 0x80 : 0
    var boxes = [
      full("ispe", Self.long(picture.width) + Self.long(picture.height)),
      full("pixi", [3, depth, depth, depth]), Box("av1C", fields: configuration),
      Box("colr", fields: Array("nclx".utf8) + numbers + [range]),
    ]
    if let profile = color?.profile {
      boxes.append(Box("colr", fields: Array("prof".utf8) + profile))
    }
    boxes += hdrMetadata.values.map { Box(Swift.type(of: $0).box, fields: $0.payload) }
    let associations = boxes.enumerated().map { index, box in
      // 0x80 is the flag `essential`. Only `av1C` gets it, because a reader that does not know
      // `av1C` cannot decode the frame.
      UInt8(clamping: index + 1) | (box.type == "av1C" ? 0x80 : 0)
    }
    let association =
      Self.long(1) + Self.short(1) + [UInt8(clamping: associations.count)] + associations
    return Box("iprp", children: [Box("ipco", children: boxes), full("ipma", association)])
  }

  /// Returns the payload of `iloc`: each item in one piece, with offsets and lengths of four bytes.
  private static func places(of items: [(type: String, start: Int, count: Int)]) -> [UInt8] {
    let entries = items.enumerated().map { index, item in
      short(index + 1) + short(0) + short(1) + long(item.start) + long(item.count)
    }
    return [0x44, 0] + short(items.count) + entries.flatMap(\.self)
  }

  private static func entries(of items: [(type: String, start: Int, count: Int)]) -> [Box] {
    items.enumerated().map { index, item in
      let fields = short(index + 1) + short(0) + Array(item.type.utf8) + [0]
      return Box("infe", fields: [2, 0, 0, 0] + fields)
    }
  }

  /// Returns a box of version 0 without flags.
  private func full(_ type: FourCC, _ fields: [UInt8], children: [Box] = []) -> Box {
    Box(type, fields: [0, 0, 0, 0] + fields, children: children)
  }

  private static func short(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  private static func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value) }
}
