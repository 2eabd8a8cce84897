// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension HeadroomAdaptiveGainMetadata {
  /// The first bytes of the user data: country 0xB5, provider 0x0090, provider's code 1.
  package static let prefix: [UInt8] = [0xB5, 0x00, 0x90, 0x00, 0x01]

  /// The limit for `num_alternate_images`. Its 3 bits could also hold larger numbers, but these are
  /// not allowed.
  package static let largestAlternateCount = 4

  /// Reads a payload, which begins with the country. Returns `nil` for other user data.
  package init?(payload: [UInt8]) throws(Fault) {
    guard payload.starts(with: Self.prefix) else { return nil }
    do {
      try self.init(BitReader(Array(payload.dropFirst(Self.prefix.count))))
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .cutOff
    }
  }

  private init(_ start: BitReader) throws {
    var bits = start
    let (version, minimum) = (UInt8(try bits.u(3)), UInt8(try bits.u(3)))
    // Reference readers accept a later version if the payload states 0 as the minimum version. But
    // nobody knows yet what later versions will add, so we refuse every later version.
    guard version == 0, minimum == 0 else { throw Fault.version(version, minimum: minimum) }
    try bits.reserved(2, after: "the versions")
    let (statesWhite, hasToneMap) = (try bits.flag(), try bits.flag())
    try bits.reserved(6, after: "has_adaptive_tone_map_flag")
    referenceWhite = statesWhite ? UInt16(try bits.u(16)) : nil
    toneMap = hasToneMap ? try ToneMap(&bits) : nil
    // Each structure ends on a byte boundary.
    rest = Array(try bits.list(bits.remaining / 8, bits: 8))
  }

  /// The payload, which begins with the country.
  package var payload: [UInt8] {
    var bits = BitWriter()
    bits.u(0, 8)
    bits.flag(referenceWhite != nil)
    bits.flag(toneMap != nil)
    bits.u(0, 6)
    if let referenceWhite { bits.u(UInt64(referenceWhite), 16) }
    toneMap?.write(&bits)
    return Self.prefix + bits.bytes + rest
  }
}

extension BitReader {
  fileprivate mutating func list<Number: FixedWidthInteger>(
    _ count: Int, bits: Int
  ) throws -> [Number] {
    var numbers: [Number] = []
    for _ in 0..<count { numbers.append(Number(try u(bits))) }
    return numbers
  }

  fileprivate mutating func reserved(_ count: Int, after field: String) throws {
    guard try u(count) == 0 else {
      throw HeadroomAdaptiveGainMetadata.Fault.reservedBits(after: field)
    }
  }
}

extension BitWriter {
  fileprivate mutating func list(_ numbers: [UInt16]) {
    for number in numbers { u(UInt64(number), 16) }
  }
}

extension HeadroomAdaptiveGainMetadata.ToneMap {
  fileprivate init(_ bits: inout BitReader) throws {
    baselineHeadroom = UInt16(try bits.u(16))
    if try bits.flag() {
      try bits.reserved(7, after: "use_reference_white_tone_mapping_flag")
    } else {
      authored = try .init(&bits)
    }
  }

  fileprivate func write(_ bits: inout BitWriter) {
    bits.u(UInt64(baselineHeadroom), 16)
    bits.flag(authored == nil)
    if let authored { authored.write(&bits) } else { bits.u(0, 7) }
  }
}

extension HeadroomAdaptiveGainMetadata.AuthoredCurves {
  fileprivate init(_ bits: inout BitReader) throws {
    let count = Int(try bits.u(3))
    // If there are more than four alternates, reference readers differ: some read four and stop,
    // and others refuse the payload, as this reader does.
    guard count <= HeadroomAdaptiveGainMetadata.largestAlternateCount else {
      throw HeadroomAdaptiveGainMetadata.Fault.alternateCount(count)
    }
    chromaticitiesMode = UInt8(try bits.u(2))
    (hasCommonMixing, hasCommonPoints) = (try bits.flag(), try bits.flag())
    chromaticities = chromaticitiesMode == 3 ? try bits.list(8, bits: 16) : []
    alternates = []
    for _ in 0..<count {
      let headroom = UInt16(try bits.u(16))
      let mixing = hasCommonMixing ? alternates.first?.mixing : nil
      let common = hasCommonPoints ? alternates.first?.curve : nil
      alternates.append(
        .init(
          headroom: headroom, mixing: try mixing ?? .init(&bits),
          curve: try .init(&bits, common: common)))
    }
  }

  fileprivate func write(_ bits: inout BitWriter) {
    bits.u(UInt64(alternates.count), 3)
    bits.u(UInt64(chromaticitiesMode), 2)
    bits.flag(hasCommonMixing)
    bits.flag(hasCommonPoints)
    bits.list(chromaticities)
    for (number, alternate) in alternates.enumerated() {
      bits.u(UInt64(alternate.headroom), 16)
      if number == 0 || !hasCommonMixing { alternate.mixing.write(&bits) }
      alternate.curve.write(&bits, withPoints: number == 0 || !hasCommonPoints)
    }
  }
}

extension HeadroomAdaptiveGainMetadata.Mixing {
  fileprivate init(_ bits: inout BitReader) throws {
    (type, coefficients) = (UInt8(try bits.u(2)), [])
    guard type == 3 else {
      try bits.reserved(6, after: "component_mixing_type")
      return
    }
    var flags: [Bool] = []
    for _ in 0..<6 { flags.append(try bits.flag()) }
    for isStored in flags { coefficients.append(isStored ? UInt16(try bits.u(16)) : nil) }
  }

  fileprivate func write(_ bits: inout BitWriter) {
    bits.u(UInt64(type), 2)
    guard type == 3 else { return bits.u(0, 6) }
    for coefficient in coefficients { bits.flag(coefficient != nil) }
    bits.list(coefficients.compactMap(\.self))
  }
}

extension HeadroomAdaptiveGainMetadata.Curve {
  /// - Parameter common: the curve from which this curve takes its x and its kind of slopes; `nil`
  ///   if this curve stores its own.
  fileprivate init(_ bits: inout BitReader, common: Self?) throws {
    if let common {
      (derivesSlopes, x) = (common.derivesSlopes, common.x)
    } else {
      let count = Int(try bits.u(5)) + 1
      derivesSlopes = try bits.flag()
      try bits.reserved(2, after: "gain_curve_use_pchip_slope_flag")
      x = try bits.list(count, bits: 16)
    }
    y = try bits.list(x.count, bits: 16)
    thetas = derivesSlopes ? [] : try bits.list(x.count, bits: 16)
  }

  fileprivate func write(_ bits: inout BitWriter, withPoints: Bool) {
    if withPoints {
      bits.u(UInt64(max(x.count, 1) - 1), 5)
      bits.flag(derivesSlopes)
      bits.u(0, 2)
      bits.list(x)
    }
    bits.list(y)
    bits.list(thetas)
  }
}
