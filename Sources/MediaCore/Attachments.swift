// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// Values that travel with a frame: what its samples mean, and its HDR metadata.
public struct Attachments: Hashable, Sendable {
  /// Color, range and chroma location. What the source does not declare is unspecified or `nil`.
  public var signal: SignalDescription
  /// Static HDR metadata of every kind.
  package var staticHDRMetadata = StaticHDRMetadata()
  /// The dynamic metadata of this frame, for programs that use the library. The library itself uses
  /// the metadata of ``VideoFrame``. Dynamic metadata never propagates to another buffer.
  package var metadata = FrameMetadata()

  private var notPropagating: Set<Kind> = []

  /// Makes attachments. By default nothing is declared.
  public init(
    signal: SignalDescription = SignalDescription(),
    masteringDisplay: MasteringDisplayColorVolume? = nil,
    contentLightLevel: ContentLightLevel? = nil,
    ambientViewingEnvironment: AmbientViewingEnvironment? = nil, dolbyVisionRPU: [UInt8]? = nil
  ) {
    self.signal = signal
    self.masteringDisplay = masteringDisplay
    self.contentLightLevel = contentLightLevel
    self.ambientViewingEnvironment = ambientViewingEnvironment
    self.dolbyVisionRPU = dolbyVisionRPU
  }

  /// Makes attachments with static HDR metadata of any kind.
  package init(signal: SignalDescription, staticHDRMetadata: StaticHDRMetadata) {
    self.signal = signal
    self.staticHDRMetadata = staticHDRMetadata
  }

  /// The Dolby Vision RPU of this frame: the bytes of its NAL unit after the header, with emulation
  /// prevention. It never propagates to another buffer. `nil` if the frame has no RPU.
  public var dolbyVisionRPU: [UInt8]? {
    get { metadata.payloads[Self.dolbyVisionKey] }
    set { metadata.set(newValue, nil, for: Self.dolbyVisionKey) }
  }

  /// The key of Dolby Vision in ``metadata``.
  package static let dolbyVisionKey = "dolbyVision"

  /// The display that the frame was mastered on; `nil` if unknown.
  public var masteringDisplay: MasteringDisplayColorVolume? {
    get { staticHDRMetadata.masteringDisplay }
    set { staticHDRMetadata.masteringDisplay = newValue }
  }

  /// The brightest pixel and the brightest frame of the content; `nil` if unknown.
  public var contentLightLevel: ContentLightLevel? {
    get { staticHDRMetadata.contentLightLevel }
    set { staticHDRMetadata.contentLightLevel = newValue }
  }

  /// The surroundings that the frame was made to be seen in; `nil` if unknown.
  public var ambientViewingEnvironment: AmbientViewingEnvironment? {
    get { staticHDRMetadata.ambientViewingEnvironment }
    set { staticHDRMetadata.ambientViewingEnvironment = newValue }
  }
}

extension Attachments {
  /// Names an attachment and the type of its value, as the keys of `CVBufferSetAttachment` and of
  /// `CMFormatDescription.Extensions` do.
  public struct Key<Value: Sendable>: Sendable {
    fileprivate let kind: Kind
    fileprivate let path: any WritableKeyPath<Attachments, Value?> & Sendable
  }

  fileprivate enum Kind: CaseIterable {
    case colorPrimaries, transferFunction, yCbCrMatrix, range, chromaLocation
    case masteringDisplay, contentLightLevel, ambientViewingEnvironment
  }

  /// Whether an attachment is passed on to a buffer that is made from this one: `CVAttachmentMode`.
  public enum Mode: Sendable {
    /// The new buffer gets the attachment, too.
    case shouldPropagate
    /// The new buffer does not get the attachment.
    case shouldNotPropagate
  }

  /// The value of an attachment; `nil` if it is not declared.
  public subscript<Value>(key: Key<Value>) -> Value? {
    get { self[keyPath: key.path] }
    set { self[keyPath: key.path] = newValue }
  }

