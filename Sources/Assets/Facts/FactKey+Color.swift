// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import ColorTagging
internal import ISOBMFF
internal import LibAV

/// Facts about the color of a video track.
extension FactKey {
  package static let colorPrimaries: FactKey = .init(
    "colorPrimaries", "the color primaries", in: .color, NamedCode.self,
    reading: .signal(.colorPrimaries))
  package static let transferFunction: FactKey = .init(
    "transferFunction", "the transfer function", in: .color, NamedCode.self,
    losses: [.gamma], reading: .signal(.transferFunction))
  package static let yCbCrMatrix: FactKey = .init(
    "yCbCrMatrix", "the matrix of Y′CbCr", in: .color, NamedCode.self,
    reading: .signal(.yCbCrMatrix))
  package static let range: FactKey = .init(
    "range", "limited or full range", in: .color, losses: [.range],
    reading: .signal(.range))
  package static let chromaLocation: FactKey = .init(
    "chromaLocation", "the chroma location", in: .color, NamedCode.self,
    losses: [.chromaLocation], reading: .signal(.chromaLocation))

  package static let containerColor: FactKey = .init(
    "containerColor", "the color that the container states", in: .claims, as: "container",
    SignalDescription.self, comparison: .place,
    // Boxes cannot state a chroma location, and only MP4's `nclx` can state a range. So only the
    // three fields of the color are checked.
    verified: .signal(Array(SignalField.allCases.prefix(3))),
    reading: .claim(.container) { containerColor })
  package static let bitstreamColor: FactKey = .init(
    "bitstreamColor", "the color that the bitstream states", in: .claims, as: "bitstream",
    SignalDescription.self, comparison: .place,
    verified: .signal(SignalField.allCases),
    reading: .claim(.bitstream) { bitstreamColor })
  package static let decoderColor: FactKey = .init(
    "decoderColor", "the color that the decoder reports", in: .claims, as: "decoder",
    SignalDescription.self, comparison: .notCompared,
    reading: .claim(.decoder) { decoderColor })
  package static let profileColor: FactKey = .init(
    "profileColor", "the color that an ICC profile states", in: .claims, as: "profile",
    SignalDescription.self, comparison: .place,
    reading: .claim(.profile) { profileColor })
  package static let gammaColor: FactKey = .init(
    "gammaColor", "the color that QuickTime's `gama` states", in: .claims, as: "gamma",
    SignalDescription.self, comparison: .notCompared, verified: .value,
    reading: .claim(.gamma) { gammaColor })
  package static let preferredTransferFunction: FactKey = .init(
    "preferredTransferFunction", "the transfer function that SEI 147 prefers", in: .claims,
    NamedCode.self, comparison: .notCompared,
    verified: .value,
    reading: .video { video in
      let claim = video.claims.first { $0.source == .preferredTransfer }
      return claim.flatMap { Fact(preferredTransfer: $0.signal.color.transferCharacteristics) }
    })

  package static let iccProfile: FactKey = .init(
    "iccProfile", "an ICC profile that states more than code points can state", in: .claims,
    ByteDigest.self,
    losses: [.profile],
    reading: .track { track in
      let claim = track.video?.claims.first { $0.source == .profile }
      guard track.video != nil, claim?.notes.isEmpty != true,
        let profile = track.box?.firstUsedEntry?.profiles.first
      else { return [] }
      return [Fact(iccProfile, ByteDigest(profile))]
    })
}

extension SignalField {
  /// The key of the fact about this field of the believed color.
  package var key: FactKey {
    switch self {
    case .colorPrimaries: .colorPrimaries
    case .transferFunction: .transferFunction
    case .yCbCrMatrix: .yCbCrMatrix
    case .range: .range
    case .chromaLocation: .chromaLocation
    }
  }

  /// Returns the fact about this field of a signal; `nil` if the signal does not state the field.
  package func fact(in signal: SignalDescription) -> Fact? {
    guard let text = statement(in: signal) else { return nil }
    let value: Fact.Value? =
      switch self {
      case .colorPrimaries: NamedCode(signal.color.colorPrimaries)
      case .transferFunction: NamedCode(signal.color.transferCharacteristics)
      case .yCbCrMatrix: NamedCode(signal.color.matrixCoefficients)
      case .range: text
      case .chromaLocation: signal.chromaLocation.map { NamedCode($0) }
      }
    return value.map { Fact(key, $0, text: text) }
  }
}

extension FactKey.Reading {
  /// Reads a field of the believed color.
  fileprivate static func signal(_ field: SignalField) -> Self {
    .video { video in
      let signal = video.tags.signal
      var fact = field.fact(in: signal)
      if field == .chromaLocation { fact?.mayLack = video.meaningfulChromaLocation == nil }
      // An absent range is read as limited (H.273, 8.3).
      if field == .range { fact?.mayLack = signal.videoFullRangeFlag == false }
      return fact
    }
  }

  /// Reads what a place says about color. Even a place that leaves the color unstated gives a fact.
  fileprivate static func claim(
    _ source: ClaimSource, _ key: @escaping @Sendable () -> FactKey
  ) -> Self {
    .video { video in
      let claim = video.claims.first { $0.source == source }
      return claim.map { Fact(key(), $0.signal) }
    }
  }
}

extension Fact {
  /// Makes a fact about what a place says about color.
  package init(_ key: FactKey, _ signal: SignalDescription) {
    self.init(key, signal, text: signal.text)
  }

  /// Makes a fact about the transfer function that SEI 147 prefers.
  package init(preferredTransfer transfer: TransferCharacteristics) {
    self.init(.preferredTransferFunction, NamedCode(transfer))
  }
}

extension SignalDescription {
  /// The signal as a report shows it: `BT.709 (1) / …, limited range, chroma left (0)`.
  package var text: String {
    let parts = SignalField.allCases.map { $0.statement(in: self) }
    return [
      colorText, parts[3].map { "\($0) range" } ?? "range unstated",
      parts[4].map { "chroma \($0)" } ?? "chroma location unstated",
    ].joined(separator: ", ")
  }

  /// The three parts of the color as a report shows them.
  package var colorText: String {
    // A dash stands for each part that is absent. Three dashes would look like a fault, but an
    // untagged file is not faulty.
    guard !color.isUnspecified else { return "no color" }
    return SignalField.allCases.prefix(3).map { $0.statement(in: self) ?? "–" }
      .joined(separator: " / ")
  }
}
