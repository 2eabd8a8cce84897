// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Where a file states what its video signal means.
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

/// What one place says of a video signal.
package struct SignalClaim: Hashable, Sendable {
  /// The place.
  package var source: ClaimSource
  /// What it says; the unstated is unspecified or nil.
  package var signal: SignalDescription

  /// What is odd about the place.
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

  /// What a signal says in this field, for people; nil if it says nothing.
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

  /// What a signal says in this field and nothing else, so that two can be compared: a gamma to two
  /// decimals, as precise as places are. Nil if it says nothing.
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

  /// Why what a signal says in this field says nothing; nil where it says something, or nothing is
  /// said.
  ///
  /// - Parameter isRGB: whether samples are R'G'B', which only the matrix "identity" can be for;
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
