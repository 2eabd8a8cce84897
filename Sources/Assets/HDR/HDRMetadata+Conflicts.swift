package import CodePoints
internal import DolbyVision

extension ConfigurationRecord: StatedMetadata {
  package var text: String { description }
  package var faults: [String] { [] }
}

extension HDRMetadata {
  /// Places that contradict each other, and who is believed.
  package var conflicts: [Notice] {
    StaticHDRMetadata.kindsByPayloadType.flatMap { conflicts(of: $0) }
      + (dolbyVision?.conflicts(on: "Dolby Vision configuration") ?? [])
  }

  private func conflicts<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> [Notice] {
    self[kind]?.conflicts(on: Kind.name) ?? []
  }
}

extension HDRMetadata.Finding {
  /// Of what places state, the first that makes sense is believed; where nothing does, the first.
  ///
  /// - Parameters:
  ///   - candidates: values with their places, in the order in which they are believed.
  ///   - decoder: what the decoder found, which it has from the bitstream: it counts where that could
  ///     not be read here.
  init?(_ candidates: [(value: Value, place: String)], decoder: Value? = nil)
  where Value: StatedMetadata {
    var stated: [Other] = []
    let isRead = candidates.contains { $0.place.hasPrefix("SEI") }
    var all = candidates
    if let decoder { all.append((decoder, "decoder")) }
    for (value, place) in all {
      if let index = stated.firstIndex(where: { $0.value == value }) {
        if !stated[index].places.contains(place) { stated[index].places.append(place) }
      } else if place != "decoder" || !isRead {
        stated.append(Other(value: value, places: [place]))
      }
    }
    guard !stated.isEmpty else { return nil }
    let believed = stated.remove(at: stated.firstIndex { $0.value.faults.isEmpty } ?? 0)
    self.init(value: believed.value, places: believed.places, others: stated)
  }

  /// All values that any place states, the one that is believed first.
  package var values: [Value] { [value] + others.map(\.value) }

  /// What other places say, and that they are not believed.
  package func conflicts(on name: String) -> [Notice] where Value: StatedMetadata {
    others.map { other in
      let isTold = other.value.text != value.text
      func text(_ value: Value, _ places: [String]) -> String {
        "\(isTold ? value.text : value.hexadecimal) (\(places.joined(separator: ", ")))"
      }
      return .hdrMetadataConflict(
        name, text(value, places), not: text(other.value, other.places),
        because: other.value.faults.first)
    }
  }
}

extension StatedMetadata {
  /// The bytes, where the text does not tell two values apart.
  fileprivate var hexadecimal: String {
    payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
