// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import LibAV
package import MediaCore
package import NALUnits

/// A kind of dynamic HDR metadata: a value that a frame has for itself, in its access unit.
///
/// A value that cannot be read is a value too: its bytes are there, and go where the frame goes.
package protocol DynamicHDRMetadataKind: Sendable {
  /// The kind as JSON and the arguments of notices have it: `hdr10Plus`.
  static var key: String { get }
  /// The kind for people: "HDR10+".
  static var name: String { get }

  /// The bytes in the units of one access unit; nil where there are none.
  static func payload(in units: ArraySlice<NALUnit>) -> [UInt8]?
  /// A value from those bytes.
  init(payload: [UInt8])
  /// The bytes: those that it was read from, or those that were made of it.
  var payload: [UInt8] { get }
  /// The unit that holds the bytes. Its type tells its place in the access unit.
  var nalUnit: NALUnit { get }

  /// True if the metadata go with frames of a transfer function.
  ///
  /// - Parameter metadata: the statements of the track.
  static func goes(with transfer: TransferCharacteristics, in metadata: HDRMetadata) -> Bool
  /// True if the source's metadata are still true of frames that were changed.
  static func isTrue(after change: PictureChange) -> Bool

  // What follows is for kinds that are more than bytes.

  /// True if each frame has to have one, so that the one before it stands in for one that is
  /// missing.
  static var isOfEveryFrame: Bool { get }
  /// True if metadata can be computed from frames, where the source's are not true any more.
  static var isComputed: Bool { get }
  /// The name of a statement of the kind beside the frames, without an article.
  static var statement: String { get }
  /// One of them for people: "Dolby Vision RPU".
  static var item: String { get }
  /// Notices about an output's samples that lack what was promised, or have what was not.
  static var faults: (missing: Notice, notPromised: Notice) { get }
  /// The key of what samples have, where ``key`` is for what is stated beside them too.
  static var sampleKey: String { get }
  /// The content of samples, for people.
  static var sampleName: String { get }
  /// The key of the number of frames that have one, and those frames for people.
  static var frameCount: (key: String, text: String) { get }
  /// The same of the frames whose value has some part; nil for a kind without parts.
  static var partCount: (key: String, text: String)? { get }
  /// The codes of notices that name the loss, beside those of all kinds.
  static var lossCodes: [Notice.Code] { get }

  /// True if a track has metadata of the kind, in its frames or beside them.
  static func isPresent(in metadata: HDRMetadata) -> Bool
  /// The kind for people with what is stated besides, such as a profile.
  static func name(in metadata: HDRMetadata) -> String
  /// The kind as a part of a dynamic range: "Dolby Vision 8.4"; nil where it is not named.
  static func dynamicRange(in metadata: HDRMetadata) -> String?

  /// True if the bytes can be read.
  var isReadable: Bool { get }
  /// A value that cannot be so, for people; nil where there is none.
  var fault: String? { get }
  /// True if frames of a track can be given the value.
  ///
  /// - Parameter first: the value that stands for those of the track's beginning.
  func isUsable(beside first: Self) -> Bool
  /// The numbers of the parts that the value has, each once.
  var parts: Set<UInt8> { get }
  /// The brightest light that is stated of the frame or its shot, in cd/m²; nil for none.
  var peakLuminance: Double? { get }
  /// True if the frame begins a shot.
  var beginsShot: Bool { get }
  /// The value of a frame that begins a shot.
  var beginningShot: Self { get }
  /// The value of a frame that was turned.
  func turned(_ turn: PictureTurner.Turn) -> Self
}

extension FrameMetadata {
  /// All kinds, in the order in which they are named.
  package static let kinds: [any DynamicHDRMetadataKind.Type] = [
    DolbyVisionRPU.self,
    HDR10Plus.self,
  ]

  /// The value of a kind; nil for none.
  package subscript<Kind: DynamicHDRMetadataKind>(_: Kind.Type) -> Kind? {
    get { value(Kind.key) as? Kind ?? payloads[Kind.key].map(Kind.init(payload:)) }
    set { set(newValue?.payload, newValue, for: Kind.key) }
  }

  /// The value of one of the kinds.
  private func find<Kind: DynamicHDRMetadataKind>(_: Kind.Type) -> (any DynamicHDRMetadataKind)? {
    self[Kind.self]
  }

  /// True if there is a value of the kind.
  package func has(_ kind: any DynamicHDRMetadataKind.Type) -> Bool { payloads[kind.key] != nil }

