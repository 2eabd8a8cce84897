// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import NALUnits

extension ConformanceRule {
  private static let standards = AmbientViewingEnvironment.standards

  /// The ambient viewing environment.
  static let ambientLight = [
    ConformanceRule("amve", "amve", "TN3145; \(standards.ofPlaces)") { $0.ambientBoxOutcome },
    ConformanceRule(
      "ambientSEI", "SEI \(AmbientViewingEnvironment.payloadType)", standards.ofPlaces
    ) { $0.ambientSEIOutcome },
  ]
}

extension ValidatedTrack {
  fileprivate var ambientBoxOutcome: RuleOutcome {
    guard let entry else { return .notApplicable(noMovie) }
    let faults = boxFaults(AmbientViewingEnvironment.self)
    guard let value = entry.staticHDRMetadata.ambientViewingEnvironment else {
      if !faults.isEmpty { return .fail(faults.joined(separator: "; ")) }
      switch format {
      case .dolbyVision84: return .fail("none")
      case .hlg: return .warning("none; Apple's players show the video too bright")
      default: return .notApplicable("none, and none is needed")
      }
    }
    return .faults(faults + value.faults.map(\.text), otherwise: value.text)
  }

  fileprivate var ambientSEIOutcome: RuleOutcome {
    let stated = stated(AmbientViewingEnvironment.self)
    let box = entry?.staticHDRMetadata.ambientViewingEnvironment
    guard !stated.isEmpty else {
      let unreadable = unreadable(AmbientViewingEnvironment.self, in: \.isMessage)
      return unreadable.isEmpty
        ? .notApplicable("none, and none is needed")
        : .fail(unreadable.joined(separator: "; "))
    }
    var faults = stated.flatMap(\.faults).map(\.text)
    if let box, stated != [box] {
      faults.append("\(stated.map(\.text).joined(separator: " / ")), but the box has \(box.text)")
    } else if stated.count > 1 {
      faults.append("different ones: \(stated.map(\.text).joined(separator: " / "))")
    }
    return .faults(faults, otherwise: box == nil ? stated[0].text : "as the box")
  }
}
