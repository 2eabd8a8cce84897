// SPDX-License-Identifier: GPL-2.0-or-later
internal import NALUnits

/// The parameter sets that a source stores outside its samples, if it has several versions of them:
/// a movie can have several sample entries, and FLV several records.
///
/// A copy has only one sample entry, so its samples get the parameter sets.
struct ParameterSetVersions: Sendable {
  /// Each version once. The first version is in the copy's sample entry.
  private var versions: [[NALUnit]]
  /// The version that applies to the next sample; `nil` if a sample since the last change had
  /// parameter sets of its own, because these may differ from the stored ones.
  private var current: Int? = 0
  /// For each sample that needs parameter sets, by its number: the version that it needs.
  private var places: [Int: Int] = [:]

  /// - Parameter stored: the units of the first sample's configuration.
  init(stored: [NALUnit]) {
    versions = [stored.filter(\.isBaseParameterSet)]
  }

  /// Whether the source has several versions.
  var change: Bool { versions.count > 1 }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - sample: the sample's units.
  ///   - number: the number of the sample, from 0.
  ///   - stored: the units of the configuration that applies from this sample on; `nil` if it has
  ///     not changed.
  ///   - isStart: whether decoding can begin at the sample.
  /// - Returns: the sample's units with the parameter sets that it needs.
  mutating func add(
    sample: [NALUnit], number: Int, stored: [NALUnit]?, isStart: Bool
  ) -> [NALUnit] {
    if let stored {
      let sets = stored.filter(\.isBaseParameterSet)
      let known = versions.firstIndex(of: sets)
      if known == nil { versions.append(sets) }
      current = known ?? versions.count - 1
    }
    defer { if sample.contains(where: \.isBaseParameterSet) { current = nil } }
    // Players may seek to any sync sample from a part with other parameter sets. So sync samples
    // need parameter sets, too.
    guard let current, isStart || stored != nil else { return sample }
    places[number] = current
    return completed(sample, number: number)
  }

  /// Returns a sample's units with the parameter sets that it needs.
  func completed(_ sample: [NALUnit], number: Int) -> [NALUnit] {
    guard change, let version = places[number] else { return sample }
    return NALUnit.inserting(
      parameterSets: versions[version].filter { !sample.contains($0) }, into: sample)
  }
}
