// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import FoundationEssentials

extension MediaAsset {
  /// Returns Exif data (CIPA DC-008) with what the asset says about its origin: date, place and
  /// device.
  ///
  /// - Parameters:
  ///   - format: the format of the file.
  ///   - size: the size of the image in pixels.
  ///   - isSRGB: whether the colors are sRGB.
  func exif(format: StillFormat, size: VideoDimensions, isSRGB: Bool) -> [UInt8] {
    let stated = ContainerMetadata(metadata)
    func text(_ key: String) -> String? { stated.statements.first { $0.key == key }?.text }
    let date = text("creationdate").flatMap(Self.date)
    // The orientation is 1, because stills are already rotated. Exif requires resolution and chroma
    // position, although they mean little here.
    var first: [ExifField] = [
      .short(0x0112, 1), .rationals(0x011A, [(72, 1)]), .rationals(0x011B, [(72, 1)]),
      .short(0x0128, 2), .short(0x0213, 1),
    ]
    if let make = text("make") { first.append(.ascii(0x010F, make)) }
    if let model = text("model") { first.append(.ascii(0x0110, model)) }
    if let software = text("software") { first.append(.ascii(0x0131, software)) }
    if let date { first.append(.ascii(0x0132, date.time)) }
    var own: [ExifField] = [
      ExifField(tag: 0x9000, type: 7, count: 4, data: Array("0232".utf8)),
      // `ComponentsConfiguration`: the channels in the file are R, G, B in PNG, and Y, Cb, Cr
      // elsewhere.
      ExifField(
        tag: 0x9101, type: 7, count: 4, data: format == .png ? [4, 5, 6, 0] : [1, 2, 3, 0]),
      ExifField(tag: 0xA000, type: 7, count: 4, data: Array("0100".utf8)),
      // Exif can state only sRGB. 0xFFFF is "uncalibrated", which leaves the color to the profile.
      .short(0xA001, isSRGB ? 1 : 0xFFFF),
      .long(0xA002, size.width), .long(0xA003, size.height),
    ]
    if let date {
      own.append(.ascii(0x9003, date.time))
      if let offset = date.offset {
        own += [.ascii(0x9010, offset), .ascii(0x9011, offset)]
      }
    }
    let place = text("location.ISO6709").map(Self.place) ?? []
    return Self.exif(first, own, place)
  }

  /// Joins the directories, and puts the header of a big-endian TIFF file before them.
  private static func exif(
    _ first: [ExifField], _ own: [ExifField], _ place: [ExifField]
  ) -> [UInt8] {
    func firstDirectory(_ ownPlace: Int, _ placePlace: Int) -> [UInt8] {
      let links = place.isEmpty ? [] : [ExifField.long(0x8825, placePlace)]
      return (first + [ExifField.long(0x8769, ownPlace)] + links).directory(at: 8)
    }
    // The size of the first directory does not depend on where the others are, so it can be
    // computed before their places are known.
    let ownPlace = 8 + firstDirectory(0, 0).count
    let ownBytes = own.directory(at: ownPlace)
    let placePlace = ownPlace + ownBytes.count
    let placeBytes = place.isEmpty ? [] : place.directory(at: placePlace)
    return Array("MM\0*".utf8) + [0, 0, 0, 8] + firstDirectory(ownPlace, placePlace) + ownBytes
      + placeBytes
  }

