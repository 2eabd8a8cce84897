// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Place at which a file states the meaning of its video signal.
package enum ClaimSource: String, Sendable, CaseIterable {
  /// The user, who knows better than the file.
  case user
  /// The attachments of a buffer that a program made; there is no file.
  case attachments
  /// The container: a `colr` box, Matroska's Colour element.
  case container
  /// An ICC profile in a `colr` box, for what no other box states.
  case profile = "ICC profile"
  /// QuickTime's `gama`, where no box states a transfer function.
  case gamma = "'gama' atom"
  /// The bitstream itself: the VUI of H.264 and HEVC, the frame header of ProRes.
  case bitstream
  /// A parameter set in the sample entry that the samples replace with another.
  case sampleEntry = "sample entry's parameter set"
  /// The transfer function that SEI 147 names in the place of the VUI's (H.265, D.3.38; H.264,
  /// D.2.32).
  case preferredTransfer = "SEI 147"
  /// The decoder, for codecs whose bitstream is not read here.
  case decoder
}

/// Claim of one place about a video signal.
package struct SignalClaim: Hashable, Sendable {
  /// The place.
  package var source: ClaimSource
  /// Signal that it states; an unstated part is unspecified or nil.
  package var signal: SignalDescription

  /// Notices about faults of the place.
  package var notes: [Notice]

  /// A claim from its parts.
  package init(source: ClaimSource, signal: SignalDescription, notes: [Notice] = []) {
    self.source = source
    self.signal = signal
    self.notes = notes
  }
}

/// One thing that can be stated of a video signal.
package enum SignalField: String, Sendable, CaseIterable {
  /// The color primaries.
  case colorPrimaries
  /// The transfer function.
  case transferFunction
  /// The matrix.
  case yCbCrMatrix
  /// Limited or full range.
  case range
  /// The chroma location.
  case chromaLocation

  /// Statement of a signal in this field, for people; nil if it states nothing.
  package func statement(in signal: SignalDescription) -> String? {
    switch self {
    case .colorPrimaries:
      signal.color.colorPrimaries.isSpecified ? "\(signal.color.colorPrimaries)" : nil
    case .transferFunction:
      signal.color.transferCharacteristics.isSpecified
        ? "\(signal.color.transferCharacteristics)" : nil
    case .yCbCrMatrix:
      signal.color.matrixCoefficients.isSpecified ? "\(signal.color.matrixCoefficients)" : nil
    case .range:
      signal.videoFullRangeFlag.map { $0 ? "full" : "limited" }
    case .chromaLocation:
      signal.chromaLocation.map { "\($0)" }
    }
  }

  /// Value of this field alone, so that two signals can be compared in it: a gamma to two decimals,
  /// as precise as places are. Nil if the signal states nothing.
  package func value(in signal: SignalDescription) -> SignalDescription? {
    var value = SignalDescription()
    copy(from: signal, to: &value)
    if let gamma = value.color.transferCharacteristics.gamma {
      value.color.transferCharacteristics = .init(unnumberedGamma: (gamma * 100).rounded() / 100)
    }
    return value == SignalDescription() ? nil : value
  }

  /// The reason for which a statement says nothing, for people: the end of a sentence.
  enum Fault: String {
    case reserved = "a number to which H.273 gives no meaning"
    case identityOfYCbCr = "which is R'G'B', but the video is Y'CbCr"
  }

  /// Fault that makes a signal's statement in this field useless; nil where there is none, or
  /// nothing is stated.
  ///
  /// - Parameter isRGB: true if samples are R'G'B', which only the matrix "identity" can be for;
  ///   nil if unknown.
  func fault(in signal: SignalDescription, isRGB: Bool?) -> Fault? {
    let isReserved: Bool
    switch self {
    case .colorPrimaries: isReserved = signal.color.colorPrimaries.isReserved
    case .transferFunction: isReserved = signal.color.transferCharacteristics.isReserved
    case .yCbCrMatrix:
      if isRGB == false, signal.color.matrixCoefficients == .identity {
        return .identityOfYCbCr
      }
      isReserved = signal.color.matrixCoefficients.isReserved
    case .range, .chromaLocation: return nil
    }
    return isReserved ? .reserved : nil
  }

  func copy(from source: SignalDescription, to target: inout SignalDescription) {
    switch self {
    case .colorPrimaries: target.color.colorPrimaries = source.color.colorPrimaries
    case .transferFunction:
      target.color.transferCharacteristics = source.color.transferCharacteristics
    case .yCbCrMatrix: target.color.matrixCoefficients = source.color.matrixCoefficients
    case .range: target.videoFullRangeFlag = source.videoFullRangeFlag
    case .chromaLocation: target.chromaLocation = source.chromaLocation
    }
  }
}
