// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging
package import ISOBMFF
package import LibAV
package import MediaCore
internal import NALUnits

/// The signal of frames that are copied from a file other than a movie, and the places where the
/// output declares it.
package struct CopiedSignal: Sendable {
  /// What the frames mean, decided from all places of the source.
  let signal: SignalDescription
  /// The parts that go into parameter sets, because no box has a place for them, or because many
  /// decoders look for them only in the samples.
  let inParameterSets: SignalDescription
  /// Whether frames have full range and no place of the output says so.
  let losesRange: Bool
  /// Whether the chroma location matters and no place of the output states it.
  let losesChromaLocation: Bool

  /// - Returns: `nil` if nothing is known about the track's frames, or if the source is a movie,
  ///   because the output then gets the source's boxes.
  package init?(_ track: AssetTrack, container: FileType) {
    guard track.box == nil, let video = track.video else { return nil }
    signal = video.tags.signal
    var missing = SignalDescription()
    // MP4's `colr` has the range, but many decoders look only at the samples, and assume limited
    // range if the samples state none.
    if !container.tellsDecodersRange, video.states(.range, otherwiseThan: .bitstream) {
      missing.videoFullRangeFlag = signal.videoFullRangeFlag
    }
    let placesChroma = signal.chromaLocation.map(container.states) ?? true
    if !placesChroma,
      video.states(.chromaLocation, otherwiseThan: .bitstream)
    {
      missing.chromaLocation = signal.chromaLocation
    }
    let canRestate = video.bitstream?.codec != nil
    inParameterSets = canRestate ? missing : SignalDescription()
    // Frames of some codecs state the range themselves, so they need no box for it.
    let isInFrames =
      track.demuxed.codec.framesTellRange && !video.states(.range, otherwiseThan: .decoder)
    losesRange =
      !container.statesRange && !canRestate && !video.isRGB
      && signal.videoFullRangeFlag == true
      && !isInFrames
    losesChromaLocation =
      !placesChroma && !canRestate
      && video.states(.chromaLocation, otherwiseThan: .decoder)
      && video.meaningfulChromaLocation != nil
  }

  /// The facts that no place of the output states.
  var lost: Set<FactKey> {
    Set((losesRange ? [.range] : []) + (losesChromaLocation ? [.chromaLocation] : []))
  }

  var keepsParameterSets: Bool { inParameterSets == SignalDescription() }

  /// Returns the `colr` box of a movie, or `nil` if there is nothing to put into it.
  package func colorBox(in container: FileType) -> Box? {
    let isFull = signal.videoFullRangeFlag == true
    var information = ColorInformation(signal, container: container)
    // Full range matters even if the color is unknown.
    if information == nil, isFull, container.movie == .isoBaseMedia {
      information = .nclx(.unspecified, videoFullRangeFlag: true)
    }
    return information.map { Box("colr", fields: $0.payload) }
  }

  /// Returns a NAL unit, changed so that a parameter set also declares ``inParameterSets``.
  func restated(_ unit: NALUnit) -> NALUnit {
    guard !keepsParameterSets, TagCarrier(unit) == .sequenceParameterSet else { return unit }
    let new = try? SequenceParameterSet.retagging(unit) { signal in
      signal.videoFullRangeFlag = inParameterSets.videoFullRangeFlag ?? signal.videoFullRangeFlag
      signal.chromaLocation = inParameterSets.chromaLocation ?? signal.chromaLocation
    }
    // Keep a parameter set that cannot be rewritten. It is still valid, but lacks the declaration.
    return new ?? unit
  }

  /// Returns a decoder configuration whose parameter sets declare ``inParameterSets``. The
  /// configuration may be a record or a plain byte stream.
  package func restated(configuration bytes: [UInt8], _ codec: NALCodec) -> [UInt8] {
    guard !keepsParameterSets,
      let configuration = try? DecoderConfiguration(bytes, codec)
    else { return bytes }
    // Without a length size the configuration is a plain byte stream, as in transport streams.
    guard configuration.lengthSize != nil else {
      return configuration.units.flatMap { restated($0).annexB }
    }
    var record = try? codec.record.init(bytes)
    record?.replaceUnits { restated($0) }
    return record?.bytes ?? bytes
  }

  /// Returns the track for the muxer, with the signal where the muxer looks for it.
  package func stated(of track: DemuxedTrack) throws -> DemuxedTrack {
    let codec = track.codec
    return try track.stating(
      signal,
      configuration: codec.nalCodec.map { restated(configuration: codec.extradata, $0) })
  }
}

extension VideoFacts {
  /// Returns whether a field of the signal is known and the given place does not state the same
  /// value.
  fileprivate func states(_ field: SignalField, otherwiseThan source: ClaimSource) -> Bool {
    guard let value = field.statement(in: tags.signal) else { return false }
    return !claims.contains { $0.source == source && field.statement(in: $0.signal) == value }
  }
}

extension FileType {
  /// Whether the container can declare a chroma location.
  func states(_ location: ChromaLocation) -> Bool {
    // libavformat does not write the two types at the bottom, 4 and 5 of H.273.
    statesChromaLocation && location.rawValue < 4
  }
}
