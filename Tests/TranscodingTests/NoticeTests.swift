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

/// Each notice about sources, plans and runs has a code and arguments, by which programs can decide
/// what to do.
@Suite struct NoticeTests {
  private static let aperture = CleanAperture(
    width: .init(704), height: .init(480), horizontalOffset: .init(0), verticalOffset: .init(0))
  private static let size = VideoDimensions(width: 720, height: 486)

  /// The notice about a quarter turn that is lost.
  private static let turn =
    DisplayMatrix([0, 0x1_0000, 0, -0x1_0000, 0, 0, 0, 0, 0x4000_0000]).map {
      lost(Fact(matrix: $0), in: .mkv)
    } ?? .chaptersNotCarried

  /// Returns the notice with which a plan announces a loss.
  private static func lost(_ facts: Fact..., in container: FileType) -> Notice {
    var notices: [Notice] = []
    notices.add(lost: facts, in: container)
    return notices.first ?? .chaptersNotCarried
  }

  private static func subject(_ key: FactKey, _ subject: String) -> Fact {
    Fact(key, "present", subject: subject)
  }

  private static let damage = NALUnitError.damagedConfiguration(
    "hvcC", .endOfData(bitPosition: 224, wanted: 192, available: 16))

  static let source: [(Notice, Notice.Code, [String: String])] = [
    (.colorBoxCutOff(byteCount: 1), "colorBoxCutOff", ["byteCount": "1"]),
    (.colorBoxWithoutRange, "colorBoxWithoutRange", [:]),
    (.colorBoxUnknown(kind: "abcd"), "colorBoxUnknown", ["kind": "abcd"]),
    (.profileUnreadable(byteCount: 12), "profileUnreadable", ["byteCount": "12"]),
    (.profileUnknown(" 'Adobe'", "primaries"), "profileUnknown", ["content": "primaries"]),
    (.gammaUnknown(1.9), "gammaUnknown", ["gamma": "1.9"]),
    (
      .configurationUnreadable("hvcC", damage), "configurationUnreadable",
      ["box": "hvcC", "fault": "\(damage)"]
    ),
    (.configurationWrong(["one", "two"]), "configurationWrong", ["faults": "one, two"]),
    (
      .hdrMetadataUnreadable(.staticMetadata(box: "mdcv"), in: .box("mdcv"), "so"),
      "hdrMetadataUnreadable", ["fault": "so", "metadata": "masteringDisplay", "place": "mdcv box"]
    ),
    (
      .recordOfOtherProfile("profile 8.4", rpus: "7"), "recordOfOtherProfile",
      ["profile": "7", "record": "profile 8.4"]
    ),
    (
      .layerNotOfRecord("profile 8.1, level 1"), "layerNotOfRecord",
      ["record": "profile 8.1, level 1"]
    ),
    (
      lost(Fact(.otherUserData, ["SL-HDR"], text: "SL-HDR"), in: .mov), "userDataNotCarried",
      ["names": "SL-HDR"]
    ),
    (.apertureUnreadable, "apertureUnreadable", [:]),
    (
      .apertureOutside(aperture, of: size), "apertureOutside",
      ["aperture": "704×480", "size": "720×486"]
    ),
    (
      .aspectConflict(
        container: PixelAspectRatio(horizontalSpacing: 59, verticalSpacing: 54) ?? .square,
        bitstream: .square), "pixelAspectRatioConflict", ["bitstream": "1:1", "container": "59:54"]
    ),
    (
      .fieldOrderConflict(container: .bottomFirst, frames: .topFirst), "fieldOrderConflict",
      ["container": "bottomFirst", "frames": "topFirst"]
    ),
    (.fieldOrderUnstated, "fieldOrderUnstated", [:]),
    (
      .hdrMetadataConflict(
        .staticMetadata(box: "mdcv"), "a (mdcv box)", not: "b (SEI 137)", because: "c"),
      "hdrMetadataConflict",
      [
        "fault": "c", "metadata": "masteringDisplay", "otherStatement": "b (SEI 137)",
        "statement": "a (mdcv box)",
      ]
    ),
    (
      .secondEyeNotCarried("MV-HEVC", claims: "lhvC"), "secondEyeNotCarried",
      ["kind": "MV-HEVC", "places": "lhvC"]
    ),
    (
      .secondEyeNotCarried("MVC", claims: ""), "secondEyeNotCarried", ["kind": "MVC", "places": ""]
    ),
    (
      .spatialVideoNotCarried(claims: "st3d", isPacked: true), "spatialVideoNotCarried",
      ["places": "st3d"]
    ),
    (
      .baseLayerTaken("Dolby Vision 7.6", "HDR10", without: "its layer"),
      "baseLayerTaken",
      ["baseLayer": "HDR10", "dolbyVision": "Dolby Vision 7.6", "enhancementLayer": "its layer"]
    ),
    (
      .baseLayerTaken("Dolby Vision 10", nil, without: nil), "baseLayerTaken",
      ["dolbyVision": "Dolby Vision 10"]
    ),
    (
      .baseLayerReshaped("Dolby Vision profile 5, level 1"), "baseLayerReshaped",
      ["dolbyVision": "Dolby Vision profile 5, level 1"]
    ),
    (.chromaAdded(to: .cs420), "chromaAdded", ["chromaSubsampling": "4:2:0"]),
    (
      .rateTooLow("video.x", 2000), "rateTooLow",
      ["key": "video.x", "bitRate": "2000"]
    ),
    (.enhancementLayerDropped(.full), "enhancementLayerDropped", ["layer": "full"]),
    (.enhancementLayerDropped(.minimal), "enhancementLayerDropped", ["layer": "minimal"]),
    (.rpusDamaged, "rpusDamaged", [:]),
    (.rpusOfOtherProfile(5, record: "profile 8.4"), "rpusOfOtherProfile", ["profile": "5"]),
    (.rpusOfOtherProfile(nil, record: nil), "rpusOfOtherProfile", [:]),
    (
      .tagsNotOfBaseLayer("Dolby Vision 8.4", "HLG", .pq), "tagsNotOfBaseLayer",
      ["baseLayer": "HLG", "dolbyVision": "Dolby Vision 8.4", "transferFunction": "PQ (16)"]
    ),
  ]

