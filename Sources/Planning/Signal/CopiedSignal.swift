// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import CodePoints
internal import ColorTagging
package import ISOBMFF
package import LibAV
package import MediaCore
internal import NALUnits

/// The signal of frames that are copied out of a file that is no movie, and the places of a movie
/// that state it: boxes say what they can, parameter sets the rest.
package struct CopiedSignal: Sendable {
  /// The meaning of the frames, after all places of the source were weighed.
  let signal: SignalDescription
  /// Statements that parameter sets get, because no box has a place for them; all else of these
  /// stays.
  let inParameterSets: SignalDescription
  /// True if the frames take the full range and no place of the output says so.
  let losesRange: Bool
  /// A chroma location that means something else than none does, and that no place of the output
  /// states; nil for none.
  let lostChromaLocation: ChromaLocation?

  /// - Returns: nil for frames whose boxes are copied, because the source is a movie too.
  package init?(_ track: AssetTrack, container: FileType) {
    guard track.box == nil, let video = track.video else { return nil }
    signal = video.tags.signal
    var missing = SignalDescription()
    // MP4's box has the range, but decoders of samples that say nothing take it for limited.
    if !container.tellsDecodersRange, video.states(.range, otherwiseThan: .bitstream) {
      missing.videoFullRangeFlag = signal.videoFullRangeFlag
    }
    if !container.statesChromaLocation,
      video.states(.chromaLocation, otherwiseThan: .bitstream)
    {
      missing.chromaLocation = signal.chromaLocation
    }
    let canRestate = video.bitstream != nil
    inParameterSets = canRestate ? missing : SignalDescription()
    let isInFrames =
      track.demuxed.codec.framesTellRange && !video.states(.range, otherwiseThan: .decoder)
    losesRange =
      !container.statesRange && !canRestate && !video.isRGB
      && signal.videoFullRangeFlag == true
      && !isInFrames
    lostChromaLocation =
      container.statesChromaLocation || canRestate
        || !video.states(.chromaLocation, otherwiseThan: .decoder)
      ? nil : video.meaningfulChromaLocation
  }

  /// Notices about what no place of the output states.
  func losses(in container: FileType) -> [Notice] {
    (losesRange ? [.rangeNotCarried] : [])
      + (lostChromaLocation.map { [.chromaLocationNotCarried($0, in: container)] } ?? [])
  }

  /// True if parameter sets stay as they are.
  var keepsParameterSets: Bool { inParameterSets == SignalDescription() }

  /// The box `colr` of a movie; nil where nothing is stated that it has a place for.
  package func colorBox(in container: FileType) -> Box? {
    let isFull = signal.videoFullRangeFlag == true
    var information = ColorInformation(signal, container: container)
    // Without a color, too, the box says that the range is full.
    if information == nil, isFull, container.movie == .isoBaseMedia {
      information = .nclx(.unspecified, videoFullRangeFlag: true)
    }
    return information.map { Box("colr", fields: $0.payload) }
  }

  /// A unit that states what no box can.
  func restated(_ unit: NALUnit) -> NALUnit {
    guard !keepsParameterSets, TagCarrier(unit) == .sequenceParameterSet else { return unit }
    let new = try? SequenceParameterSet.retagging(unit) { signal in
      signal.videoFullRangeFlag = inParameterSets.videoFullRangeFlag ?? signal.videoFullRangeFlag
      signal.chromaLocation = inParameterSets.chromaLocation ?? signal.chromaLocation
    }
    return new ?? unit
  }

  /// A configuration, in whichever form it is, whose parameter sets state what no box can.
  package func restated(configuration bytes: [UInt8], _ codec: NALCodec) -> [UInt8] {
    guard !keepsParameterSets,
      let configuration = try? DecoderConfiguration(bytes, codec)
    else { return bytes }
    guard configuration.lengthSize != nil else {
      return configuration.units.flatMap { restated($0).annexB }
    }
    var record = try? codec.record.init(bytes)
    record?.replaceUnits { restated($0) }
    return record?.bytes ?? bytes
  }

  /// A track that a muxer copies, with the signal where the muxer looks for it.
  package func stated(of track: DemuxedTrack) throws -> DemuxedTrack {
    let codec = track.codec
    return try track.stating(
      signal,
      configuration: codec.nalCodec.map { restated(configuration: codec.extradata, $0) })
  }
}

extension VideoFacts {
  /// True if a part of the signal is known, but not by a place.
  fileprivate func states(_ field: SignalField, otherwiseThan source: ClaimSource) -> Bool {
    guard let value = field.statement(in: tags.signal) else { return false }
    return !claims.contains { $0.source == source && field.statement(in: $0.signal) == value }
  }
}
