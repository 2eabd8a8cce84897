// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import LibAV
package import MediaCore
package import NALUnits

/// A kind of dynamic HDR metadata: a value of one frame, stored in its access unit.
///
/// A value that cannot be read is still a value: its bytes stay with the frame.
package protocol DynamicHDRMetadataKind: Sendable {
  /// The kind's name in JSON and in the arguments of notices: `hdr10Plus`.
  static var key: String { get }
  /// The kind's name as text for people: "HDR10+".
  static var name: String { get }

  /// Returns the bytes of the metadata that an access unit's NAL units contain; `nil` if there are
  /// none.
  static func payload(in units: ArraySlice<NALUnit>) -> [UInt8]?
  /// Makes a value from its bytes.
  init(payload: [UInt8])
  /// The bytes that the value was read from or written as.
  var payload: [UInt8] { get }
  /// Returns the NAL unit with the bytes. The unit's type decides its place in the access unit.
  func nalUnit(_ codec: NALCodec) -> NALUnit

  /// Returns whether frames with a transfer function can have this metadata.
  ///
  /// - Parameter metadata: the track's HDR metadata.
  static func goes(with transfer: TransferCharacteristics, in metadata: HDRMetadata) -> Bool
  /// Returns whether the source's metadata is still true of changed frames.
  static func isTrue(after change: FrameChange) -> Bool

  // Everything below has a default. If a kind's bytes are only passed on, the defaults are enough.

  /// Returns whether access units of a codec have a place for the metadata.
  static func isCarried(by codec: NALCodec) -> Bool

  /// Whether each frame must have a value. A missing value is replaced by the previous frame's
  /// value.
  static var isOfEveryFrame: Bool { get }
  /// Whether a value also holds for later frames, until another value comes.
  static var lastsUntilNext: Bool { get }
  /// Whether values can be computed from frames when the source's values are no longer true.
  static var isComputed: Bool { get }
  /// Whether the values of a base layer may be stored in the samples of its enhancement layer.
  static var belongsToLayers: Bool { get }
  /// The name of what containers declare, without an article: "Dolby Vision configuration".
  static var statement: String { get }
  /// The name of one value as text for people: "Dolby Vision RPU".
  static var item: String { get }
  /// The key for values in samples. It differs from ``key`` if containers also declare something of
  /// this kind.
  static var sampleKey: String { get }
  /// The name of the values in samples, as text for people.
  static var sampleName: String { get }
  /// The key and the text for the number of frames with a value.
  static var frameCount: (key: String, text: String) { get }
  /// The key and the text for the number of frames whose value has a certain part; `nil` if the
  /// kind has no parts.
  static var partCount: (key: String, text: String)? { get }
  /// The boxes of a sample entry that declare something about the metadata.
  static var boxes: [FourCC] { get }
  /// The brand that a movie gets if samples of a codec have the metadata; `nil` if there is no such
  /// brand.
  ///
  /// - Parameter codecName: FFmpeg's name for the codec.
  static func brand(forSamplesOf codecName: String) -> FourCC?
  /// The codes of notices that name the loss of this kind, besides the notices for all kinds.
  static var lossCodes: [Notice.Code] { get }

  /// Removes the metadata from one unit of an access unit. Returns `nil` if nothing of the unit is
  /// left.
  static func removed(from unit: NALUnit) -> NALUnit?
  /// Returns whether a track has metadata of the kind, in its frames or its container.
  static func isPresent(in metadata: HDRMetadata) -> Bool
  /// Returns the kind's name with details such as a profile, as text for people.
  static func name(in metadata: HDRMetadata) -> String
  /// Returns how the kind appears in the name of a dynamic range, such as "Dolby Vision 8.4"; `nil`
  /// if the kind is not named there.
  ///
  /// - Parameter codecProfile: the profile that a configuration record states for this codec if the
  ///   RPUs have profile 8: 8, or 10 for AV1. `nil` if the codec has no place for RPUs.
  static func dynamicRange(in metadata: HDRMetadata, codecProfile: UInt8?) -> String?

  /// Whether the bytes can be read.
  var isReadable: Bool { get }
  /// Whether the bytes cannot be read because they are of a later version than those known here.
  var isOfLaterVersion: Bool { get }
  /// The profile of the value as text, such as `8.4`; `nil` if it cannot be read, or if the kind
  /// has no profiles.
  var profileText: String? { get }
  /// Whether the value means something without the values of earlier frames.
  var standsAlone: Bool { get }
  /// What is wrong with the value, as text for people; `nil` if nothing is wrong.
  var fault: String? { get }
  /// Returns whether an output's frames can have this value.
  ///
  /// - Parameter first: the value that represents the track's beginning.
  func isUsable(beside first: Self) -> Bool
  /// The numbers of the value's parts, each once.
  var parts: Set<UInt8> { get }
  /// The brightest light of the frame or its shot in cd/m²; `nil` if the value does not say.
  var peakLuminance: Double? { get }
  /// Whether the value repeats the light levels of the whole track.
  var repeatsLightLevels: Bool { get }
  /// Whether the frame begins a shot.
  var beginsShot: Bool { get }
  /// The value as it has to be if its frame begins a shot.
  var beginningShot: Self { get }
  /// Returns the value for a turned frame.
  func turned(_ turn: FrameRotator.Turn) -> Self
}

