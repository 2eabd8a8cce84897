// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorTagging
package import LibAV
package import MediaCore
package import NALUnits

/// The bitstream of a codec, as far as it is understood without being decoded: what it states about
/// its frames, and how statements get into it.
///
/// A codec that is to be understood is a type that conforms, in a file of its own, and a line in
/// ``CodecParameters/bitstreams``. What it does not implement leaves samples as they are.
package protocol CodedBitstream: Sendable {
  /// FFmpeg's name of the codec.
  var codecName: String { get }

  /// The content of the parameter sets at a track's beginning; nil for a codec without.
  ///
  /// - Parameters:
  ///   - configuration: the content of the box beside the samples, or the same with start codes.
  ///   - laterUnits: units of the samples behind the first.
  func summary(
    configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit]
  ) -> BitstreamSummary?

  /// The claims about color, range and chroma location.
  ///
  /// - Parameter isStored: true if the configuration is out of the file, and not made up.
  func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim]

  /// True if metadata of HDR are read and written: those of all frames, and those of each.
  var carriesHDRMetadata: Bool { get }

  /// An encoder's parameter sets, made to state the whole signal.
  ///
  /// - Parameter isInterlaced: true if they say, too, that frames have fields.
  func stating(
    _ signal: SignalDescription, isInterlaced: Bool, in parameterSets: [UInt8]
  ) throws -> [UInt8]

  /// The level that parameter sets state, as `4.1`; nil where there is none.
  func level(in parameterSets: [UInt8]) -> String?

  /// A sample of an encoder with the metadata of its frame, and with the order of its fields where
  /// it does not state it.
  func splicing(
    _ metadata: [any DynamicHDRMetadataKind], _ fieldOrder: FieldOrder, into sample: [UInt8]
  ) -> [UInt8]

  /// All values of a kind in a sample of a movie, as their bytes.
  func payloads(
    of kind: any DynamicHDRMetadataKind.Type, inSample sample: [UInt8]
  ) -> [[UInt8]]
}

extension CodecParameters {
  /// The bitstreams that are understood.
  package static let bitstreams: [any CodedBitstream] = [
    H26xBitstream(.hevc), H26xBitstream(.h264), ProResBitstream(),
  ]

  /// The bitstream of the codec; nil where it is not understood.
  package var bitstream: (any CodedBitstream)? { Self.bitstream(named: codecName) }

  /// The bitstream of a codec; nil where it is not understood.
  package static func bitstream(named codecName: String) -> (any CodedBitstream)? {
    bitstreams.first { $0.codecName == codecName }
  }
}

extension CodedBitstream {
  package func summary(
    configuration: [UInt8], firstSample: [UInt8], laterUnits: [NALUnit]
  ) -> BitstreamSummary? { nil }

  package func claims(
    of summary: BitstreamSummary?, isStored: Bool, firstSample: [UInt8]
  ) -> [SignalClaim] { [] }

  package var carriesHDRMetadata: Bool { false }

  package func stating(
    _ signal: SignalDescription, isInterlaced: Bool, in parameterSets: [UInt8]
  ) throws -> [UInt8] { parameterSets }

  package func level(in parameterSets: [UInt8]) -> String? { nil }

  package func splicing(
    _ metadata: [any DynamicHDRMetadataKind], _ fieldOrder: FieldOrder, into sample: [UInt8]
  ) -> [UInt8] { sample }

  package func payloads(
    of kind: any DynamicHDRMetadataKind.Type, inSample sample: [UInt8]
  ) -> [[UInt8]] { [] }
}
