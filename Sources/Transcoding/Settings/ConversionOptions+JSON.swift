internal import ColorConversion
internal import ColorScience

extension ConversionOptions {
  /// The options of a preset's `video.conversion`.
  ///
  /// - Parameter reader: the reader of the object that holds `conversion`.
  init(_ reader: SettingsReader) throws(TranscodingError) {
    self.init()
    let conversion = try reader.object(
      "conversion",
      keys: [
        "toneMapping", "toneMappingNorm", "inverseToneMapping", "gamutMapping", "dither",
        "hlgPeakLuminance", "hlgSurround", "hdrReferenceWhite", "headroom", "sdrReading",
      ])
    if let value: ToneMapping = try conversion.choice("toneMapping") { toneMapping = value }
    if let value: ToneNorm = try conversion.choice("toneMappingNorm") { toneMappingNorm = value }
    if let value: InverseToneMapping = try conversion.choice("inverseToneMapping") {
      inverseToneMapping = value
    }
    if let value: GamutMapping = try conversion.choice("gamutMapping") { gamutMapping = value }
    if let value: Dither = try conversion.choice("dither") { dither = value }
    if let value: HLGSurround = try conversion.choice("hlgSurround") { hlgSurround = value }
    if let value: SDRReading = try conversion.choice("sdrReading") { sdrReading = value }
    if let value = try conversion.number("hlgPeakLuminance", in: 100...10_000) {
      hlgPeakLuminance = value
    }
    if let value = try conversion.number("hdrReferenceWhite", in: 50...1_000) {
      hdrReferenceWhite = value
    }
    // White that no display of HLG shows; where only one is stated, the other follows or is 203.
    if conversion.has("hlgPeakLuminance"), let white = hdrReferenceWhite, white > hlgPeakLuminance {
      throw conversion.error(
        "hdrReferenceWhite",
        "is brighter than hlgPeakLuminance: leave it out, so that white is 75 % of HLG")
    }
    headroom = try conversion.number("headroom", in: 1...50)
  }
}
