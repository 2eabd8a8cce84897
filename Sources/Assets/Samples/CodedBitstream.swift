// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints
package import ColorTagging
package import ISOBMFF
package import LibAV
package import MediaCore
package import NALUnits

/// Reads, without decoding, what a codec's bitstream says about its frames, and writes tags and
/// metadata into the bitstream.
///
/// To add a codec, write a conforming type in a new file, and add a line to
/// ``CodecParameters/bitstreams``. The default implementations find nothing and leave samples
/// unchanged.
package protocol CodedBitstream: Sendable {
  /// FFmpeg's name for the codec.
  var codecName: String { get }
  /// The box of a sample entry that holds the bitstream's configuration; `nil` if the codec has no
  /// such box.
  var configurationBox: FourCC? { get }

  /// Returns what the parameter sets and the metadata at a track's beginning say; `nil` if there
  /// are no parameter sets that can be read.
  ///
  /// - Parameters:
  ///   - configuration: the content of ``configurationBox``, or parameter sets with start codes.
  ///   - laterUnits: units of the samples after the first.
  func summary(
    configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit]
  ) -> BitstreamSummary?

  /// Compares the configuration with the first sample.
  ///
  /// - Parameter isInBox: whether the configuration is the content of ``configurationBox`` in a
  ///   movie. A configuration from elsewhere may have another form, or libavformat may have made it
  ///   up.
  /// - Returns: `nil` if they are not compared, or if there is nothing to compare.
  func check(
    _ configuration: [UInt8], isInBox: Bool, firstSample: [UInt8]
  ) -> ConfigurationCheck?

  /// Returns what the bitstream claims about color, range and chroma location.
  ///
  /// - Parameter isStored: whether the configuration comes from the file. If not, libavformat made
  ///   it up.
  func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim]

  /// Returns the part of a signal that the bitstream can declare.
  func declared(_ signal: SignalDescription) -> SignalDescription

  /// Whether HDR metadata is read and written, both static and dynamic.
  var carriesHDRMetadata: Bool { get }

  /// Returns the place in the bitstream for static metadata of a kind; `nil` if there is none.
  func place(of kind: any StaticHDRMetadataKind.Type) -> StatementPlace?

  /// Whether the bitstream can name a transfer function that readers should prefer to the declared
  /// one.
  var hasPreferredTransfer: Bool { get }

  /// Returns whether a sample shows a frame; `nil` if only the decoder knows.
  ///
  /// - Parameter configuration: the content of ``configurationBox``.
  func showsFrame(_ sample: [UInt8], configuration: [UInt8]) -> Bool?

  /// Returns whether decoding can begin at a sample that does not consist of NAL units; `nil` if
  /// only the container can tell.
  ///
  /// - Parameter configuration: the content of ``configurationBox``.
  func beginsDecoding(_ sample: [UInt8], configuration: [UInt8]) -> Bool?

  /// Whether ``beginsDecoding(_:configuration:)`` may return something other than `nil`.
  var tellsDecodingStarts: Bool { get }

  /// Returns whether a sample contains a unit that is damaged or cut off. The result is always
  /// `false` for samples that consist of NAL units.
  func isCutOff(_ sample: [UInt8]) -> Bool

  // A muxer that parses a sample fails if a unit in it is damaged.
  /// Whether libavformat's muxers parse samples.
  var isParsedByMuxers: Bool { get }

  /// Returns a sample without damaged units at its end. The result is empty if what is left is not
  /// worth storing.
  func storable(_ sample: [UInt8]) -> [UInt8]

  /// Returns the metadata in a sample, in the form of H.265's NAL units. The result is empty if the
  /// sample itself consists of NAL units.
  func metadataUnits(in sample: [UInt8]) -> [NALUnit]

  /// Returns, as text, what is wrong with the form or the place of metadata in a sample; `nil` if
  /// nothing is wrong, or if nothing is checked.
  ///
  /// - Parameter configuration: the content of ``configurationBox``.
  func metadataFault(in sample: [UInt8], configuration: [UInt8]) -> String?

  /// The Dolby Vision profile of a track whose RPUs have profile 8; `nil` if samples have no place
  /// for RPUs.
  var dolbyVisionProfile: UInt8? { get }

  /// Returns whether samples have a place for dynamic metadata of a kind.
  func carries(_ kind: any DynamicHDRMetadataKind.Type) -> Bool

  /// Whether the sample entry has room for messages about all frames.
  var configurationHoldsMessages: Bool { get }

  /// Returns an encoder's parameter sets with messages about all frames, if there is room for them.
  func adding(_ messages: [SEIMessage], to parameterSets: [UInt8]) -> [UInt8]

  /// Returns an encoder's parameter sets, changed so that they declare the whole signal.
  ///
  /// - Parameter isInterlaced: whether the sets also have to say that frames have fields.
  func stating(
    _ signal: SignalDescription, isInterlaced: Bool, in parameterSets: [UInt8]
  ) throws -> [UInt8]

  /// Returns the level in parameter sets, such as `4.1`; `nil` if there is none.
  func level(in parameterSets: [UInt8]) -> String?

  /// Returns an encoder's sample with the metadata of its frame, and with the order of its fields
  /// if the sample does not state it.
  ///
  /// - Parameter messages: messages about all frames; empty unless decoding can start at the
  ///   sample. They are left out if the parameter sets have them.
  func splicing(
    _ metadata: [any DynamicHDRMetadataKind], _ messages: [SEIMessage], _ fieldOrder: FieldOrder,
    into sample: [UInt8]
  ) -> [UInt8]

  /// Returns the content of ``configurationBox`` for copied samples, without some of its metadata.
  ///
  /// - Parameter rest: receives a unit of metadata, and returns what stays of it.
  func configuration(_ configuration: [UInt8], rest: (NALUnit) -> NALUnit?) -> [UInt8]

  /// Returns a copied sample with other metadata. Coded frames stay as they are, byte for byte.
  ///
  /// - Parameters:
  ///   - configuration: the content of ``configurationBox``, or parameter sets with start codes.
  ///   - messages: messages about all frames; empty unless decoding can start at the sample. They
  ///     are left out if the sample entry has them.
  ///   - rest: receives a unit of metadata, and returns what stays of it.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the metadata is too long for the
  ///   samples.
  func replacing(
    in sample: [UInt8], configuration: [UInt8], with metadata: [any DynamicHDRMetadataKind],
    _ messages: [SEIMessage], rest: (NALUnit) -> NALUnit?
  ) throws -> [UInt8]
}