  /// Reads a date of ISO 8601 and returns it in Exif's form, with its offset from UTC; `nil` if the
  /// text is not such a date, or if the date is impossible.
  private static func date(_ text: String) -> (time: String, offset: String?)? {
    let pattern =
      /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:(Z)|([+\-]\d\d):?(\d\d))?/
    guard let match = text.prefixMatch(of: pattern) else { return nil }
    let parts = match.output
    let numbers = [parts.1, parts.2, parts.3, parts.4, parts.5, parts.6].compactMap { Int($0) }
    // Time zones reach from UTC−12 to UTC+14.
    let farthest = [parts.8, parts.9].map { $0.flatMap { Int($0)?.magnitude } ?? 0 }
    guard isPossible(numbers), farthest[0] <= 14, farthest[1] < 60 else { return nil }
    let zone = parts.8.flatMap { hours in parts.9.map { "\(hours):\($0)" } }
    return (
      "\(parts.1):\(parts.2):\(parts.3) \(parts.4):\(parts.5):\(parts.6)",
      parts.7 == nil ? zone : "+00:00"
    )
  }

  /// Returns whether year, month, day, hour, minute and second form a possible date and time.
  private static func isPossible(_ numbers: [Int]) -> Bool {
    guard numbers.count == 6, numbers[0] > 0, (1...12).contains(numbers[1]) else { return false }
    let year = numbers[0]
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // A minute may have a leap second, numbered 60.
    return (1...days[numbers[1] - 1]).contains(numbers[2]) && numbers[3] < 24 && numbers[4] < 60
      && numbers[5] <= 60
  }

  /// Returns the fields for a point of ISO 6709: latitude, longitude and altitude.
  private static func place(_ text: String) -> [ExifField] {
    let numbers = text.matches(of: /[+\-][0-9.]+/).map(\.output)
    // An impossible place is left out, rather than moved to a possible one.
    guard numbers.count >= 2, let latitude = angle(numbers[0], digits: 2), abs(latitude) <= 90,
      let longitude = angle(numbers[1], digits: 3), abs(longitude) <= 180
    else { return [] }
    var fields: [ExifField] = [
      ExifField(tag: 0, type: 1, count: 4, data: [2, 3, 0, 0]),
      .ascii(1, latitude < 0 ? "S" : "N"), .degrees(2, latitude),
      .ascii(3, longitude < 0 ? "W" : "E"), .degrees(4, longitude),
    ]
    if numbers.count > 2, let altitude = Double(numbers[2]), abs(altitude) < 100_000 {
      fields.append(ExifField(tag: 5, type: 1, count: 1, data: [altitude < 0 ? 1 : 0]))
      fields.append(.rationals(6, [(abs(altitude), 1000)]))
    }
    return fields
  }

  /// Reads an angle of ISO 6709 in degrees; `nil` if the text is not such an angle.
  ///
  /// - Parameter digits: how many digits the degrees have.
  private static func angle(_ text: Substring, digits: Int) -> Double? {
    guard let value = Double(text)?.magnitude else { return nil }
    let sign: Double = text.first == "-" ? -1 : 1
    // The number of digits before the point says whether the text contains degrees, degrees and
    // minutes, or degrees, minutes and seconds (ISO 6709, annex H).
    switch text.dropFirst().prefix(while: \.isNumber).count {
    case ...digits: return sign * value
    case digits + 2:
      let degrees = (value / 100).rounded(.down)
      return sign * (degrees + (value - degrees * 100) / 60)
    case digits + 4:
      let (degrees, minutes) = ((value / 10_000).rounded(.down), (value / 100).rounded(.down))
      return sign
        * (degrees + (minutes - degrees * 100) / 60 + (value - minutes * 100) / 3600)
    default: return nil
    }
  }
}

/// A field of an Exif directory.
private struct ExifField {
  let tag: UInt16
  let type: UInt16
  let count: Int
  let data: [UInt8]

  static func short(_ tag: UInt16, _ value: UInt16) -> ExifField {
    ExifField(tag: tag, type: 3, count: 1, data: [UInt8(value >> 8), UInt8(value & 0xFF)])
  }

  static func long(_ tag: UInt16, _ value: Int) -> ExifField {
    var writer = ByteWriter()
    writer.append(UInt32(clamping: value))
    return ExifField(tag: tag, type: 4, count: 1, data: writer.bytes)
  }

  static func ascii(_ tag: UInt16, _ text: String) -> ExifField {
    // Exif strings end with a zero byte. A JPEG segment holds at most 64 kB, so cut long strings.
    let bytes = Array(text.utf8.prefix(1000)) + [0]
    return ExifField(tag: tag, type: 2, count: bytes.count, data: bytes)
  }

  static func degrees(_ tag: UInt16, _ angle: Double) -> ExifField {
    let value = abs(angle)
    let minutes = (value - value.rounded(.down)) * 60
    let seconds = (minutes - minutes.rounded(.down)) * 60
    return rationals(
      tag, [(value.rounded(.down), 1), (minutes.rounded(.down), 1), (seconds, 10_000)])
  }

  static func rationals(_ tag: UInt16, _ values: [(number: Double, divisor: Int)]) -> ExifField {
    var writer = ByteWriter()
    for (number, divisor) in values {
      writer.append(UInt32((number * Double(divisor)).rounded()))
      writer.append(UInt32(divisor))
    }
    return ExifField(tag: tag, type: 5, count: values.count, data: writer.bytes)
  }
}

extension [ExifField] {
  /// Writes a directory, followed by the data of its fields.
  fileprivate func directory(at start: Int) -> [UInt8] {
    var (writer, data) = (ByteWriter(), [UInt8]())
    let end = start + 2 + 12 * count + 4
    writer.append(UInt16(count))
    // TIFF 6.0 requires that fields are sorted by tag, and that data is at even offsets.
    for field in sorted(by: { $0.tag < $1.tag }) {
      writer.append(field.tag)
      writer.append(field.type)
      writer.append(UInt32(field.count))
      if field.data.count <= 4 {
        writer.append(field.data + [UInt8](repeating: 0, count: 4 - field.data.count))
      } else {
        writer.append(UInt32(end + data.count))
        data += field.data + [UInt8](repeating: 0, count: field.data.count % 2)
      }
    }
    writer.append(UInt32(0))
    return writer.bytes + data
  }
}
