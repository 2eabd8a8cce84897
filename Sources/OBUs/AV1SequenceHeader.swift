// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// The sequence header of AV1 (AV1 Bitstream & Decoding Process Specification, 5.5).
package struct AV1SequenceHeader: Hashable, Sendable {
  /// `seq_profile`: 0 is Main, 1 is High, 2 is Professional (annex A).
  package private(set) var profile = 0
  /// The number of operating points. A bitstream with more than one has layers, and each operating
  /// point selects some of the layers (6.4.1).
  package private(set) var operatingPointCount = 1
  /// `seq_level_idx` of the first operating point.
  package private(set) var levelIndex = 0
  /// `seq_tier` of the first operating point: 1 is the high tier.
  package private(set) var tier = 0
  /// The size of the largest frame.
  package private(set) var size = VideoDimensions(width: 0, height: 0)
  package private(set) var bitDepth = 8
  /// The subsampling as `chroma_format_idc` of H.265: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3
  /// for 4:4:4.
  package private(set) var chromaFormatIdc = 1
  /// The signal. AV1 always states its range.
  package private(set) var signal = SignalDescription()
  /// Whether frames may have film grain that decoders add.
  package private(set) var hasFilmGrain = false
  /// Whether this is the short header of a still picture (`reduced_still_picture_header`).
  package private(set) var isReduced = false

  /// The position of the signal in `color_config()`: from `color_description_present_flag` to
  /// `chroma_sample_position`.
  private var signalPosition = 0..<0
  private var isMonochrome: Bool { chromaFormatIdc == 0 }

  /// Reads the payload of a sequence header.
  package init(_ payload: some Sequence<UInt8>) throws(BitstreamError) {
    var reader = BitReader(Array(payload))
    profile = Int(try reader.u(3))
    try reader.skip(1)
    isReduced = try reader.flag()
    if isReduced {
      levelIndex = Int(try reader.u(5))
    } else {
      try readOperatingPoints(&reader)
    }
    try readTools(&reader)
    try readColor(&reader)
    hasFilmGrain = try reader.flag()
  }

  /// Finds the first sequence header that can be read. Returns `nil` if there is none.
  package init?(in units: [OBU]) {
    let found = units.lazy.filter { $0.kind == .sequenceHeader }
      .compactMap { try? AV1SequenceHeader($0.payload) }.first
    guard let found else { return nil }
    self = found
  }

  /// Returns whether another header says the same about frames. The headers may announce different
  /// tools.
  package func describesFrames(like other: AV1SequenceHeader) -> Bool {
    // The fields about tools have different lengths, so the position of the signal may differ.
    var own = self
    own.signalPosition = other.signalPosition
    return own == other
  }

  private mutating func readOperatingPoints(_ reader: inout BitReader) throws(BitstreamError) {
    var (delayLength, hasDecoderModel) = (0, false)
    // `timing_info()` and `decoder_model_info()`.
    if try reader.flag() {
      try reader.skip(64)
      if try reader.flag() { try Self.skipVariableLengthCode(&reader) }
      hasDecoderModel = try reader.flag()
      if hasDecoderModel {
        delayLength = Int(try reader.u(5)) + 1
        try reader.skip(32 + 5 + 5)
      }
    }
    let hasInitialDelay = try reader.flag()
    operatingPointCount = Int(try reader.u(5)) + 1
    for point in 0..<operatingPointCount {
      try reader.skip(12)
      let level = Int(try reader.u(5))
      let tier = level > 7 ? Int(try reader.u(1)) : 0
      if point == 0 { (levelIndex, self.tier) = (level, tier) }
      if hasDecoderModel, try reader.flag() { try reader.skip(2 * delayLength + 1) }
      if hasInitialDelay, try reader.flag() { try reader.skip(4) }
    }
  }

  /// Skips `uvlc()`, 4.10.3.
  private static func skipVariableLengthCode(_ reader: inout BitReader) throws(BitstreamError) {
    var zeros = 0
    while try !reader.flag() { zeros += 1 }
    if zeros < 32 { try reader.skip(zeros) }
  }

  private mutating func readTools(_ reader: inout BitReader) throws(BitstreamError) {
    let bitCounts = [Int(try reader.u(4)) + 1, Int(try reader.u(4)) + 1]
    size = VideoDimensions(
      width: Int(try reader.u(bitCounts[0])) + 1, height: Int(try reader.u(bitCounts[1])) + 1)
    // If frames have IDs, skip seven bits with the lengths of the IDs.
    if !isReduced, try reader.flag() { try reader.skip(7) }
    // `use_128x128_superblock`, `enable_filter_intra`, `enable_intra_edge_filter`.
    try reader.skip(3)
    if !isReduced {
      // Four tools of inter prediction.
      try reader.skip(4)
      let hasOrder = try reader.flag()
      if hasOrder { try reader.skip(2) }
      // `seq_force_screen_content_tools` and `seq_force_integer_mv`. Each may be chosen frame by
      // frame.
      let chooses = try reader.flag()
      let mayHaveTools = chooses ? true : try reader.flag()
      if mayHaveTools, try !reader.flag() { try reader.skip(1) }
      if hasOrder { try reader.skip(3) }
    }
    // `enable_superres`, `enable_cdef`, `enable_restoration`.
    try reader.skip(3)
  }

  /// Reads `color_config()`, 5.5.2.
  private mutating func readColor(_ reader: inout BitReader) throws(BitstreamError) {
    let isDeep = try reader.flag()
    let isTwelve = profile == 2 && isDeep ? try reader.flag() : false
    bitDepth = isTwelve ? 12 : isDeep ? 10 : 8
    let isMonochrome = profile == 1 ? false : try reader.flag()
    let start = reader.position
    if try reader.flag() {
      signal.color = ColorDescription(
        ColorPrimaries(rawValue: UInt16(try reader.u(8))),
        TransferCharacteristics(rawValue: UInt16(try reader.u(8))),
        MatrixCoefficients(rawValue: UInt16(try reader.u(8))))
    }
    if signal.color == .sRGB, !isMonochrome {
      (signal.videoFullRangeFlag, chromaFormatIdc) = (true, 3)
    } else {
      signal.videoFullRangeFlag = try reader.flag()
      chromaFormatIdc = isMonochrome ? 0 : try readSubsampling(&reader)
      if chromaFormatIdc == 1 { signal.chromaLocation = Self.location(Int(try reader.u(2))) }
    }
    signalPosition = start..<reader.position
    // `separate_uv_delta_q`
    if !isMonochrome { try reader.skip(1) }
  }

  private func readSubsampling(_ reader: inout BitReader) throws(BitstreamError) -> Int {
    switch (profile, bitDepth) {
    case (0, _): return 1
    case (1, _): return 3
    case (_, 12):
      guard try reader.flag() else { return 3 }
      return try reader.flag() ? 1 : 2
    default: return 2
    }
  }
}

