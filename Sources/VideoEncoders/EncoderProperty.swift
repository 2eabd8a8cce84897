// SPDX-License-Identifier: GPL-2.0-or-later
/// Property of the settings that decides in place of an option of an encoder's own, or that a
/// refusal is due to.
package enum EncoderProperty: Hashable, Sendable, CaseIterable {
  /// The color tags, and their meaning for the encoder.
  case color
  /// The range of the code values.
  case range
  /// The place of chroma samples.
  case chromaLocation
  /// The shape of a sample.
  case sampleAspectRatio
  /// The constant rate factor.
  case rateFactor
  /// The rate factor, or that nothing is lost.
  case quality
  /// The average bit rate.
  case averageBitRate
  /// Lossless coding.
  case lossless
  /// The balance of speed and compression.
  case speed
  /// The most frames from one sync sample to the next.
  case maxKeyFrameInterval
  /// True if frames may be coded out of order.
  case allowFrameReordering
  /// The profile, its depth and its level, as one name states them.
  case profile
  /// The level alone.
  case level
  /// The pixel format of the frames.
  case format
  /// The width and the height of the frames.
  case size
  /// The source's static HDR metadata.
  case staticMetadata
  /// The treatment of dynamic HDR metadata.
  case dynamicMetadata
  /// The caller's options, handed over as they are.
  case options
  /// The needs of the container.
  case container
}