extension CodecParameters {
  /// The bitstreams of the codecs that are understood.
  package static let bitstreams: [any CodedBitstream] = [
    H26xBitstream(.hevc), H26xBitstream(.h264), AV1Bitstream(), ProResBitstream(),
  ]

  /// The codec's bitstream; `nil` if it is not understood.
  package var bitstream: (any CodedBitstream)? { Self.bitstream(named: codecName) }

  /// Returns a codec's bitstream; `nil` if it is not understood.
  package static func bitstream(named codecName: String) -> (any CodedBitstream)? {
    bitstreams.first { $0.codecName == codecName }
  }
}

extension SampleEntry {
  /// The bitstream whose configuration box is in the entry, and the content of that box; `nil` if
  /// the codec's configuration is not read here.
  package var configuration: (bitstream: any CodedBitstream, payload: [UInt8])? {
    CodecParameters.bitstreams.lazy.compactMap { bitstream in
      bitstream.configurationBox.flatMap { payload($0) }.map { (bitstream, $0) }
    }.first
  }

  /// The boxes with a codec's configuration. New boxes of a sample entry are inserted after them.
  package static let configurationBoxes = Set(
    CodecParameters.bitstreams.compactMap(\.configurationBox) + ["vpcC"])
}

extension CodedBitstream {
  package func check(
    _ configuration: [UInt8], isInBox: Bool, firstSample: [UInt8]
  ) -> ConfigurationCheck? { nil }

  package var configurationBox: FourCC? { nil }

  package func summary(
    configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit]
  ) -> BitstreamSummary? { nil }

  package func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim] { [] }

  package func declared(_ signal: SignalDescription) -> SignalDescription { signal }

  package var carriesHDRMetadata: Bool { false }

  package func place(of kind: any StaticHDRMetadataKind.Type) -> StatementPlace? { nil }

  package var hasPreferredTransfer: Bool { false }

  package func showsFrame(_ sample: [UInt8], configuration: [UInt8]) -> Bool? { nil }

  package func beginsDecoding(_ sample: [UInt8], configuration: [UInt8]) -> Bool? { nil }

  package var tellsDecodingStarts: Bool { false }

  package func isCutOff(_ sample: [UInt8]) -> Bool { false }

  package var isParsedByMuxers: Bool { false }

  package func storable(_ sample: [UInt8]) -> [UInt8] { sample }

  package func metadataUnits(in sample: [UInt8]) -> [NALUnit] { [] }

  package func metadataFault(in sample: [UInt8], configuration: [UInt8]) -> String? { nil }

  package var dolbyVisionProfile: UInt8? { nil }

  package func carries(_ kind: any DynamicHDRMetadataKind.Type) -> Bool { false }

  package var configurationHoldsMessages: Bool { false }

  package func adding(_ messages: [SEIMessage], to parameterSets: [UInt8]) -> [UInt8] {
    parameterSets
  }

  package func stating(
    _ signal: SignalDescription, isInterlaced: Bool, in parameterSets: [UInt8]
  ) throws -> [UInt8] { parameterSets }

  package func level(in parameterSets: [UInt8]) -> String? { nil }

  package func splicing(
    _ metadata: [any DynamicHDRMetadataKind], _ messages: [SEIMessage], _ fieldOrder: FieldOrder,
    into sample: [UInt8]
  ) -> [UInt8] { sample }

  package func configuration(
    _ configuration: [UInt8], rest: (NALUnit) -> NALUnit?
  ) -> [UInt8] { configuration }

  package func replacing(
    in sample: [UInt8], configuration: [UInt8], with metadata: [any DynamicHDRMetadataKind],
    _ messages: [SEIMessage], rest: (NALUnit) -> NALUnit?
  ) throws -> [UInt8] { sample }
}

/// A codec's configuration, compared with the samples.
package struct ConfigurationCheck: Hashable, Sendable {
  /// A text for each fault.
  package let faults: [String]
  /// The configuration to use instead; `nil` to keep the stated one. Even without a fault there may
  /// be a replacement, because the stated configuration may lack optional parts.
  package let replacement: [UInt8]?

  /// A notice about the faults, if there are any.
  package var notices: [Notice] { faults.isEmpty ? [] : [.configurationWrong(faults)] }

  /// The check itself if there are faults; otherwise `nil`. This is for copies and edits, which
  /// change as little as possible: they replace a configuration only if it is wrong.
  package var ifWrong: ConfigurationCheck? { faults.isEmpty ? nil : self }

  /// Puts the replacement into a sample entry.
  package func correct(_ entry: inout Box) {
    guard let replacement, let type = SampleEntry(entry).configuration?.bitstream.configurationBox
    else { return }
    entry.edit(type) { $0.fields = replacement }
  }
}
