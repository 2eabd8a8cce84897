public import CodePoints

/// Where a file states what its video signal means.
public enum ClaimSource: String, Sendable, CaseIterable {
  /// The user, who knows better than the file.
  case user
  /// The attachments of a buffer that a program made; there is no file.
  case attachments
  /// The container: a `colr` box, Matroska's Colour element.
  case container
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
public struct SignalClaim: Hashable, Sendable {
  /// The place.
  public var source: ClaimSource
  /// What it says; the unstated is unspecified or nil.
  public var signal: SignalDescription

  /// A claim from its parts.
  public init(source: ClaimSource, signal: SignalDescription) {
    self.source = source
    self.signal = signal
  }
}

/// One thing that can be stated of a video signal.
public enum SignalField: String, Sendable, CaseIterable {
  /// The color primaries.
  case colorPrimaries
  /// The transfer function.
  case transferFunction
  /// The matrix.
  case yCbCrMatrix
  /// Limited or full range.
  case range
  /// Where chroma samples lie.
  case chromaLocation

  /// What a signal says in this field, for people; nil if it says nothing.
  public func statement(in signal: SignalDescription) -> String? {
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
