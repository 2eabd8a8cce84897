// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Tells which access units give a frame that is shown, in the order of decoding.
package struct ShownPictures {
  private let codec: NALCodec
  private let areSamples: Bool
  private var fields: LoneFields?
  private var leavesOutLeadingPictures = true

  /// Content of an access unit.
  package enum Content {
    case shownPicture
    /// The second field of the picture that the unit before began.
    case secondField
    case nothingShown
  }

  /// Begins at the beginning of a stream.
  ///
  /// - Parameters:
  ///   - parameterSets: the parameter sets that stand beside the stream.
  ///   - areSamples: true for samples of a movie or Matroska file, which are frames by definition;
  ///     a piece of a byte stream is one where it holds slices.
  package init(_ codec: NALCodec, parameterSets: [NALUnit], areSamples: Bool) {
    (self.codec, self.areSamples) = (codec, areSamples)
    fields = codec == .h264 ? LoneFields(parameterSets: parameterSets) : nil
  }

  /// Looks at the next access unit.
  ///
  /// - Parameters:
  ///   - late: units before it that belong to the frame before.
  ///   - isFirst: true if no frame came before it.
  package mutating func content(
    late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>, isFirst: Bool
  ) -> Content {
    if fields?.isSecond(own) ?? false { return .secondField }
    let isShown =
      codec == .hevc
      ? isShownHEVC(late, own, isFirst) : areSamples || own.contains(where: \.type.isSlice)
    return isShown ? .shownPicture : .nothingShown
  }

  /// Pictures that lead an IRAP picture where decoding begins refer to pictures that are not there
  /// (H.265, 8.1.3).
  private mutating func isShownHEVC(
    _ late: ArraySlice<NALUnit>, _ own: ArraySlice<NALUnit>, _ isFirst: Bool
  ) -> Bool {
    if late.contains(where: \.endsSequence) { leavesOutLeadingPictures = true }
    guard case .hevc(let type)? = own.lazy.map(\.type).first(where: \.isVCL) else {
      return areSamples
    }
    if type.isSkippedLeading { return !leavesOutLeadingPictures }
    if type.isBrokenLink { leavesOutLeadingPictures = true }
    if type.isIDR { leavesOutLeadingPictures = false }
    if type == .cleanRandomAccess {
      leavesOutLeadingPictures = leavesOutLeadingPictures && isFirst
    }
    if own.contains(where: \.endsSequence) { leavesOutLeadingPictures = true }
    return true
  }
}