  /// The mode of an attachment. By default it propagates.
  public subscript<Value>(mode key: Key<Value>) -> Mode {
    get { notPropagating.contains(key.kind) ? .shouldNotPropagate : .shouldPropagate }
    set {
      if newValue == .shouldPropagate {
        notPropagating.remove(key.kind)
      } else {
        notPropagating.insert(key.kind)
      }
    }
  }

  /// The attachments that are passed on to a buffer that is made from this one:
  /// `CVBufferPropagateAttachments`.
  public var propagated: Attachments {
    var result = self
    for kind in notPropagating { result.remove(kind) }
    // Dynamic metadata describes the pixels of this one frame. New pixels would make it wrong.
    result.metadata = FrameMetadata()
    // Only what propagates is left, so every mode is the default again.
    result.notPropagating = []
    return result
  }

  private mutating func remove(_ kind: Kind) {
    switch kind {
    case .colorPrimaries: self[.colorPrimaries] = nil
    case .transferFunction: self[.transferFunction] = nil
    case .yCbCrMatrix: self[.yCbCrMatrix] = nil
    // Core Video has no key for the range, but the value here travels like any other attachment.
    case .range: self[.fullRangeVideo] = nil
    case .chromaLocation: self[.chromaLocation] = nil
    case .masteringDisplay: self[.masteringDisplayColorVolume] = nil
    case .contentLightLevel: self[.contentLightLevelInfo] = nil
    case .ambientViewingEnvironment: self[.ambientViewingEnvironment] = nil
    }
  }
}

extension Attachments.Key where Value == ColorPrimaries {
  /// `kCVImageBufferColorPrimariesKey`
  public static var colorPrimaries: Self {
    Self(kind: .colorPrimaries, path: \.signal.color.colorPrimaries.statement)
  }
}

extension Attachments.Key where Value == TransferCharacteristics {
  /// `kCVImageBufferTransferFunctionKey`
  public static var transferFunction: Self {
    Self(kind: .transferFunction, path: \.signal.color.transferCharacteristics.statement)
  }
}

extension Attachments.Key where Value == MatrixCoefficients {
  /// `kCVImageBufferYCbCrMatrixKey`
  public static var yCbCrMatrix: Self {
    Self(kind: .yCbCrMatrix, path: \.signal.color.matrixCoefficients.statement)
  }
}

extension Attachments.Key where Value == Bool {
  /// Full or limited range (`kCMFormatDescriptionExtension_FullRangeVideo`), which in Core Video is
  /// part of the pixel format.
  public static var fullRangeVideo: Self { Self(kind: .range, path: \.signal.videoFullRangeFlag) }
}

extension Attachments.Key where Value == ChromaLocation {
  /// `kCVImageBufferChromaLocationTopFieldKey`
  public static var chromaLocation: Self {
    Self(kind: .chromaLocation, path: \.signal.chromaLocation)
  }
}

extension Attachments.Key where Value == MasteringDisplayColorVolume {
  /// `kCVImageBufferMasteringDisplayColorVolumeKey`
  public static var masteringDisplayColorVolume: Self {
    Self(kind: .masteringDisplay, path: \.masteringDisplay)
  }
}

extension Attachments.Key where Value == ContentLightLevel {
  /// `kCVImageBufferContentLightLevelInfoKey`
  public static var contentLightLevelInfo: Self {
    Self(kind: .contentLightLevel, path: \.contentLightLevel)
  }
}

extension Attachments.Key where Value == AmbientViewingEnvironment {
  /// `kCVImageBufferAmbientViewingEnvironmentKey`
  public static var ambientViewingEnvironment: Self {
    Self(kind: .ambientViewingEnvironment, path: \.ambientViewingEnvironment)
  }
}

extension CodePoint {
  /// The value; `nil` if it is "unspecified".
  fileprivate var statement: Self? {
    // H.273's "unspecified" (2) says as little as a missing tag. Core Video has no constant for it
    // and leaves the attachment out.
    get { isSpecified ? self : nil }
    set { self = newValue ?? .unspecified }
  }
}
