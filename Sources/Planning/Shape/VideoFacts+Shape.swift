// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
package import MediaCore

extension VideoFacts {
  /// The facts about frames of another shape.
  ///
  /// - Parameters:
  ///   - size: samples in a row and rows; nil for as many as before.
  ///   - format: depth and subsampling; nil for those before.
  ///   - fieldOrder: the order of fields, or that there are none; nil for that before.
  ///   - chromaLocation: the chroma location; nil for the one that was stated.
  package func changed(
    size: VideoDimensions? = nil, format: PixelFormat? = nil, fieldOrder: FieldOrder? = nil,
    chromaLocation: ChromaLocation? = nil
  ) -> VideoFacts {
    var (claims, tags) = (claims, tags)
    if let chromaLocation {
      claims = claims.map { claim in
        var signal = claim.signal
        signal.chromaLocation = chromaLocation
        return SignalClaim(source: claim.source, signal: signal, notes: claim.notes)
      }
      tags = ResolvedTags(claims, isRGB: isRGB)
    }
    return VideoFacts(
      claims: claims, tags: tags, bitstream: bitstream, size: size ?? self.size,
      format: format ?? self.format, isRGB: isRGB, hasAlpha: hasAlpha,
      hasCaptions: hasCaptions, fieldOrder: fieldOrder ?? self.fieldOrder, hdrMetadata: hdrMetadata)
  }
}