  @Test(arguments: source)
  func ofSources(notice: Notice, code: Notice.Code, arguments: [String: String]) {
    #expect(notice.code == code && notice.arguments == arguments)
  }

  static let plan: [(Notice, Notice.Code, [String: String])] = [
    (
      .onlyMatrixStated(.bt709, ignored: [.colorPrimaries]), "onlyMatrixStated",
      ["ignored": "colorPrimaries", "yCbCrMatrix": "BT.709 (1)"]
    ),
    (
      .incompleteTagsIgnored([.colorPrimaries, .transferFunction]), "incompleteTagsIgnored",
      ["ignored": "colorPrimaries, transferFunction"]
    ),
    (.tagsInferred([.yCbCrMatrix]), "tagsInferred", ["inferred": "yCbCrMatrix"]),
    (.untaggedBecomesHDR(.hlg), "untaggedBecomesHDR", ["transferFunction": "HLG (18)"]),
    (.profileNotCarried, "profileNotCarried", [:]),
    (
      .colorAssumed(.bt709, of: .unspecified), "colorAssumed",
      [
        "assumed": "BT.709 (1) / BT.709 (1) / BT.709 (1)",
        "stated": "unspecified (2) / unspecified (2) / unspecified (2)",
      ]
    ),
    (
      .otherSampleDescription(2, .bt709, first: .hlg), "otherSampleDescription",
      [
        "color": "BT.709 (1) / BT.709 (1) / BT.709 (1)",
        "firstColor": "BT.2020 (9) / HLG (18) / BT.2020 (9)", "number": "2",
      ]
    ),
    (.trackNotCarried(3, kind: "data"), "trackNotCarried", ["kind": "data", "track": "3"]),
    (turn, "rotationNotCarried", [:]),
    (.chaptersNotCarried, "chaptersNotCarried", [:]),
    (.chaptersLeftOut(2), "chaptersLeftOut", ["chapterCount": "2"]),
    (
      .sampleTablesNotCarried(1, ["sdtp", "subs"]), "sampleTablesNotCarried",
      ["tables": "sdtp, subs", "track": "1"]
    ),
    (
      .audioBitRateBounded(2, .ac3, from: 1_000_000, to: 640_000), "audioBitRateBounded",
      ["codec": "ac3", "from": "1000000", "to": "640000", "track": "2"]
    ),
    (.fieldPairsRepeated, "fieldPairsRepeated", [:]),
    (.ambientLightInBitstream, "ambientLightInBitstream", [:]),
    (
      .audioEncoded(2, "vorbis", as: .aac, because: "so"), "audioEncoded",
      ["codec": "vorbis", "newCodec": "aac", "track": "2"]
    ),
    (
      .audioFallback(
        2, "dts", as: .aac, because: .channels(.alac, ChannelLayout(channelCount: 22))),
      "audioFallback", ["codec": "dts", "newCodec": "aac", "track": "2"]
    ),
    (
      .audioMixed(2, "flac", from: .surround61, to: .stereo), "audioMixed",
      ["codec": "flac", "from": "6.1", "to": "stereo", "track": "2"]
    ),
    (
      .audioNotStorable(2, "flac", in: .mov, other: .mp4, because: "so"), "audioNotStorable",
      ["codec": "flac", "container": "mov", "otherContainer": "mp4", "track": "2"]
    ),
    (
      .audioNotCarried(2, "apac", because: .decoder), "audioNotCarried",
      ["codec": "apac", "reason": "FFmpeg cannot decode it", "track": "2"]
    ),
    (
      .trackWithoutSamples(2, kind: "audio"), "trackWithoutSamples",
      ["kind": "audio", "track": "2"]
    ),
    (.carriedVideoDamaged(3), "carriedVideoDamaged", ["track": "3"]),
    (.damagedFramesMeasured(3), "damagedFramesMeasured", ["count": "3"]),
    (.statementsNotCarried(["a", "b"]), "statementsNotCarried", ["names": "a, b"]),
    (
      lost(
        subject(.dynamicHDRMetadata(HDR10Plus.self), "hdr10Plus"),
        subject(
          .staticHDRMetadata(MasteringDisplayColorVolume.self), "masteringDisplay"), in: .mp4),
      "metadataNotCarried",
      ["metadata": "hdr10Plus, masteringDisplay"]
    ),
    (
      lost(Fact(.transferFunction, "gamma 1.8"), in: .mp4), "gammaNotCarried",
      ["transferFunction": "gamma 1.8"]
    ),
    (lost(Fact(.range, "full"), in: .mov), "rangeNotCarried", [:]),
    (
      lost(Fact(.chromaLocation, NamedCode(ChromaLocation.topLeft)), in: .mp4),
      "chromaLocationNotCarried",
      ["chromaLocation": "topLeft (2)", "container": "mp4"]
    ),
    (.editRateNotKept, "editRateNotKept", [:]),
    (
      .metadataImplausible("mastering display", key: "masteringDisplay", "so"),
      "metadataImplausible", ["fault": "so", "metadata": "masteringDisplay"]
    ),
    (
      .recordCorrected(["dv_level is 0", "rpu_present_flag is 0"], profile: "8.4"),
      "recordCorrected",
      ["faults": "dv_level is 0, rpu_present_flag is 0", "profile": "8.4"]
    ),
    (.timeCodeNotCarried("10:00:00:00"), "timeCodeNotCarried", ["timeCode": "10:00:00:00"]),
    (.rpusComputed(because: "so"), "rpusComputed", ["reason": "so"]),
    (.recordAdded(profile: "8.1"), "recordAdded", ["profile": "8.1"]),
    (.recordMissing(profile: 7), "recordMissing", ["profile": "7"]),
    (
      .recordNotCarried(profile: "10.4", in: .webm), "recordNotCarried",
      ["container": "webm", "profile": "10.4"]
    ),
    (
      .masteringDisplayAssumed(.usual), "masteringDisplayAssumed",
      ["minimumLuminance": "0.0001", "maximumLuminance": "1000.0"]
    ),
    (.ambientLightAssumed, "ambientLightAssumed", [:]),
    (.opacityNotCarried, "opacityNotCarried", [:]),
    (.captionsNotCarried, "captionsNotCarried", [:]),
    (.matrixAssumed, "matrixAssumed", [:]),
    (.chromaReduced(to: .cs420), "chromaReduced", ["chromaSubsampling": "4:2:0"]),
    (.depthReduced(from: 12, to: 10), "depthReduced", ["from": "12", "to": "10"]),
    (
      .fieldsNotStated(because: "a"), "fieldsNotStated",
      ["reason": "a"]
    ),
    (.fieldsMixed, "fieldsMixed", [:]),
    (.framesDeinterlaced(.auto), "framesDeinterlaced", ["mode": "auto"]),
    (.framesDeinterlaced(.bob), "framesDeinterlaced", ["mode": "bob"]),
    (.telecine(12, of: 24), "telecine", ["count": "12", "total": "24"]),
    (.scanMixed(10, of: 24), "scanMixed", ["count": "10", "total": "24"]),
    (.rotationNotApplied(isKept: true), "rotationNotApplied", [:]),
    (
      .frameRateChanged(
        from: FrameRate(framesPerSecond: 25),
        to: FrameRate(30_000, per: 1001) ?? FrameRate(framesPerSecond: 30)), "frameRateChanged",
      ["from": "25", "to": "30000/1001"]
    ),
    (
      .barsCropped(to: PixelRectangle(x: 0, y: 62, width: 720, height: 362), of: size, "evidence"),
      "barsCropped", ["height": "362", "width": "720", "x": "0", "y": "62"]
    ),
    (.barsNotFound("evidence"), "barsNotFound", [:]),
    (
      .sizeNotReached(
        VideoDimensions(width: 640, height: 360), by: VideoDimensions(width: 320, height: 180)),
      "sizeNotReached", ["size": "320×180", "wanted": "640×360"]
    ),
    (
      .audioGap(
        2, from: MediaTime(value: 3, timescale: 2), lasting: MediaTime(value: 7200, timescale: 1)),
      "audioGap", ["length": "7200.0", "start": "1.5", "track": "2"]
    ),
    (
      .frameHeld(
        1, from: MediaTime(value: 1, timescale: 2), lasting: MediaTime(value: 7200, timescale: 1)),
      "frameHeld", ["length": "7200.0", "start": "0.5", "track": "1"]
    ),
    (.fewerFrames(than: 10_000, 10), "fewerFrames", ["count": "10", "wanted": "10000"]),
    (
      .cropped(
        to: aperture, PixelRectangle(x: 8, y: 3, width: 704, height: 480), of: size),
      "croppedToCleanAperture",
      ["aperture": "704×480", "part": "704×480 at 8, 3", "size": "720×486"]
    ),
    (.apertureNotCarried("704×480", in: nil), "apertureNotCarried", ["aperture": "704×480"]),
    (
      .oddSideCut(
        VideoDimensions(width: 191, height: 143), to: VideoDimensions(width: 190, height: 142)),
      "oddSideCut", ["from": "191×143", "to": "190×142"]
    ),
    (.trackNotInRange(2), "trackNotInRange", ["track": "2"]),
    (.framesHidden(1), "framesHidden", ["frameCount": "1"]),
    (.framesHidden(8), "framesHidden", ["frameCount": "8"]),
    (.parameterSetsChange(.hev1), "parameterSetsChange", [:]),
    (.parameterSetsMissing, "parameterSetsMissing", [:]),
    (.outputExists("a.mov"), "outputExists", ["path": "a.mov"]),
    (
      .doesNotFit(SpaceShortage(destination: "a.mov", needed: 2_000_000, free: 1_500)),
      "doesNotFit", ["free": "1500", "needed": "2000000", "path": "a.mov"]
    ),
  ]

  @Test(arguments: plan)
  func ofPlansAndRuns(notice: Notice, code: Notice.Code, arguments: [String: String]) {
    #expect(notice.code == code && notice.arguments == arguments)
  }

  @Test func theArticleHasThem() throws {
    let all = (Self.source + Self.plan).map(\.0)
    #expect(try NoticeTable().disagreements(on: all) == [])
  }

  /// In JSON, arguments with the same name are either always numbers or always strings.
  @Test func argumentsHaveOneType() {
    for (name, value) in (Self.source + Self.plan).flatMap(\.2) {
      #expect(!Notice.numbers.contains(name) || Double(value) != nil, "\(name): \(value)")
    }
  }
}