extension AV1SequenceHeader {
  // The locations that `chroma_sample_position` can name (6.4.2). AV1 has no number for the other
  // locations of H.273.
  private static let locations: [(number: Int, location: ChromaLocation)] = [
    (1, .left), (2, .topLeft),
  ]

  private static func location(_ number: Int) -> ChromaLocation? {
    locations.first { $0.number == number }?.location
  }

  /// `chroma_sample_position`; 0 means that it is not known.
  var chromaSamplePosition: Int {
    Self.locations.first { $0.location == signal.chromaLocation }?.number ?? 0
  }

  /// Returns what a sequence header can say about a signal. AV1 has numbers for only two chroma
  /// locations, and always states the range.
  package static func expressible(_ signal: SignalDescription) -> SignalDescription {
    var signal = signal
    signal.color = signal.color.numbered
    signal.videoFullRangeFlag = signal.videoFullRangeFlag ?? false
    if !locations.contains(where: { $0.location == signal.chromaLocation }) {
      signal.chromaLocation = nil
    }
    return signal
  }

  /// Returns a sequence header with other color tags. All other bits stay the same.
  ///
  /// - Parameters:
  ///   - unit: the unit of the header.
  ///   - change: gets the current tags and changes them.
  package static func retagging(
    _ unit: OBU, _ change: (inout SignalDescription) -> Void
  ) throws(BitstreamError) -> OBU {
    let header = try AV1SequenceHeader(unit.payload)
    var signal = header.signal
    change(&signal)
    signal = expressible(signal)
    // If the signal does not change, the unit keeps its bytes, even if the same signal could also
    // be written in another way. The short form for sRGB has neither range nor subsampling, so tags
    // are never changed from or to sRGB.
    guard signal != header.signal, ![signal.color, header.signal.color].contains(.sRGB) else {
      return unit
    }
    var reader = BitReader(Array(unit.payload))
    var writer = BitWriter()
    try writer.copy(header.signalPosition.lowerBound, from: &reader)
    header.write(signal, to: &writer)
    try reader.skip(header.signalPosition.count)
    try writer.copy(reader.contentBitCount - reader.position, from: &reader)
    writer.trailingBits()
    return unit.replacing(payload: writer.bytes)
  }

  /// Writes `color_config()` from `color_description_present_flag` to `chroma_sample_position`.
  private func write(_ signal: SignalDescription, to writer: inout BitWriter) {
    let hasColor = !signal.color.isUnspecified
    writer.flag(hasColor)
    if hasColor {
      writer.u(UInt64(signal.color.colorPrimaries.byte), 8)
      writer.u(UInt64(signal.color.transferCharacteristics.byte), 8)
      writer.u(UInt64(signal.color.matrixCoefficients.byte), 8)
    }
    writer.flag(signal.videoFullRangeFlag ?? false)
    guard !isMonochrome else { return }
    if profile == 2, bitDepth == 12 {
      writer.flag(chromaFormatIdc != 3)
      if chromaFormatIdc != 3 { writer.flag(chromaFormatIdc == 1) }
    }
    guard chromaFormatIdc == 1 else { return }
    var header = self
    header.signal = signal
    writer.u(UInt64(header.chromaSamplePosition), 2)
  }
}

extension OBU {
  /// Returns the unit with the tags of `signal` if the unit is a sequence header that can be read.
  /// Otherwise, returns the unit unchanged.
  package func stating(_ signal: SignalDescription) -> OBU {
    guard kind == .sequenceHeader,
      let stated = try? AV1SequenceHeader.retagging(self, { $0 = signal })
    else { return self }
    return stated
  }
}

extension AV1SequenceHeader {
  /// The profile as text for people: `Main`, or its number if it is reserved.
  package var profileName: String {
    let names = ["Main", "High", "Professional"]
    return names.indices.contains(profile) ? names[profile] : "profile \(profile)"
  }

  /// The level as text for people: `4.0`. `nil` if the bitstream claims none (annex A.3).
  package var levelName: String? {
    levelIndex < 24 ? "\(2 + levelIndex / 4).\(levelIndex % 4)" : nil
  }
}
