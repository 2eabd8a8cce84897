// SPDX-License-Identifier: GPL-2.0-or-later

/// Languages as two letters (ISO 639-1).
extension TrackLabel {
  // Some files state two letters in place of three (ISO 639-2), and movies can only store three.
  /// Each language of ISO 639-1: its two letters, then its three letters (ISO 639-2/T).
  private static let languages = """
    aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul
    bhbih bibis bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv
    cycym dadan dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin
    fjfij fofao frfra fyfry gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv
    hthat huhun hyhye hzher iaina idind ieile igibo iiiii ikipk ioido isisl itita iuiku jajpn
    jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor
    kykir lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal
    mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav
    nynya ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun roron
    rurus rwkin sasan scsrd sdsnd sesme sgsag sisin skslk slslv smsmo snsna sosom sqsqi srsrp
    ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur
    tstso tttat twtwi tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid
    yoyor zazha zhzho zuzul
    """

  private static let byTwoLetters: [Substring: Substring] = Dictionary(
    languages.split(whereSeparator: \.isWhitespace).map { ($0.prefix(2), $0.dropFirst(2)) },
    uniquingKeysWith: { first, _ in first })

  /// Returns the three letters for a language in two letters, with or without a region (`en-US`).
  /// Any other text is returned unchanged.
  static func threeLetters(of language: String) -> String {
    let own = language.prefix { $0 != "-" && $0 != "_" }
    return byTwoLetters[Substring(own.lowercased())].map(String.init) ?? language
  }
}
