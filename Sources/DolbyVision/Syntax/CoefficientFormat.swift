/// How the numbers of a mapping are coded: `coefficient_data_type` and `coefficient_log2_denom`.
package enum CoefficientFormat: Hashable, Sendable {
  /// A whole number in an Exp-Golomb code, and a fraction of so many bits.
  case fixed(log2Denominator: Int)
  /// A number of IEEE 754, single precision.
  case float
}
