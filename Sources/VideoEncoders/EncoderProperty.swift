// SPDX-License-Identifier: GPL-2.0-or-later
/// A property of the settings that overrides an encoder's own option, or that caused a refusal.
package enum EncoderProperty: Hashable, Sendable, CaseIterable {
  /// The color tags.
  case color
  /// Whether code values have limited or full range.
  case range
  /// The location of chroma samples.
  case chromaLocation
  /// The sample aspect ratio, as width to height.
  case sampleAspectRatio
  /// The constant rate factor; lower is better.
  case rateFactor
  /// Any setting of quality: a rate factor or lossless coding.
  case quality
  /// The average bit rate, in bits per second.
  case averageBitRate
  /// Whether coding is lossless.
  case lossless
  /// The balance between speed and compression.
  case speed
  /// The maximum number of frames from one sync sample to the next.
  case maxKeyFrameInterval
  /// Whether frames may be coded out of order.
  case allowFrameReordering
  /// The profile. Its setting also decides the depth and the level.
  case profile
  /// The level alone, without the profile.
  case level
  /// The frames' pixel format: depth and subsampling.
  case format
  /// The frames' width and height.
  case size
  /// The source's static HDR metadata.
  case staticMetadata
  /// How dynamic HDR metadata is treated.
  case dynamicMetadata
  /// The caller's options, which go to the encoder unchanged.
  case options
  /// What the container requires.
  case container
}