extension FrameMetadata {
  // To add a kind, add a file, and a line here. The code that reads, writes, compares and reports
  // metadata loops over the list.
  /// All kinds, in the order in which messages name them.
  package static let kinds: [any DynamicHDRMetadataKind.Type] = [
    DolbyVisionRPU.self,
    HDR10Plus.self,
    HeadroomAdaptiveGain.self,
  ]

  /// Returns the kind whose user data begins with these bytes; `nil` if there is no such kind.
  package static func kind(ofUserData beginning: [UInt8]) -> (any DynamicHDRMetadataKind.Type)? {
    let unit = NALUnit(hevcPrefixSEI: SEIMessage(registeredUserData: beginning))
    return kinds.first { $0.payload(in: [unit]) != nil }
  }

  /// The value of a kind; `nil` if there is none.
  package subscript<Kind: DynamicHDRMetadataKind>(_: Kind.Type) -> Kind? {
    get { value(Kind.key) as? Kind ?? payloads[Kind.key].map(Kind.init(payload:)) }
    set { set(newValue?.payload, newValue, for: Kind.key) }
  }

  /// Opens the existential type, because only a generic function can name the kind.
  private func find<Kind: DynamicHDRMetadataKind>(_: Kind.Type) -> (any DynamicHDRMetadataKind)? {
    self[Kind.self]
  }

  /// Returns whether there is a value of the kind.
  package func has(_ kind: any DynamicHDRMetadataKind.Type) -> Bool { payloads[kind.key] != nil }

  /// All values, in the order of ``kinds``.
  package var all: [any DynamicHDRMetadataKind] { Self.kinds.compactMap { find($0) } }

  /// Reads the values from NAL units of the frame's access unit. A later value replaces an earlier
  /// one.
  package mutating func take(_ units: ArraySlice<NALUnit>) {
    func take<Kind: DynamicHDRMetadataKind>(_ kind: Kind.Type) {
      if let payload = Kind.payload(in: units) { self[kind] = Kind(payload: payload) }
    }
    for kind in Self.kinds { take(kind) }
  }

  /// The metadata with all values parsed.
  package var read: FrameMetadata { map { $0 } }

  /// Returns the metadata with each value changed.
  package func map(
    _ change: (any DynamicHDRMetadataKind) throws -> any DynamicHDRMetadataKind
  ) rethrows -> FrameMetadata {
    var result = self
    for value in all { result.put(try change(value)) }
    return result
  }

  package mutating func put<Kind: DynamicHDRMetadataKind>(_ value: Kind) {
    self[Kind.self] = value
  }

  /// For kinds that are missing here although every frame must have them, takes the values of
  /// another frame.
  package mutating func fill(from other: FrameMetadata) {
    for value in other.all where type(of: value).isOfEveryFrame && !has(type(of: value)) {
      put(value)
    }
  }

  /// For kinds that are missing here, takes those values of an earlier frame that are still in
  /// force.
  package mutating func hold(_ earlier: FrameMetadata) {
    for value in earlier.all where type(of: value).lastsUntilNext && !has(type(of: value)) {
      put(value)
    }
  }

  /// Replaces the values with those attached to a frame's pixels, and removes values that the
  /// pixels lack. But a value of a kind that can be computed stays as it is.
  package mutating func replace(with attached: FrameMetadata) {
    // If the kind can be recomputed, the source's value is still needed, because parts of it may
    // still be true.
    for kind in Self.kinds where !(kind.isComputed && has(kind)) { replace(kind, with: attached) }
  }

