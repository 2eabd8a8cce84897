// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// The values that travel with a frame: the meaning of its samples, and HDR metadata.
public struct Attachments: Hashable, Sendable {
  /// Color, range and chroma location, as far as they are stated.
  public var signal: SignalDescription
  /// Static HDR metadata, of all kinds.
  package var staticHDRMetadata = StaticHDRMetadata()
  /// The dynamic metadata of this frame, for programs: inside of the library they travel with the
  /// ``VideoFrame``. They belong to the pixels of this frame alone, and never propagate.
  package var metadata = FrameMetadata()

  private var notPropagating: Set<Key> = []

  /// Attachments; nothing is stated by default.
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

  /// Attachments with static HDR metadata of any kind.
  package init(signal: SignalDescription, staticHDRMetadata: StaticHDRMetadata) {
    self.signal = signal
    self.staticHDRMetadata = staticHDRMetadata
  }

  /// The Dolby Vision RPU of this frame: the bytes of its NAL unit behind the header, with
  /// emulation prevention. It belongs to the pixels of this frame alone, and never propagates. Nil
  /// for none.
  public var dolbyVisionRPU: [UInt8]? {
    get { metadata.payloads[Self.dolbyVisionKey] }
    set { metadata.set(newValue, nil, for: Self.dolbyVisionKey) }
  }

  /// The key of Dolby Vision among kinds of dynamic metadata.
  package static let dolbyVisionKey = "dolbyVision"

  /// The display that the frame was mastered on; nil if unstated.
  public var masteringDisplay: MasteringDisplayColorVolume? {
    get { staticHDRMetadata.masteringDisplay }
    set { staticHDRMetadata.masteringDisplay = newValue }
  }

  /// The content's light levels.
  public var contentLightLevel: ContentLightLevel? {
    get { staticHDRMetadata.contentLightLevel }
    set { staticHDRMetadata.contentLightLevel = newValue }
  }

  /// The surroundings that the frame was made to be seen in; nil if unstated.
  public var ambientViewingEnvironment: AmbientViewingEnvironment? {
    get { staticHDRMetadata.ambientViewingEnvironment }
    set { staticHDRMetadata.ambientViewingEnvironment = newValue }
  }
}

extension Attachments {
  /// One kind of attachment: the keys of `CVBufferSetAttachment`.
  public enum Key: String, Sendable, CaseIterable {
    /// `kCVImageBufferColorPrimariesKey`
    case colorPrimaries
    /// `kCVImageBufferTransferFunctionKey`
    case transferFunction
    /// `kCVImageBufferYCbCrMatrixKey`
    case yCbCrMatrix
    /// Limited or full range, which in Core Video is part of the pixel format.
    case range
    /// `kCVImageBufferChromaLocationTopFieldKey`
    case chromaLocation
    /// `kCVImageBufferMasteringDisplayColorVolumeKey`
    case masteringDisplay
    /// `kCVImageBufferContentLightLevelInfoKey`
    case contentLightLevel
    /// `kCVImageBufferAmbientViewingEnvironmentKey`
    case ambientViewingEnvironment
  }

  /// The way of an attachment to a buffer that is made from this one: `CVAttachmentMode`.
  public enum Mode: Sendable {
    /// The new buffer has the attachment, too.
    case shouldPropagate
    /// The new buffer does not have the attachment.
    case shouldNotPropagate
  }

  /// The mode of an attachment. The default is to propagate.
  public subscript(mode key: Key) -> Mode {
    get { notPropagating.contains(key) ? .shouldNotPropagate : .shouldPropagate }
    set {
      if newValue == .shouldPropagate {
        notPropagating.remove(key)
      } else {
        notPropagating.insert(key)
      }
    }
  }

  /// The attachments that a buffer made from this one takes over: `CVBufferPropagateAttachments`.
  public var propagated: Attachments {
    var result = self
    for key in notPropagating { result.remove(key) }
    result.metadata = FrameMetadata()
    result.notPropagating = []
    return result
  }

  /// Takes an attachment away.
  public mutating func remove(_ key: Key) {
    switch key {
    case .colorPrimaries: signal.color.colorPrimaries = .unspecified
    case .transferFunction: signal.color.transferCharacteristics = .unspecified
    case .yCbCrMatrix: signal.color.matrixCoefficients = .unspecified
    case .range: signal.videoFullRangeFlag = nil
    case .chromaLocation: signal.chromaLocation = nil
    case .masteringDisplay: masteringDisplay = nil
    case .contentLightLevel: contentLightLevel = nil
    case .ambientViewingEnvironment: ambientViewingEnvironment = nil
    }
  }
}
