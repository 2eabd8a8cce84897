// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
internal import ColorScience
package import ColorTagging
internal import DolbyVision
internal import ISOBMFF

extension SampleEntry {
  /// The claims of the boxes about color and range. First comes a claim for each `nclx` and `nclc`.
  /// If there is no such box, the first claim states nothing. Then come an ICC profile and
  /// QuickTime's `gama`, for what `nclx` and `nclc` leave open.
  package var colorClaims: [SignalClaim] {
    let boxes = signals.isEmpty ? [SignalDescription()] : signals
    var claims = boxes.map { SignalClaim(source: .container, signal: $0) }
    claims[0].notes = colorBoxFaults + unknownColorBoxes
    claims += [profileClaim, gammaClaim].compactMap { $0 }.map { claim in
      var claim = claim
      for stated in signals.map(\.color) {
        // Code points in `colr` are exact, so a profile and a gamma count only for what the code
        // points leave open.
        if stated.colorPrimaries.hasMeaning { claim.signal.color.colorPrimaries = .unspecified }
        if stated.transferCharacteristics.hasMeaning {
          claim.signal.color.transferCharacteristics = .unspecified
        }
      }
      return claim
    }
    return claims
  }

  /// Notices about `colr` boxes that are cut off.
  package var colorBoxFaults: [Notice] {
    payloads("colr").compactMap { payload in
      switch try? ColorInformation(payload) {
      case nil: .colorBoxCutOff(byteCount: payload.count)
      case .nclx(_, nil): .colorBoxWithoutRange
      case .nclx, .nclc, .profile, .other: nil
      }
    }
  }

  private var unknownColorBoxes: [Notice] {
    colorInformation.compactMap { information in
      guard case .other(let kind, _) = information else { return nil }
      return .colorBoxUnknown(kind: kind)
    }
  }

  private var profileClaim: SignalClaim? {
    guard let bytes = profiles.first else { return nil }
    guard let profile = profiles.lazy.compactMap({ ICCProfile($0) }).first else {
      return SignalClaim(
        source: .profile, signal: SignalDescription(),
        notes: [.profileUnreadable(byteCount: bytes.count)])
    }
    return SignalClaim(
      source: .profile, signal: SignalDescription(color: profile.color),
      notes: profile.unknown.map {
        [.profileUnknown(profile.nameInQuotes, $0)]
      } ?? [])
  }

  private var gammaClaim: SignalClaim? {
    guard let gamma else { return nil }
    let transfer = TransferCharacteristics(gamma: gamma)
    return SignalClaim(
      source: .gamma,
      signal: SignalDescription(
        color: ColorDescription(.unspecified, transfer ?? .unspecified, .unspecified)),
      notes: transfer == nil ? [.gammaUnknown(gamma)] : [])
  }
}

extension SampleEntry {
  /// The compatible brands of a file with samples of this kind: `dby1` for Dolby Vision, and a
  /// brand for the signal that other players show (Dolby Vision Streams Within the ISO Base Media
  /// File Format; Dolby Vision Streams Within the HTTP Live Streaming Format).
  package var dolbyVisionBrands: [FourCC] {
    guard let record = dolbyVisionRecords.first?.record else { return [] }
    let transfer = colorClaims.first?.signal.color.transferCharacteristics
    let signal: FourCC? =
      switch DataMapping.BaseLayerSignal(rawValue: record.baseLayerSignalCompatibilityID) {
      case .pq: "db1p"
      case .sdr: "db2g"
      // Some HLG tracks are tagged with the transfer function of SDR, for players that do not know
      // HLG.
      case .hlg: transfer == .bt2020TenBit ? "db4g" : "db4h"
      case nil: nil
      }
    return ["dby1"] + [signal].compactMap { $0 }
  }
}
