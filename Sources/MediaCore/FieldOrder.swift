/// The order in time of a frame's two fields, or that they are of the same time.
public enum FieldOrder: String, Sendable {
  /// One moment.
  case progressive
  /// Two moments, the even rows (counted from 0) first.
  case topFirst
  /// Two moments, the odd rows first.
  case bottomFirst
}