  private mutating func replace<Kind: DynamicHDRMetadataKind>(
    _ kind: Kind.Type, with attached: FrameMetadata
  ) {
    if payloads[Kind.key] != attached.payloads[Kind.key] { self[kind] = attached[kind] }
  }

  /// The brightest light of the frame or its shot in cd/m², from the last kind that states it;
  /// `nil` if no kind does.
  package var peakLuminance: Double? { all.compactMap(\.peakLuminance).last }

  /// Whether any kind says that the frame begins a shot.
  package var beginsShot: Bool { all.contains(where: \.beginsShot) }
}

/// Defaults that suit most kinds.
extension DynamicHDRMetadataKind {
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool { transfer.isHDR }
  package static func isTrue(after change: FrameChange) -> Bool { change == .none }

  package static func isCarried(by codec: NALCodec) -> Bool { true }
  package static var isOfEveryFrame: Bool { false }
  package static var lastsUntilNext: Bool { false }
  package static var isComputed: Bool { false }
  package static var belongsToLayers: Bool { false }
  package static var statement: String { name }
  package static var item: String { name }
  package static var sampleKey: String { key }
  package static var sampleName: String { name }
  package static var frameCount: (key: String, text: String) { (key, "frames with \(name)") }
  package static var partCount: (key: String, text: String)? { nil }
  package static var boxes: [FourCC] { [] }
  package static func brand(forSamplesOf codecName: String) -> FourCC? { nil }
  package static var lossCodes: [Notice.Code] { [] }

  /// Removes the SEI messages that contain the metadata.
  package static func removed(from unit: NALUnit) -> NALUnit? {
    SEIMessage.editing(unit) { message in
      payload(in: [NALUnit(messages: [message], unit.codec)]) == nil ? message : nil
    }
  }
  package static func isPresent(in metadata: HDRMetadata) -> Bool {
    metadata.frames.has(Self.self)
  }
  package static func name(in metadata: HDRMetadata) -> String { name }
  package static func dynamicRange(in metadata: HDRMetadata, codecProfile: UInt8?) -> String? {
    isPresent(in: metadata) ? name : nil
  }

  package var isReadable: Bool { true }
  package var isOfLaterVersion: Bool { false }
  package var profileText: String? { nil }
  package var standsAlone: Bool { true }
  package var fault: String? { nil }
  package func isUsable(beside first: Self) -> Bool { isReadable }
  package var parts: Set<UInt8> { [] }
  package var peakLuminance: Double? { nil }
  package var repeatsLightLevels: Bool { false }
  package var beginsShot: Bool { false }
  package var beginningShot: Self { self }
  package func turned(_ turn: FrameRotator.Turn) -> Self { self }

  /// Returns the value that represents many access units: the first readable one that stands alone,
  /// otherwise the first readable one, otherwise the first. In the first two cases, values without
  /// a fault come before others.
  static func representative(of units: [NALUnit]) -> Self? {
    // One damaged access unit must not decide for the whole track.
    let values = units.lazy.compactMap { payload(in: [$0]) }.map(Self.init(payload:))
    return values.first { $0.isReadable && $0.standsAlone && $0.fault == nil }
      ?? values.first { $0.isReadable && $0.standsAlone }
      ?? values.first { $0.isReadable && $0.fault == nil } ?? values.first(where: \.isReadable)
      ?? values.first
  }
}

/// A change to frames that matters for their metadata.
package enum FrameChange: Sendable {
  /// No change: the encoder gets the decoded samples.
  case none
  /// Only black bars around the image were cut off.
  case bars
  /// The frames have another size and the same colors.
  case size
  /// The frames were cropped, or got bars.
  case frame
  /// The frames have other colors.
  case colors
}

extension SEIMessage {
  /// The name of user data that might be HDR metadata, but of a kind that is not read; `nil` for
  /// other messages.
  var otherUserData: String? {
    guard let data = registeredUserData, data.isHDRMetadata else { return nil }
    let unit = NALUnit(hevcPrefixSEI: self)
    return FrameMetadata.kinds.contains { $0.payload(in: [unit]) != nil } ? nil : "\(data)"
  }
}
