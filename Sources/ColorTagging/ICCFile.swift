// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience

// Profiles come from files, so offsets and counts may have any value. Every read checks its offset
// first and returns `nil` instead of trapping.

/// The parts of an ICC profile (ICC.1, ISO 15076-1).
struct ICCFile {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a big-endian number of `count` bytes. Returns `nil` if there are too few bytes.
  private static func number(_ bytes: [UInt8], at offset: Int, count: Int = 4) -> UInt32? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func fixed(_ bytes: [UInt8], at offset: Int) -> Double? {
    // ICC.1, 4.6: an s15Fixed16Number is a signed number with 16 fractional bits.
    number(bytes, at: offset).map { Double(Int32(bitPattern: $0)) / 65536 }
  }

  func text(at offset: Int) -> String? {
    guard offset >= 0, offset <= bytes.count - 4 else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// Returns the content of a tag, or `nil` if the tag is missing or reaches beyond the end of the
  /// file.
  func tag(_ name: String) -> [UInt8]? {
    let count = Self.number(bytes, at: 128).map { Int($0) } ?? 0
    // Profiles of displays have far fewer than 100 tags, and a forged count must not cost time.
    for index in 0..<min(count, 100) {
      // ICC.1, 7.3: entries of 12 bytes follow the header of 128 bytes and the count of 4 bytes.
      let place = 132 + 12 * index
      guard text(at: place) == name else { continue }
      guard let offset = Self.number(bytes, at: place + 4).map({ Int($0) }),
        let size = Self.number(bytes, at: place + 8).map({ Int($0) }),
        offset <= bytes.count, size <= bytes.count - offset, size >= 8
      else { return nil }
      return Array(bytes[offset..<offset + size])
    }
    return nil
  }

  /// The profile's name: the printable ASCII characters of the tag `desc`.
  var description: String? {
    guard let tag = tag("desc") else { return nil }
    let content: [UInt8]
    // Version 4 has texts in several languages (`mluc`), in UTF-16. The ASCII characters of the
    // first text are enough for a name, and they remain when all other bytes are dropped. Version 2
    // has plain ASCII (`desc`).
    if tag.starts(with: Array("mluc".utf8)) {
      guard let size = Self.number(tag, at: 20).map({ Int($0) }),
        let offset = Self.number(tag, at: 24).map({ Int($0) }), offset <= tag.count
      else { return nil }
      content = Array(tag[offset...].prefix(size))
    } else {
      guard let size = Self.number(tag, at: 8).map({ Int($0) }) else { return nil }
      content = Array(tag.dropFirst(12).prefix(size))
    }
    // Names go into messages, so control characters are dropped, and no more than 80 characters are
    // kept.
    let name = content.filter { (0x20..<0x7F).contains($0) }.prefix(80)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// The primaries whose colorants (XYZ values of red, green and blue) are closest to those in the
  /// profile. `nil` if none are close enough.
  var primaries: ColorPrimaries? {
    let colorants = ["rXYZ", "gXYZ", "bXYZ"].compactMap { tag($0).flatMap(Self.triple) }
    guard colorants.count == 3 else { return nil }
    let stated = Matrix3x3(
      Triple(colorants[0].x, colorants[1].x, colorants[2].x),
      Triple(colorants[0].y, colorants[1].y, colorants[2].y),
      Triple(colorants[0].z, colorants[1].z, colorants[2].z))
    let candidates = ColorPrimaries.names.map { ColorPrimaries(rawValue: $0.rawValue) }
    let ranked = candidates.compactMap { primaries in
      RGBSpace(primaries).map { (primaries, distance(stated, from: $0)) }
    }
    // Profiles round to 16 bits, and their makers adapt white in different ways, so colorants are
    // not compared exactly.
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 < 0.003 else { return nil }
    return best.0
  }

  /// Returns the largest difference between the profile's colorants and those of a color space, in
  /// the profile connection space.
  private func distance(_ stated: Matrix3x3, from space: RGBSpace) -> Double {
    // Use the profile's own adaptation of white. If there is none, assume Bradford's.
    let adaptation = adaptation ?? space.adaptationToD50
    let expected = adaptation * space.toXYZ
    return zip(stated.rows, expected.rows).map { mine, other in
      let difference = mine - other
      return max(difference.max(), -difference.min())
    }.max() ?? .infinity
  }

  /// The tag `chad`: the matrix from the display's white to D50.
  private var adaptation: Matrix3x3? {
    guard let tag = tag("chad") else { return nil }
    let numbers = (0..<9).compactMap { Self.fixed(tag, at: 8 + 4 * $0) }
    guard numbers.count == 9 else { return nil }
    return Matrix3x3(
      Triple(numbers[0], numbers[1], numbers[2]), Triple(numbers[3], numbers[4], numbers[5]),
      Triple(numbers[6], numbers[7], numbers[8]))
  }

  private static func triple(_ tag: [UInt8]) -> Triple? {
    guard let x = fixed(tag, at: 8), let y = fixed(tag, at: 12), let z = fixed(tag, at: 16) else {
      return nil
    }
    return Triple(x, y, z)
  }

  /// The transfer function that all three tone curves describe, if there is one.
  var transfer: TransferCharacteristics? {
    let curves = ["rTRC", "gTRC", "bTRC"].compactMap { tag($0) }
    guard curves.count == 3 else { return nil }
    let known = curves.map { curve in Self.function(curve).flatMap(Self.name) }
    // A code point means one function for all components. A profile that corrects the channels of a
    // display one by one has no such function.
    guard let first = known[0], known.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// A function from a signal to light, both 0…1.
  private typealias Curve = (Double) -> Double

  private static func function(_ tag: [UInt8]) -> Curve? {
    tag.starts(with: Array("para".utf8)) ? parametric(tag) : sampled(tag)
  }

  private static func power(_ base: Double, _ exponent: Double) -> Double {
    ComponentTransfer.gamma(exponent).toLinear(base)
  }

  /// Reads a parametric curve, `para` (ICC.1, 10.18).
  private static func parametric(_ tag: [UInt8]) -> Curve? {
    guard let kind = number(tag, at: 8, count: 2), kind <= 4 else { return nil }
    let counts = [1, 3, 4, 5, 7]
    let n = (0..<counts[Int(kind)]).compactMap { fixed(tag, at: 12 + 4 * $0) }
    guard n.count == counts[Int(kind)] else { return nil }
    let g = n[0]
    if kind == 0 { return { Self.power($0, g) } }
    let (a, b) = (n[1], n[2])
    let bend = kind <= 2 ? -b / a : n[4]
    let slope = kind <= 2 ? 0 : n[3]
    let lift = kind == 2 ? n[3] : kind == 4 ? n[5] : 0
    let offset = kind == 2 ? n[3] : kind == 4 ? n[6] : 0
    return { x in x >= bend ? Self.power(a * x + b, g) + lift : slope * x + offset }
  }

  /// Reads a sampled curve, `curv` (ICC.1, 10.6): no entry, a gamma or a table.
  private static func sampled(_ tag: [UInt8]) -> Curve? {
    guard tag.starts(with: Array("curv".utf8)),
      let count = number(tag, at: 8).map({ Int($0) }), count <= 65536
    else { return nil }
    let values = (0..<count).compactMap { number(tag, at: 12 + 2 * $0, count: 2) }
    guard values.count == count else { return nil }
    // No entry means the identity, and one entry is a gamma with 8 fractional bits.
    if count == 0 { return { $0 } }
    if count == 1 { return { Self.power($0, Double(values[0]) / 256) } }
    return { x in
      let place = min(max(x, 0), 1) * Double(count - 1)
      let index = min(Int(place), count - 2)
      let part = place - Double(index)
      return (Double(values[index]) * (1 - part) + Double(values[index + 1]) * part) / 65535
    }
  }

  /// Returns the known function that a curve matches to within 0.4 % of the largest light.
  private static func name(_ curve: Curve) -> TransferCharacteristics? {
    let gamma = TransferCharacteristics.gamma
    let values = SDRCurve.plainGammas.map(\.gamma) + [exponent(curve)].compactMap { $0 }
    let known: [(TransferCharacteristics, Curve)] =
      SDRCurve.all.filter(\.isInProfiles).map {
        // Profiles of BT.709 contain the camera's curve, not the display's, so compare with the
        // camera's.
        ($0.code, $0.transfer(as: .scene).toLinear)
      }
      + values.map { value in (gamma(value), { Self.power($0, value) }) }
    let points = (0...64).map { Double($0) / 64 }
    let ranked = known.map { code, function in
      (code, points.map { abs(curve($0) - function($0)) }.max() ?? 1)
    }
    // The tolerance of 0.4 % allows for rounded tables and still keeps sRGB and gamma 2.2 apart.
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 < 0.004 else { return nil }
    return best.0
  }

  /// Returns the exponent of the power function that gives the same light as the curve for a signal
  /// of 0.5. Returns `nil` if no display has that exponent.
  private static func exponent(_ curve: Curve) -> Double? {
    let light = curve(0.5)
    // An exponent of 1 gives half of the largest light, and an exponent of 3 gives an eighth.
    guard (0.1...0.6).contains(light) else { return nil }
    // This module has no logarithm, so take it from the logarithmic transfer function.
    let logarithm = ComponentTransfer.log(decades: 1)
    return (logarithm.toSignal(light) - 1) / (logarithm.toSignal(0.5) - 1)
  }
}

extension TransferCharacteristics {
  fileprivate static func gamma(_ value: Double) -> TransferCharacteristics {
    TransferCharacteristics(gamma: value) ?? .unspecified
  }
}
