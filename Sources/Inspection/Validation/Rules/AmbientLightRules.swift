internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import NALUnits

extension ConformanceRule {
  /// The ambient viewing environment.
  static let ambientLight = [
    ConformanceRule("amve", "amve", "TN3145; ISO/IEC 14496-12, 12.1.9; H.265, D.3.39") {
      $0.ambientBoxOutcome
    },
    ConformanceRule("ambientSEI", "SEI 148", "ISO/IEC 14496-12, 12.1.9; H.265, D.3.39") {
      $0.ambientSEIOutcome
    },
  ]
}

extension ValidatedTrack {
  fileprivate var ambientBoxOutcome: RuleOutcome {
    guard let entry else { return .notApplicable(noMovie) }
    guard let value = entry.ambientViewingEnvironment else {
      let faults = boxFaults("amve", size: 8)
      if !faults.isEmpty { return .fail(faults.joined(separator: "; ")) }
      switch format {
      case .dolbyVision84: return .fail("none")
      case .hlg: return .warning("none; Apple's players show the pictures too bright")
      default: return .notApplicable("none, and none is needed")
      }
    }
    return .faults(boxFaults("amve", size: 8) + value.faults, otherwise: value.text)
  }

  fileprivate var ambientSEIOutcome: RuleOutcome {
    let stated = stated(\.ambientViewingEnvironment)
    guard !stated.isEmpty else { return .notApplicable("none, and none is needed") }
    var faults = stated.flatMap(\.faults)
    if let box = entry?.ambientViewingEnvironment, stated != [box] {
      faults.append("\(stated.map(\.text).joined(separator: " / ")), but the box has \(box.text)")
    } else if stated.count > 1 {
      faults.append("different ones: \(stated.map(\.text).joined(separator: " / "))")
    }
    return .faults(
      faults, otherwise: entry?.ambientViewingEnvironment == nil ? stated[0].text : "as the box")
  }
}
