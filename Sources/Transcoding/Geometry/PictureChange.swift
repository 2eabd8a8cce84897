/// What is done to the frames.
enum PictureChange: Sendable {
  /// Nothing: the encoder gets the decoded samples.
  case none
  /// They have another size, and their colors.
  case size
  /// A part of them is left, or they have bars.
  case frame
  /// They have other colors.
  case colors
}
