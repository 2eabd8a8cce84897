internal import Bitstreams

/// The parameter sets of HEVC that a track's samples are decoded with, collected from its sample
/// entry and its samples, so that all of them can stand in `hvcC` as a sample entry `hvc1` needs it
/// (ISO/IEC 14496-15, 8.4.1.1).
public struct HEVCParameterSets: Sendable {
  /// Which set a NAL unit is: a later one with the same type and number takes its place (H.265,
  /// 7.4.2.4.2).
  private struct Identity: Hashable {
    let type: HEVCNALUnitType
    let number: UInt64
  }

  private var units: [(identity: Identity, unit: NALUnit)] = []
  private var sampleCount = 0

  /// Whether any sample has parameter sets.
  public private(set) var areInSamples = false
  /// Whether a set is replaced by another in the middle of the track, so that no sample entry can
  /// hold both.
  public private(set) var change = false

  /// - Parameter units: the NAL units of `hvcC`.
  public init(stored units: [NALUnit]) {
    for unit in units { add(unit) }
  }

  /// The types of parameter sets, in the order in which they are stored.
  public static let types: [HEVCNALUnitType] = [
    .videoParameterSet, .sequenceParameterSet, .pictureParameterSet,
  ]

  /// Whether a unit is a parameter set of the layer that every decoder knows.
  public static func contain(_ unit: NALUnit) -> Bool {
    types.contains(unit.hevcType) && unit.isBaseLayer(.hevc)
  }

  /// Takes the units of the next sample.
  public mutating func add(sample units: [NALUnit]) {
    for unit in units where Self.contain(unit) {
      areInSamples = true
      add(unit)
    }
    sampleCount += 1
  }

  /// All sets of a type, in the order in which they were found.
  public func sets(_ type: HEVCNALUnitType) -> [NALUnit] {
    units.filter { $0.identity.type == type }.map(\.unit)
  }

  /// Whether there is a set of every type.
  public var isWhole: Bool { Self.types.allSatisfy { !sets($0).isEmpty } }

  private mutating func add(_ unit: NALUnit) {
    guard Self.contain(unit), let identity = Self.identity(unit) else { return }
    guard let place = units.firstIndex(where: { $0.identity == identity }) else {
      units.append((identity, unit))
      return
    }
    guard units[place].unit != unit else { return }
    // No picture was decoded with what the sample entry has and the first sample replaces.
    if sampleCount > 0 { change = true } else { units[place].unit = unit }
  }

  private static func identity(_ unit: NALUnit) -> Identity? {
    let payload = unit.payload(.hevc)
    var reader = BitReader(payload)
    let number: UInt64? =
      switch unit.hevcType {
      case .videoParameterSet: try? reader.u(4)
      case .sequenceParameterSet:
        (try? SequenceParameterSet(hevcPayload: payload))?.parameterSetID
      default: try? reader.ue()
      }
    return number.map { Identity(type: unit.hevcType, number: $0) }
  }
}

extension DecoderConfiguration {
  /// `hvcC` content with other parameter sets; its other arrays stay, and so does the rest.
  ///
  /// - Parameter sets: the sets in the place of those that there are.
  /// - Returns: nil where the content is damaged.
  public static func storing(_ sets: HEVCParameterSets, inHVCC bytes: [UInt8]) -> [UInt8]? {
    guard let (arrays, rest) = hevcArrays(bytes) else { return nil }
    // Units of other layers stay, as do SEI.
    let others = arrays.map {
      (header: $0.header, units: $0.units.filter { !HEVCParameterSets.contain($0) })
    }
    let stored = HEVCParameterSets.types.map { (header: $0.rawValue, units: sets.sets($0)) }
    let header = headerBytes(bytes, sets, isBlank: !arrays.contains { $0.header & 0x3F == 33 })
    return header + serialized((stored + others).filter { !$0.units.isEmpty }) + rest
  }

  /// The bytes before the arrays. What is made for a stream whose parameter sets were not known
  /// says nothing of it: profile, tier and level are those of the sequence parameter set (H.265,
  /// 7.3.3).
  private static func headerBytes(
    _ bytes: [UInt8], _ sets: HEVCParameterSets, isBlank: Bool
  ) -> [UInt8] {
    var header = Array(bytes.prefix(22))
    guard isBlank, let payload = sets.sets(.sequenceParameterSet).first?.payload(.hevc),
      payload.count > 12, let set = try? SequenceParameterSet(hevcPayload: payload)
    else { return header }
    header.replaceSubrange(1...12, with: payload[1...12])
    header[16] = 0xFC | UInt8(truncatingIfNeeded: set.chromaFormatIdc)
    header[17] = 0xF8 | UInt8(truncatingIfNeeded: set.bitDepthLuma - 8)
    header[18] = 0xF8 | UInt8(truncatingIfNeeded: set.bitDepthChroma - 8)
    return header
  }
}
