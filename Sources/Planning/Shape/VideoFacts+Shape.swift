// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorTagging
package import MediaCore

extension VideoFacts {
  /// Returns the facts about frames of another shape.
  ///
  /// - Parameters:
  ///   - size: the size in luma samples, or `nil` to keep it.
  ///   - format: depth and subsampling, or `nil` to keep them.
  ///   - fieldOrder: the field order, or `nil` to keep it.
  ///   - chromaLocation: the chroma location, or `nil` to keep it.
  package func changed(
    size: VideoDimensions? = nil, format: PixelFormat? = nil, fieldOrder: FieldOrder? = nil,
    chromaLocation: ChromaLocation? = nil
  ) -> VideoFacts {
    // All claims get the new location. Otherwise, they would contradict each other when tags are
    // resolved again.
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
