// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// A place from which a statement about a video signal comes: a part of the file, a program or the
/// user.
package enum ClaimSource: String, Sendable, CaseIterable {
  /// The user, who knows better than the file.
  case user
  /// The attachments of a buffer that a program made without a file.
  case attachments
  /// The container: a `colr` box, or Matroska's Colour element.
  case container
  /// An ICC profile in a `colr` box. It counts only for what ``container`` does not declare.
  case profile = "ICC profile"
  /// QuickTime's `gama`. It counts only if no `colr` box declares a transfer function.
  case gamma = "'gama' atom"
  /// The bitstream itself: the VUI of H.264 and HEVC, the sequence header of AV1, or the
  /// frame header of ProRes.
  case bitstream
  /// A parameter set in the sample entry, if the samples contain another one that replaces it.
  case sampleEntry = "sample entry's parameter set"
  /// The transfer function that SEI 147 names instead of the VUI's (H.265, D.3.38; H.264, D.2.32).
  case preferredTransfer = "SEI 147"
  /// The reshaping of a Dolby Vision base layer, whose result needs no tags.
  case reshaping = "Dolby Vision RPU"
  /// The decoder, for codecs whose bitstream is not read here.
  case decoder

  /// The place as the subject of a sentence in a message: `the container`, `SEI 147`.
  var subject: String {
    switch self {
    case .preferredTransfer: rawValue
    case .attachments: "the frame's attachment"
    default: "the \(rawValue)"
    }
  }
}

/// What one place says about the meaning of a video signal.
package struct SignalClaim: Hashable, Sendable {
  /// The place that declares the signal.
  package var source: ClaimSource
  /// The declared signal. Missing parts are unspecified or `nil`.
  package var signal: SignalDescription

  /// Notices about faults in what the place says.
  package var notes: [Notice]

  package init(source: ClaimSource, signal: SignalDescription, notes: [Notice] = []) {
    self.source = source
    self.signal = signal
    self.notes = notes
  }
}

/// One thing that a place can declare about a video signal.
package enum SignalField: String, Sendable, CaseIterable {
  /// Which red, green and blue the components stand for.
  case colorPrimaries
  /// How a signal becomes light.
  case transferFunction
  /// How R'G'B' becomes the samples' components.
  case yCbCrMatrix
  /// Limited or full range of code values.
  case range
  /// Where chroma samples sit between luma samples.
  case chromaLocation

  /// Returns as text what a signal says in this field, or `nil` if it says nothing.
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

  /// Returns the value of this field alone, so that two signals can be compared in this one field.
  /// Returns `nil` if the signal says nothing about it.
  package func value(in signal: SignalDescription) -> SignalDescription? {
    var value = SignalDescription()
    copy(from: signal, to: &value)
    // `gama` has 16 fractional bits and tone curves in ICC profiles can have 8, so equal gammas
    // agree only to two decimals.
    if let gamma = value.color.transferCharacteristics.gamma {
      value.color.transferCharacteristics = .init(unnumberedGamma: (gamma * 100).rounded() / 100)
    }
    return value == SignalDescription() ? nil : value
  }

  /// Returns why the value in this field means nothing, as the end of a message. Returns `nil` if
  /// the value has a meaning or is missing.
  ///
  /// - Parameter isRGB: whether samples are R'G'B', or `nil` if unknown.
  func fault(in signal: SignalDescription, isRGB: Bool?) -> String? {
    let isReserved: Bool
    switch self {
    case .colorPrimaries: isReserved = signal.color.colorPrimaries.isReserved
    case .transferFunction: isReserved = signal.color.transferCharacteristics.isReserved
    case .yCbCrMatrix:
      // In H.273, matrix 0 is only for R'G'B', so for Y'CbCr it must be a mistake.
      if isRGB == false, signal.color.matrixCoefficients == .identity {
        return "which is R'G'B', but the video is Y'CbCr"
      }
      if isRGB == true, ![.unspecified, .identity].contains(signal.color.matrixCoefficients) {
        return "which is for Y'CbCr, but the video is R'G'B'"
      }
      isReserved = signal.color.matrixCoefficients.isReserved
    case .range, .chromaLocation: return nil
    }
    return isReserved ? "a number to which H.273 gives no meaning" : nil
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
