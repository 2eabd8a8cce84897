/// Whether a picture's two fields were captured at different times, and which one first.
public enum FieldOrder: String, Sendable {
  /// One moment.
  case progressive
  /// Two moments, the even rows (counted from 0) first.
  case topFirst
  /// Two moments, the odd rows first.
  case bottomFirst
}