  /// All values, in the order of ``kinds``.
  package var all: [any DynamicHDRMetadataKind] { Self.kinds.compactMap { find($0) } }

  /// Takes what units of the frame's access unit say, in place of what others of them said before.
  package mutating func take(_ units: ArraySlice<NALUnit>) {
    func take<Kind: DynamicHDRMetadataKind>(_ kind: Kind.Type) {
      if let payload = Kind.payload(in: units) { self[kind] = Kind(payload: payload) }
    }
    for kind in Self.kinds { take(kind) }
  }

  /// The metadata with all values read.
  package var read: FrameMetadata { map { $0 } }

  /// Metadata of which each value was changed.
  package func map(
    _ change: (any DynamicHDRMetadataKind) -> any DynamicHDRMetadataKind
  ) -> FrameMetadata {
    var result = self
    for value in all { result.put(change(value)) }
    return result
  }

  /// Sets the value of its kind.
  package mutating func put<Kind: DynamicHDRMetadataKind>(_ value: Kind) {
    self[Kind.self] = value
  }

  /// Takes values of another frame where there are none, of kinds that each frame has.
  package mutating func fill(from other: FrameMetadata) {
    for value in other.all where type(of: value).isOfEveryFrame && !has(type(of: value)) {
      put(value)
    }
  }

  /// Takes the metadata that are attached to the pixels of a frame. Of a kind that is computed, the
  /// source's stay, of which parts may still be true.
  package mutating func replace(with attached: FrameMetadata) {
    for kind in Self.kinds where !(kind.isComputed && has(kind)) { replace(kind, with: attached) }
  }

  private mutating func replace<Kind: DynamicHDRMetadataKind>(
    _ kind: Kind.Type, with attached: FrameMetadata
  ) {
    if payloads[Kind.key] != attached.payloads[Kind.key] { self[kind] = attached[kind] }
  }

  /// The brightest light that is stated of the frame or its shot, in cd/m²: by the last kind that
  /// states some; nil for none.
  package var peakLuminance: Double? { all.compactMap(\.peakLuminance).last }

  /// True if the frame begins a shot, as any kind says.
  package var beginsShot: Bool { all.contains(where: \.beginsShot) }
}

/// Answers that most kinds have in common.
extension DynamicHDRMetadataKind {
  package static func goes(
    with transfer: TransferCharacteristics, in metadata: HDRMetadata
  ) -> Bool { transfer.isHDR }
  package static func isTrue(after change: PictureChange) -> Bool { change == .none }

  package static var isOfEveryFrame: Bool { false }
  package static var isComputed: Bool { false }
  package static var statement: String { name }
  package static var item: String { name }
  package static var faults: (missing: Notice, notPromised: Notice) {
    let kind = HDRMetadata.Kind(Self.self)
    return (.metadataMissing(kind, in: [.samples]), .metadataNotPromised(kind))
  }
  package static var sampleKey: String { key }
  package static var sampleName: String { name }
  package static var frameCount: (key: String, text: String) { (key, "frames with \(name)") }
  package static var partCount: (key: String, text: String)? { nil }
  package static var lossCodes: [Notice.Code] { [] }

  package static func isPresent(in metadata: HDRMetadata) -> Bool {
    metadata.frames.has(Self.self)
  }
  package static func name(in metadata: HDRMetadata) -> String { name }
  package static func dynamicRange(in metadata: HDRMetadata) -> String? {
    isPresent(in: metadata) ? name : nil
  }

  package var isReadable: Bool { true }
  package var fault: String? { nil }
  package func isUsable(beside first: Self) -> Bool { isReadable }
  package var parts: Set<UInt8> { [] }
  package var peakLuminance: Double? { nil }
  package var beginsShot: Bool { false }
  package var beginningShot: Self { self }
  package func turned(_ turn: PictureTurner.Turn) -> Self { self }

  /// The value that stands for those of many access units: the first without a fault, else the
  /// first that can be read.
  static func representative(of units: [NALUnit]) -> Self? {
    let values = units.lazy.compactMap { payload(in: [$0]) }.map(Self.init(payload:))
    return values.first { $0.isReadable && $0.fault == nil } ?? values.first(where: \.isReadable)
      ?? values.first
  }
}

/// Change of frames that matters to their metadata.
package enum PictureChange: Sendable {
  /// Nothing: the encoder gets the decoded samples.
  case none
  /// Black bars around them were cut off, and nothing else.
  case bars
  /// They have another size, and their colors.
  case size
  /// A part of them is left, or they have bars.
  case frame
  /// They have other colors.
  case colors
}
