// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
internal import DolbyVision

extension HDRMetadata {
  /// A value and the places that declare it.
  package struct Finding<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value that is believed: the first that makes sense, or the first of all if none does.
    package let value: Value
    /// The places that declare it, the most trusted first.
    package fileprivate(set) var places: [StatementPlace]
    /// Other values, and the places that declare them.
    package var others: [Finding] = []

    package init(value: Value, places: [StatementPlace], others: [Finding] = []) {
      self.value = value
      self.places = places
      self.others = others
    }

    /// All values that any place declares. The value that is believed comes first.
    package var values: [Value] { [value] + others.map(\.value) }
  }
}

extension HDRMetadata {
  package struct UnreadableStatement: Hashable, Sendable {
    /// The kind of metadata that belongs in this place.
    package let kind: Kind
    /// Where the metadata is.
    package let place: StatementPlace
    /// Why it cannot be read, as text for people.
    package let fault: String

    /// A notice that the metadata cannot be read.
    package var notice: Notice { .hdrMetadataUnreadable(kind, in: place, fault) }
  }
}

extension HDRMetadata.Finding where Value: StatedMetadata {
  /// Chooses the value to believe: the first that makes sense, or the first of all if none does.
  ///
  /// - Parameters:
  ///   - candidates: values with their places, the most trusted first. Values of the same place
  ///     follow each other.
  ///   - decoder: the decoder's value, which comes from the bitstream.
  init?(_ candidates: [(value: Value, place: StatementPlace)], decoder: Value? = nil) {
    // The decoder only repeats the bitstream. If the bitstream was read here, what it states is
    // known already. So a value that only the decoder reports does not count.
    let isRead = candidates.contains(where: \.place.isMessage)
    var stated: [Self] = []
    for (value, place) in candidates + (decoder.map { [($0, .decoder)] } ?? []) {
      if let index = stated.firstIndex(where: { $0.value.agrees(with: value) }) {
        if stated[index].places.last != place { stated[index].places.append(place) }
      } else if place != .decoder || !isRead {
        stated.append(Self(value: value, places: [place]))
      }
    }
    guard !stated.isEmpty else { return nil }
    let believed = stated.remove(at: stated.firstIndex { $0.value.faults.isEmpty } ?? 0)
    self.init(value: believed.value, places: believed.places, others: stated)
  }

  /// Returns notices about the values that are not believed.
  package func conflicts(on kind: HDRMetadata.Kind) -> [Notice] {
    others.map { other in
      // Two values may look the same once they are rounded for display. Then their bytes show the
      // conflict.
      let isTold = other.value.text != value.text
      func text(_ value: Value, _ places: [StatementPlace]) -> String {
        let places = places.map(\.description).joined(separator: ", ")
        return "\(isTold ? value.text : value.hexadecimal) (\(places))"
      }
      return .hdrMetadataConflict(
        kind, text(value, places), not: text(other.value, other.places),
        because: other.value.faults.first?.text)
    }
  }
}

extension StatedMetadata {
  fileprivate var hexadecimal: String {
    payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension ConfigurationRecord: StatedMetadata {
  package var text: String { description }
  package var faults: [Notice] { [] }
}
