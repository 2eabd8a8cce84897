// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// Tells which access units, in decoding order, give a frame that is shown. In H.264, the second
/// field of a frame counts as shown, too; see ``SecondFields``.
package struct OutputPictures {
  private let codec: NALCodec
  private let areSamples: Bool
  private var leavesOutLeadingPictures = true
  /// Whether the next picture is the first one of a sequence.
  private var beginsSequence = true

  /// Begins at the start of a stream.
  ///
  /// - Parameter areSamples: whether the access units are samples of a movie or Matroska file.
  ///   There, each sample is a frame. A piece of a byte stream is a frame only if it has slices.
  package init(_ codec: NALCodec, areSamples: Bool) {
    (self.codec, self.areSamples) = (codec, areSamples)
  }

  /// Returns whether the next access unit gives a frame that is shown.
  ///
  /// - Parameters:
  ///   - late: units at the beginning of the packet that belong to the previous frame.
  ///   - isFirst: whether no frame came before this access unit.
  package mutating func isShown(
    late: ArraySlice<NALUnit>, own: ArraySlice<NALUnit>, isFirst: Bool
  ) -> Bool {
    codec == .hevc
      ? isShownHEVC(late, own, isFirst) : areSamples || own.contains(where: \.type.isSlice)
  }

  /// Decides whether a decoder outputs the picture (H.265, 8.1.3).
  private mutating func isShownHEVC(
    _ late: ArraySlice<NALUnit>, _ own: ArraySlice<NALUnit>, _ isFirst: Bool
  ) -> Bool {
    let before = own.prefix { !$0.type.isVCL }
    if (late + before).contains(where: \.endsSequence) { beginsSequence = true }
    guard case .hevc(let type)? = own.lazy.map(\.type).first(where: \.isVCL) else {
      return areSamples
    }
    defer { beginsSequence = own.dropFirst(before.count).contains(where: \.endsSequence) }
    // Some RASL pictures refer to pictures that are missing, so decoders drop them: those of a BLA
    // picture, and those of a CRA picture with which decoding or a sequence begins.
    if type.isSkippedLeading { return !leavesOutLeadingPictures }
    if type.isBrokenLink { leavesOutLeadingPictures = true }
    if type.isIDR { leavesOutLeadingPictures = false }
    // Later CRA pictures of the same sequence keep their RASL pictures, because all pictures that
    // the RASL pictures refer to have been decoded.
    if type == .cleanRandomAccess {
      leavesOutLeadingPictures = beginsSequence || leavesOutLeadingPictures && isFirst
    }
    return true
  }
}
