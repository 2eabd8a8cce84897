// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorScience
package import NALUnits

/// The headroom-adaptive gain curves of a frame (SMPTE ST 2094-50). They are stored as registered
/// user data, in an SEI message or in a metadata unit of AV1.
package struct HeadroomAdaptiveGain: DynamicHDRMetadataKind {
  package static let key = "st2094_50"
  package static let name = "ST 2094-50"

  package static let lastsUntilNext = true

  package let payload: [UInt8]
  private let content: Result<HeadroomAdaptiveGainMetadata?, HeadroomAdaptiveGainMetadata.Fault>

  /// The parsed metadata; `nil` if it cannot be read.
  package var metadata: HeadroomAdaptiveGainMetadata? { (try? content.get()) ?? nil }
  /// Why the bytes cannot be read; `nil` if they can.
  package var damage: HeadroomAdaptiveGainMetadata.Fault? {
    if case .failure(let fault) = content { fault } else { nil }
  }

  package init(payload: [UInt8]) {
    self.payload = payload
    content = Result { () throws(HeadroomAdaptiveGainMetadata.Fault) in
      try HeadroomAdaptiveGainMetadata(payload: payload)
    }
  }

  /// Makes the value and its bytes from metadata that is to be written.
  package init(writing metadata: HeadroomAdaptiveGainMetadata) {
    (payload, content) = (metadata.payload, .success(metadata))
  }

  /// How frames with the metadata are shown at headrooms other than their own; `nil` if the
  /// metadata does not say, or if it is not valid.
  package var toneMap: HeadroomAdaptiveToneMap? {
    guard fault == nil, let metadata, var map = metadata.toneMap?.toneMap else { return nil }
    map.referenceWhite = metadata.referenceWhiteLuminance
    return map
  }

  package static func payload(in units: ArraySlice<NALUnit>) -> [UInt8]? {
    SEIMessage.registeredUserData(HeadroomAdaptiveGainMetadata.prefix, in: units)
  }

  package func nalUnit(_ codec: NALCodec) -> NALUnit {
    NALUnit(messages: [SEIMessage(registeredUserData: payload)], codec)
  }

  package var isReadable: Bool { metadata != nil }
  package var isOfLaterVersion: Bool { if case .version = damage { true } else { false } }
  package var fault: String? { damage.map { "\($0)" } ?? metadata?.issues.first }

  /// Returns `true`, because a later version may be valid even though it cannot be read here.
  package func isUsable(beside first: Self) -> Bool { true }

  /// Returns `true`: the curves are relative to diffuse white, which every signal has.
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool { true }

  /// Returns whether the colors stayed the same. The curves map each color by itself, wherever in
  /// the frame it is.
  package static func isTrue(after change: FrameChange) -> Bool {
    switch change {
    case .none, .bars, .size, .frame: true
    case .colors: false
    }
  }
}

extension HeadroomAdaptiveGainMetadata {
  /// Diffuse white in cd/m².
  package var referenceWhiteLuminance: Double {
    referenceWhite.map { Double(min(max($0, 1), 50_000)) / 5 } ?? LightSystem.diffuseWhite
  }
}

extension HeadroomAdaptiveGainMetadata.ToneMap {
  /// The headroom that the frame was made for, in stops.
  package var headroom: Double { .stops(baselineHeadroom) }

  /// The tone map that the fields describe. If a number is outside its range, the nearest number in
  /// the range counts (C.3).
  package var toneMap: HeadroomAdaptiveToneMap {
    guard let authored else { return HeadroomAdaptiveToneMap(referenceWhiteCurveFor: headroom) }
    return HeadroomAdaptiveToneMap(
      space: authored.space, baselineHeadroom: headroom,
      alternates: authored.alternates.map { alternate in
        let sign = alternate.headroom > baselineHeadroom ? 1.0 : -1
        return .init(
          headroom: .stops(alternate.headroom), mix: alternate.mixing.mix,
          curve: alternate.curve.gainCurve(sign: sign))
      })
  }
}

extension Double {
  /// Converts ten-thousandths of a stop to stops. More than 6 stops count as 6.
  fileprivate static func stops(_ value: UInt16) -> Double { Double(min(value, 60_000)) / 10_000 }
}

extension HeadroomAdaptiveGainMetadata.AuthoredCurves {
  fileprivate var space: RGBSpace {
    let named: [ColorPrimaries] = [.bt709, .p3D65, .bt2020]
    guard chromaticitiesMode == 3, chromaticities.count == 8 else {
      return RGBSpace(named[min(Int(chromaticitiesMode), 2)]) ?? .bt2020
    }
    func place(_ index: Int) -> Chromaticity {
      Chromaticity(
        Double(chromaticities[2 * index]) / 50_000, Double(chromaticities[2 * index + 1]) / 50_000)
    }
    return RGBSpace(red: place(0), green: place(1), blue: place(2), white: place(3))
  }
}

extension HeadroomAdaptiveGainMetadata.Mixing {
  fileprivate var mix: HeadroomAdaptiveToneMap.ComponentMix {
    switch type {
    case 0: return .maximum
    case 1: return .each
    case 2: return .blend
    default:
      let weights = coefficients.map { Double(min($0 ?? 0, 50_000)) / 50_000 }
      guard weights.count == 6 else { return .maximum }
      return .init(
        components: Triple(weights[0], weights[1], weights[2]), largest: weights[3],
        smallest: weights[4], own: weights[5])
    }
  }
}

extension HeadroomAdaptiveGainMetadata.Curve {
  fileprivate func gainCurve(sign: Double) -> HeadroomAdaptiveToneMap.GainCurve {
    let places = zip(x, y).map {
      (x: Double(min($0, 64_000)) / 1000, y: sign * .stops($1))
    }
    guard !derivesSlopes else { return .init(through: places) }
    return .init(
      points: zip(places, thetas).map { place, theta in
        .init(x: place.x, y: place.y, slope: .slope(ofAngle: theta))
      })
  }
}

extension Double {
  fileprivate static func slope(ofAngle theta: UInt16) -> Double {
    HeadroomAdaptiveToneMap.GainCurve.slope(
      ofAngle: (Double(min(max(theta, 1), 35_999)) - 18_000) / 36_000)
  }
}
