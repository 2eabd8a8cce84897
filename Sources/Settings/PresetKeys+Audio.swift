// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import LibAV

extension PresetKey {
  static let audioTreatment = PresetKey(
    path: "audio", values: .rules(words: AudioSettings.Treatment.allCases.map(\.rawValue)),
    usual: .string(AudioSettings.Treatment.auto.rawValue),
    summary: "What to do with audio. auto: copied if the container and its players support the "
      + "codec, or if source and output are both MP4 or both Matroska; otherwise encoded as AAC, "
      + "or as Opus in WebM. passthrough: copied; a track that the container cannot hold is left "
      + "out, with a notice. none: left out. An object is a rule for encoding, and an array lists "
      + "several rules: the first rule that matches a track's language applies. Tracks that match "
      + "no rule are treated as auto."
  ) { (reader, key, settings) throws(TranscodingError) in
    switch reader.value(key) {
    case .string(let text):
      let words = AudioSettings.Treatment.allCases.map(\.rawValue)
      let codecs = AudioCodec.allCases.map(\.rawValue)
      // Somebody wrote `audio=opus`. An encoder is chosen by a rule, so point to `audio.codec`.
      if let codec = codecs.nearest(to: text), words.match(for: text) == nil {
        throw reader.error(
          key,
          "cannot be '\(text.shortened)': did you mean \(key).codec '\(codec)'?")
      }
      if UnwrittenCodec(named: text)?.advice(among: codecs) != nil
        || KnownCodec(named: text)?.isVideo == false
      {
        throw reader.error(
          "\(key).codec", "cannot be '\(text.shortened)': \(codecs.hint(for: text))")
      }
      let mixes = AudioRule.Channels.allCases.filter { $0 != .source }.map(\.rawValue)
      if let mix = mixes.match(for: text) {
        throw reader.error(
          key, "cannot be '\(text)': set \(key).channels=\(mix) and \(key).codec=aac")
      }
      if let rate = SettingsReader.number(of: text) {
        throw reader.error(
          key,
          "cannot be '\(text)': for a bit rate, set \(key).bitRate=\(SettingsReader.plain(rate)) "
            + "and \(key).codec=aac")
      }
      guard let word = words.match(for: text).flatMap(AudioSettings.Treatment.init) else {
        let end = words.nearest(to: text) == nil ? ", or choose a codec with \(key).codec" : ""
        throw reader.error(key, "cannot be '\(text.shortened)': \(words.hint(for: text))\(end)")
      }
      settings.audio = AudioSettings(treatment: word)
    // The rules inside are read afterwards, row by row. Tracks that match no rule are treated as
    // `auto` says.
    case .object, .array: settings.audio = .auto
    case let other:
      throw reader.error(
        key, "must be a word, an object or an array, not \(other?.kind ?? "nothing")")
    }
  }

  static let audioRule: [PresetKey] = [
    .choice(
      "audio.codec", \.audio.rule.codec,
      missing: "add audio.codec=aac; the choices are "
        + AudioCodec.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "),
      "The codec to encode audio with, even if the source has the same one. aac, opus and ac3 "
        + "are lossy. MOV supports neither flac nor opus, MP4 supports neither pcm_s16le nor "
        + "pcm_s24le, and WebM supports only opus."),
    .text(
      "audio.language", pattern: "^[A-Za-z]{3}$",
      "The language of the tracks to which the rule applies: three letters (ISO 639-2), or und for "
        + "unstated. Absent: all tracks."
    ) { (reader, key, settings) throws(TranscodingError) in
      guard let text = try reader.string(key) else { return }
      guard AudioRule.isLanguage(text) else {
        throw reader.error(key, AudioRule.problem(ofLanguage: text))
      }
      settings.audio.rule.language = text.lowercased()
    },
    .integer(
      "audio.bitRate", \.audio.rule.bitRate, in: AudioRule.bitRates,
      "The bit rate, in bits a second for all channels together. Not for lossless codecs. Absent: "
        + "AAC gets 96000 (mono), 192000 (stereo), or 80000 for each channel if there are more; "
        + "Opus gets 64000 for each channel, and AC-3 96000. At sample rates below 48 kHz, these "
        + "values are lower."
    ) { $0 }.withChangeableDefault,
    .choice(
      "audio.channels", \.audio.rule.channels, usual: .source,
      "How many channels the output has. stereo and mono are mixed according to ITU-R BS.775: "
        + "center and surrounds at −3 dB, without low-frequency effects; speech keeps its "
        + "loudness, and peaks that would clip are limited."),
    .integer(
      "audio.sampleRate", \.audio.rule.sampleRate, in: AudioRule.sampleRates,
      "The sample rate, in samples a second for each channel. Absent: the source's rate, or the "
        + "next higher rate that the codec supports."
    ) { $0 },
    PresetKey(
      path: "audio.fallback", values: .names(AudioRule.Fallback.names),
      usual: .string(AudioCodec.aac.rawValue),
      summary: "What to do with a track that cannot be encoded as the rule says, because the "
        + "container cannot hold the codec or the encoder cannot handle the channels: encode it "
        + "with another codec, copy it (passthrough), or leave it out (none). If the fallback "
        + "fails, too, the track is left out, with a notice. A container that can hold neither the "
        + "rule's codec nor that of the fallback is refused."
    ) { (reader, key, settings) throws(TranscodingError) in
      let name = try reader.choice(key, of: AudioRule.Fallback.names)
      if let fallback = name.flatMap(AudioRule.Fallback.init) {
        settings.audio.rule.fallback = fallback
      }
    },
  ]
}

extension AudioRule {
  static let bitRates = 6_000...3_000_000
  static let sampleRates = 8_000...192_000

  /// Whether a text can be a language.
  static func isLanguage(_ text: String) -> Bool {
    // Matroska and MP4 store three letters (ISO 639-2), so two letters such as `en` never match.
    text.count == 3 && text.allSatisfy { $0.isASCII && $0.isLetter }
  }

  static func problem(ofLanguage text: String) -> String {
    "is '\(text.shortened)': a language has three letters, such as 'eng'"
  }

  /// Refuses combinations that cannot be encoded.
  ///
  /// - Parameter path: the rule's place in the preset.
  func refuseContradictions(at path: String) throws(TranscodingError) {
    if let bitRate, codec.isLossless {
      throw SettingsReader.error(
        "\(path).bitRate",
        "is \(bitRate), but \(codec.rawValue) is lossless and has no bit rate to choose")
    }
    let rates = codec.sampleRates
    if let sampleRate, !rates.isEmpty, !rates.contains(sampleRate) {
      throw SettingsReader.error(
        "\(path).sampleRate",
        "is \(sampleRate), which \(codec.rawValue) does not support: use one of "
          + rates.map(String.init).joined(separator: ", "))
    }
  }
}
