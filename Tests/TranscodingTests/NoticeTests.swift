// SPDX-License-Identifier: GPL-2.0-or-later
@testable import Assets
import Bitstreams
import CodePoints
import ColorTagging
@testable import DolbyVision
@testable import Editing
import Foundation
@testable import Host
import ISOBMFF
@testable import Inspection
import LibAV
import MediaCore
import NALUnits
@testable import Planning
import Settings
@testable import Stills
import TestSupport
import Testing
import VideoEncoders

/// The wording of each notice of sources, plans and runs, and the code that programs decide by.
@Suite struct NoticeTests {
  private static let aperture = CleanAperture(
    width: .init(704), height: .init(480), horizontalOffset: .init(0), verticalOffset: .init(0))
  private static let size = VideoDimensions(width: 720, height: 486)

  /// The notice about a turn that is lost.
  private static func lost(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> Notice {
    let unit: Int32 = 0x1_0000
    let matrix = DisplayMatrix([a * unit, b * unit, 0, c * unit, d * unit, 0, 0, 0, 0x4000_0000])
    return matrix.map { .rotationNotCarried($0) } ?? .chaptersNotCarried
  }

  static let source: [(Notice, Notice.Code, String)] = [
    (
      .colorBoxCutOff(byteCount: 1), "colorBoxCutOff",
      "a box 'colr' of 1 byte is cut off: it says nothing here"
    ),
    (
      .colorBoxWithoutRange, "colorBoxWithoutRange",
      "the box 'colr' (nclx) ends before its last byte: its range counts as unstated"
    ),
    (
      .colorBoxUnknown(kind: "abcd"), "colorBoxUnknown",
      "a box 'colr' is of the kind 'abcd': it says nothing here"
    ),
    (
      .profileUnreadable(byteCount: 12), "profileUnreadable",
      "the ICC profile of 12 bytes cannot be read: it says nothing here"
    ),
    (
      .profileUnknown(" 'Adobe'", "primaries"), "profileUnknown",
      "the ICC profile 'Adobe' has primaries that are not known: they say nothing here"
    ),
    (
      .gammaUnknown(1.9), "gammaUnknown",
      "the 'gama' atom says 1.9, which is no display's gamma: it says nothing here"
    ),
    (
      .configurationUnreadable(
        "hvcC",
        .damagedConfiguration("hvcC", .endOfData(bitPosition: 224, wanted: 192, available: 16))),
      "configurationUnreadable",
      "the box 'hvcC' is damaged: the data ends: 192 bits are needed at bit 224, 16 are left: its "
        + "parameter sets say nothing here"
    ),
    (
      .hdrMetadataUnreadable(.staticMetadata(box: "mdcv"), in: .box("mdcv"), "so"),
      "hdrMetadataUnreadable",
      "mastering display: mdcv box cannot be read and says nothing here: so"
    ),
    (
      .apertureUnreadable, "apertureUnreadable",
      "the box 'clap' is cut off or has numbers without a meaning: it counts as unstated"
    ),
    (
      .apertureOutside(aperture, of: size), "apertureOutside",
      "the clean aperture, 704×480, has nothing of the frames, 720×486: it counts as unstated"
    ),
    (
      .aspectConflict(
        container: PixelAspectRatio(horizontalSpacing: 59, verticalSpacing: 54) ?? .square,
        bitstream: .square),
      "pixelAspectRatioConflict",
      "pixel aspect ratio: the container says 59:54, the bitstream says 1:1; the container is "
        + "believed"
    ),
    (
      .fieldOrderConflict(container: .bottomFirst, frames: .topFirst), "fieldOrderConflict",
      "field order: the frames are topFirst, the container says bottomFirst; the frames are "
        + "believed"
    ),
    (
      .fieldOrderUnstated, "fieldOrderUnstated",
      "the box 'fiel' states two fields in each frame, but not which is first: frames count as "
        + "progressive"
    ),
    (
      .hdrMetadataConflict(
        .staticMetadata(box: "mdcv"), "a (mdcv box)", not: "b (SEI 137)", because: "c"),
      "hdrMetadataConflict",
      "mastering display: a (mdcv box) is believed, not b (SEI 137), which cannot be right: c"
    ),
    (
      .secondEyeNotCarried("MV-HEVC", claims: "lhvC"), "secondEyeNotCarried",
      "the source is MV-HEVC, spatial video: the first eye is taken; the second eye's layer and "
        + "what is said of it (lhvC) are not carried over"
    ),
    (
      .secondEyeNotCarried("MVC", claims: ""), "secondEyeNotCarried",
      "the source is MVC, spatial video: the first eye is taken; the second eye's layer is not "
        + "carried over"
    ),
    (
      .spatialVideoNotCarried(claims: "st3d", isPacked: true), "spatialVideoNotCarried",
      "the source is spatial video: what is said of it (st3d) is not carried over, both eyes stay "
        + "in the frames"
    ),
    (
      .baseLayerTaken("Dolby Vision 7.6", "HDR10", isAV1: false, without: "its layer"),
      "baseLayerTaken",
      "the source is Dolby Vision 7.6: its base layer, HDR10, is taken; its layer and its RPUs are "
        + "not carried over"
    ),
    (
      .baseLayerTaken("Dolby Vision 10", nil, isAV1: true, without: nil), "baseLayerTaken",
      "the source is Dolby Vision 10: its AV1 base layer is taken; its RPUs are not carried over"
    ),
    (
      .rpusDamaged, "rpusDamaged",
      "the source's Dolby Vision RPUs are damaged, all of its beginning: they are not carried over"
    ),
    (
      .rpusOfOtherProfile(5, record: "profile 8.4"), "rpusOfOtherProfile",
      "the source's record says Dolby Vision profile 8.4, but its RPUs are of profile 5: they are "
        + "not carried over"
    ),
    (
      .rpusOfOtherProfile(nil, record: nil), "rpusOfOtherProfile",
      "the source's Dolby Vision RPUs are of no profile that is known: they are not carried over"
    ),
    (
      .tagsNotOfBaseLayer("Dolby Vision 8.4", "HLG", .pq), "tagsNotOfBaseLayer",
      "the base layer of Dolby Vision 8.4 should be HLG, but the source's tags say PQ (16), which "
        + "is believed"
    ),
  ]

  @Test(arguments: source)
  func ofSources(notice: Notice, code: Notice.Code, text: String) {
    #expect(notice.code == code && notice.text == text)
  }

  static let plan: [(Notice, Notice.Code, String)] = [
    (
      .onlyMatrixStated(.bt709, ignored: [.colorPrimaries]), "onlyMatrixStated",
      "the source states its matrix, BT.709 (1), but not its whole color (it states primaries, "
        + "too, which is of no use alone): Y'CbCr is read by the matrix; primaries and transfer "
        + "function count as untagged, and R'G'B' is not converted"
    ),
    (
      .incompleteTagsIgnored([.colorPrimaries, .transferFunction]), "incompleteTagsIgnored",
      "the source states only colorPrimaries, transferFunction: it counts as untagged, and its "
        + "colors are not converted"
    ),
    (
      .tagsInferred([.yCbCrMatrix]), "tagsInferred",
      "not stated by the source but implied by BT.2100: yCbCrMatrix"
    ),
    (
      .untaggedBecomesHDR(.hlg), "untaggedBecomesHDR",
      "the source is untagged and becomes HLG (18) by the settings"
    ),
    (.profileNotCarried, "profileNotCarried", "the ICC profile is not carried over"),
    (
      .colorAssumed(.bt709, of: .unspecified), "colorAssumed",
      "the source does not say what all of its colors mean (\(ColorDescription.unspecified)): "
        + "\(ColorDescription.bt709) is assumed"
    ),
    (
      .otherSampleDescription(2, .bt709, first: .hlg), "otherSampleDescription",
      "sample description 2 is \(ColorDescription.bt709), the first is \(ColorDescription.hlg): "
        + "where frames change from one to the other, the work stops"
    ),
    (
      .trackNotCarried(3, kind: "data"), "trackNotCarried", "track 3 (data) is not carried over"
    ),
    (
      lost(0, 1, -1, 0), "rotationNotCarried",
      "not carried over: the rotation, which FFmpeg's library does not write to .mkv; frames will "
        + "lie on their side"
    ),
    (
      lost(-1, 0, 0, -1), "rotationNotCarried",
      "not carried over: the rotation, which FFmpeg's library does not write to .mkv; frames will "
        + "stand on their head"
    ),
    (
      lost(-1, 0, 0, 1), "rotationNotCarried",
      "not carried over: the rotation, which FFmpeg's library does not write to .mkv; frames will "
        + "be shown as they are coded, not mirrored, sheared or scaled"
    ),
    (.chaptersNotCarried, "chaptersNotCarried", "chapters are not carried over"),
    (
      .chaptersLeftOut(2), "chaptersLeftOut",
      "2 chapters are left out: hidden or disabled ones, those of an edition that is not the "
        + "default, and those that begin with another"
    ),
    (
      .sampleTablesNotCarried(1, ["sdtp", "subs"]), "sampleTablesNotCarried",
      "track 1: not carried over of what tables say of its samples: sdtp, subs"
    ),
    (
      .audioBitRateBounded(2, .ac3, from: 1_000_000, to: 640_000), "audioBitRateBounded",
      "track 2 (audio): ac3 has no bit rate of 1000000 bits a second for its channels: 640000 is "
        + "taken"
    ),
    (
      .fieldPairsRepeated, "fieldPairsRepeated",
      "the frames stay interlaced, and are repeated or left out with both fields: motion goes back "
        + "and forth; video.deinterlace 'bob' makes a frame of each field"
    ),
    (
      .ambientLightInBitstream, "ambientLightInBitstream",
      "the ambient viewing environment is in the bitstream alone (SEI 148): .mkv has no place "
        + "for it"
    ),
    (
      .audioEncoded(2, "vorbis", as: .aac, because: "so"), "audioEncoded",
      "track 2 (audio, vorbis) is encoded as aac: so"
    ),
    (
      .audioFallback(
        2, "dts", as: .aac, because: .channels(.alac, ChannelLayout(channelCount: 22))),
      "audioFallback",
      "track 2 (audio) is encoded as aac instead: alac has no place for 22 channels"
    ),
    (
      .audioMixed(2, "flac", from: .surround61, to: .stereo), "audioMixed",
      "track 2 (audio) is mixed from 6.1 to stereo"
    ),
    (
      .audioNotStorable(2, "flac", in: .mov, other: .mp4, because: "so"), "audioNotStorable",
      "track 2 (audio) is left out: so"
    ),
    (
      .audioNotCarried(2, "apac", because: .decoder), "audioNotCarried",
      "track 2 (audio, apac) is left out: FFmpeg cannot decode it"
    ),
    (
      .trackWithoutSamples(2, kind: "audio"), "trackWithoutSamples",
      "track 2 (audio) is left out: it has no samples that can be read"
    ),
    (
      .carriedVideoDamaged(3), "carriedVideoDamaged",
      "track 3 (video) is left out: it is damaged"
    ),
    (
      .statementsNotCarried(["a", "b"]), "statementsNotCarried",
      "not carried over of what the file says of itself: a, b"
    ),
    (
      .metadataNotCarried([.init(HDR10Plus.self), .staticMetadata(box: "mdcv")]),
      "metadataNotCarried",
      "not carried over: HDR10+, the mastering display"
    ),
    (
      .gammaNotCarried(.init(unnumberedGamma: 1.8)), "gammaNotCarried",
      "not carried over: the transfer function, gamma 1.8, for which only .mov has a place"
    ),
    (
      .rangeNotCarried, "rangeNotCarried",
      "not carried over: the full range of the frames, which neither boxes of .mov nor samples of "
        + "this codec state; players will read them as limited"
    ),
    (
      .chromaLocationNotCarried(.topLeft, in: .mp4), "chromaLocationNotCarried",
      "not carried over: the chroma location, topLeft (2), which neither boxes of .mp4 nor samples "
        + "of this codec state; players will assume another one"
    ),
    (
      .editRateNotKept, "editRateNotKept",
      "an edit plays faster or slower than its media, which is not kept"
    ),
    (
      .metadataImplausible("mastering display", key: "masteringDisplay", "so"),
      "metadataImplausible",
      "the source's mastering display is passed on as it is, but cannot be right: so"
    ),
    (
      .recordCorrected(
        [.init(name: "dv_level", value: 0), .init(name: "rpu_present_flag", value: 0)],
        profile: "8.4"), "recordCorrected",
      "the source's Dolby Vision record is wrong (dv_level is 0, rpu_present_flag is 0): one "
        + "for its frames is written, of profile 8.4"
    ),
    (
      .timeCodeNotCarried("10:00:00:00"), "timeCodeNotCarried",
      "the time code, 10:00:00:00, is not carried over"
    ),
    (
      .rpusComputed(because: "so"), "rpusComputed",
      "the Dolby Vision RPUs are computed anew from the output's frames: so"
    ),
    (
      .recordAdded(profile: "8.1"), "recordAdded",
      "the source has RPUs and no Dolby Vision record: one is written, of profile 8.1"
    ),
    (
      .recordMissing(profile: 7), "recordMissing",
      "the samples have Dolby Vision RPUs of profile 7, and the source has no record: none is "
        + "written"
    ),
    (
      .ambientLightAssumed, "ambientLightAssumed",
      "assumed: an ambient viewing environment of 314 lux, D65; the source states none"
    ),
    (.opacityNotCarried, "opacityNotCarried", "the frames' opacity is left out"),
    (
      .captionsNotCarried, "captionsNotCarried",
      "the captions in the samples of the video (CEA-608, CEA-708) are left out"
    ),
    (
      .matrixAssumed, "matrixAssumed",
      "no matrix is stated: R'G'B' becomes Y'CbCr by the usual one for its primaries"
    ),
    (.chromaReduced(to: .cs420), "chromaReduced", "chroma is reduced to 4:2:0"),
    (.depthReduced(from: 12, to: 10), "depthReduced", "depth is reduced from 12 to 10 bits"),
    (
      .fieldsNotStated(because: .profile), "fieldsNotStated",
      "interlaced video is coded as whole frames without saying so: the Baseline "
        + "profile of H.264 has no fields"
    ),
    (
      .fieldsNotStated(because: .height(486, unit: 4, .cs420)), "fieldsNotStated",
      "interlaced video is coded as whole frames without saying so: in H.264, the height of "
        + "4:2:0 frames with fields is a multiple of 4, which 486 is not"
    ),
    (.fieldsMixed, "fieldsMixed", "interlaced video is scaled as whole frames: fields mix"),
    (
      .framesDeinterlaced(.auto), "framesDeinterlaced",
      "one whole frame is made of each interlaced frame"
    ),
    (.framesDeinterlaced(.bob), "framesDeinterlaced", "two whole frames are made of each frame"),
    (
      .telecine(12, of: 24), "telecine",
      "12 of the first 24 frames repeat a field: film was brought to another rate (pulldown), "
        + "which is not undone"
    ),
    (
      .scanMixed(10, of: 24), "scanMixed",
      "10 of the first 24 frames are interlaced, others are not, as in film that was brought to "
        + "another rate (telecine): video.deinterlace 'auto' treats each as it is"
    ),
    (
      .rotationNotApplied(isKept: true), "rotationNotApplied",
      "the matrix of the frames does not only turn them by quarters and mirror them: it is kept, "
        + "and samples are not turned"
    ),
    (
      .rotationNotApplied(isKept: false), "rotationNotApplied",
      "the matrix of the frames does not only turn them by quarters and mirror them: they are "
        + "shown without it"
    ),
    (
      .frameRateChanged(
        from: FrameRate(framesPerSecond: 25),
        to: FrameRate(30_000, per: 1001) ?? FrameRate(framesPerSecond: 30)),
      "frameRateChanged", "frames are brought to 30000/1001 a second, from 25 on average"
    ),
    (
      .barsCropped(to: PixelRectangle(x: 0, y: 62, width: 720, height: 362), of: size, "evidence"),
      "barsCropped",
      "black bars are cut off: 720×362 from 0, 62 of 720×486 is kept (evidence)"
    ),
    (
      .barsNotFound("evidence"), "barsNotFound",
      "no black bars were found: nothing is cut off (evidence)"
    ),
    (
      .sizeNotReached(
        VideoDimensions(width: 640, height: 360), by: VideoDimensions(width: 320, height: 180)),
      "sizeNotReached",
      "the frames are 320×180, not 640×360 as asked for: video.scalingMode 'fit' does not enlarge "
        + "them, 'resizeAspect' does"
    ),
    (
      .sizeNotReached(
        VideoDimensions(width: 640, height: 360), by: VideoDimensions(width: 320, height: 180),
        isStill: true), "sizeNotReached",
      "the frames are 320×180, not 640×360 as asked for: stills are never enlarged"
    ),
    (
      .audioGap(
        2, from: MediaTime(value: 3, timescale: 2), lasting: MediaTime(value: 7200, timescale: 1)),
      "audioGap",
      "track 2 (audio): its times make a step of 7200.0 s at 1.5 s, in which the output has no "
        + "samples"
    ),
    (
      .frameHeld(
        1, from: MediaTime(value: 1, timescale: 2), lasting: MediaTime(value: 7200, timescale: 1)),
      "frameHeld",
      "track 1 (video): its times make a step of 7200.0 s at 0.5 s, in which the output shows one "
        + "frame that is not repeated"
    ),
    (
      .fewerFrames(than: 10_000, 10), "fewerFrames",
      "there are 10 frames only: 10 stills in place of 10000"
    ),
    (
      .cropped(
        to: aperture, PixelRectangle(x: 8, y: 3, width: 704, height: 480), of: size),
      "croppedToCleanAperture",
      "the frames are cropped to their clean aperture, 704×480: 704×480 from 8, 3 of 720×486; "
        + "video.cleanAperture 'keep' keeps them whole"
    ),
    (
      .apertureNotCarried(aperture, in: nil), "apertureNotCarried",
      "the clean aperture, 704×480, is not carried over: a composition is made"
    ),
    (
      .apertureNotCarried(aperture, in: .mkv), "apertureNotCarried",
      "the clean aperture, 704×480, is not carried over: FFmpeg's library does not write it to "
        + ".mkv"
    ),
    (
      .oddSideCut(
        VideoDimensions(width: 191, height: 143), to: VideoDimensions(width: 190, height: 142)),
      "oddSideCut", "an odd column or row is cut off: 191×143 → 190×142"
    ),
    (
      .trackNotInRange(2), "trackNotInRange",
      "track 2 is left out: it has nothing in the range"
    ),
    (
      .framesHidden(1), "framesHidden",
      "1 frame beside the range is copied, too, which its own frames refer to: an edit list hides "
        + "it"
    ),
    (
      .framesHidden(8), "framesHidden",
      "8 frames beside the range are copied, too, which its own frames refer to: an edit list "
        + "hides them"
    ),
    (
      .parameterSetsChange(.hev1), "parameterSetsChange",
      "parameter sets change in the middle and stay in the samples: the sample entry is 'hev1', "
        + "which Apple's players refuse; encode the video for 'hvc1'"
    ),
    (
      .parameterSetsMissing, "parameterSetsMissing",
      "not all parameter sets were found: 'hvcC' is without them, and players may fail"
    ),
    (.outputExists("a.mov"), "outputExists", "a.mov exists already"),
    (
      .doesNotFit(FreeSpace.Shortage(destination: "a.mov", needed: 2_000_000, free: 1_500)),
      "doesNotFit",
      "a.mov does not fit on its disk: about 2.0 MB are needed on the way, 1.5 kB are free"
    ),
  ]

  @Test(arguments: plan)
  func ofPlansAndRuns(notice: Notice, code: Notice.Code, text: String) {
    #expect(notice.code == code && notice.text == text)
  }

  @Test func theArticleHasThem() throws {
    let all = (Self.source + Self.plan).map(\.0)
    #expect(try NoticeTable().disagreements(on: all) == [])
  }

  /// Each code stands in a test beside its text.
  @Test func everyCodeHasAText() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = try #require(FileManager.default.enumerator(atPath: tests.path)).compactMap {
      $0 as? String
    }.filter { $0.hasSuffix("Tests.swift") && !$0.hasPrefix("candelaTests/") }
    let texts = try files.map {
      try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8)
    }
    let missing = try NoticeTable().codes.filter { code in
      !texts.contains { $0.contains("\"\(code)\"") }
    }
    #expect(missing == [])
  }

  /// Every code that the sources have is in the article on notices, and no other.
  @Test func theArticleListsEveryCode() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let article = try String(
      contentsOf: sources.appendingPathComponent("Transcoding/Transcoding.docc/Notices.md"),
      encoding: .utf8)
    let listed = article.matches(of: /\n\| `([a-zA-Z0-9]+)` \| [a-z]/).map { String($0.1) }
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap {
      $0 as? String
    }.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("candela/") }
    let made = try files.flatMap { name in
      try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
        .matches(of: /(?:\b(?:Notice|fault|doubt)\(\s*|: Self = )"([a-zA-Z0-9]+)"/)
        .map { String($0.1) }
    }
    #expect(Set(listed) == Set(made) && listed.count == Set(listed).count)
  }
}
