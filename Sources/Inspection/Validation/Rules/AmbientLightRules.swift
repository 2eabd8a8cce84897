// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import NALUnits

extension ConformanceRule {
  private static let placeStandards = AmbientViewingEnvironment.standardsOfPlaces

  /// Rules about the ambient viewing environment.
  static let ambientLight = [
    ConformanceRule("amve", "amve", "TN3145; \(placeStandards)") { $0.ambientBoxOutcome },
    ConformanceRule(
      "ambientSEI", "SEI \(AmbientViewingEnvironment.payloadType)", placeStandards
    ) { $0.ambientSEIOutcome },
  ]
}

extension ValidatedTrack {
  fileprivate var ambientBoxOutcome: RuleOutcome {
    guard let entry else { return .notApplicable(noMovie) }
    // A damaged box counts as absent below, so collect what is wrong with it first.
    let faults = boxFaults(AmbientViewingEnvironment.self)
    guard let value = entry.staticHDRMetadata.ambientViewingEnvironment else {
      if !faults.isEmpty { return .fail(faults.joined(separator: "; ")) }
      switch format {
      // Apple's TN3145 requires `amve` for Dolby Vision 8.4. Without it, players show the video too
      // bright. No standard requires it for plain HLG.
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
      faults.append("different messages: \(stated.map(\.text).joined(separator: " / "))")
    }
    return .faults(faults, otherwise: box == nil ? stated[0].text : "the same as in the box")
  }
}
