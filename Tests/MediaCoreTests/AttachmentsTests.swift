// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import Testing

/// A buffer that is made from another one takes over the attachments that should propagate.
@Suite struct AttachmentsTests {
  private static func buffer(_ attachments: Attachments) -> PixelBuffer {
    PixelBufferPool(.yuv420p8, width: 16, height: 16).makeBuffer(
      attachments: attachments
    ) { _ in }
  }

  @Test func everythingPropagatesByDefault() {
    let attachments = Attachments(
      signal: SignalDescription(color: .pq, videoFullRangeFlag: false, chromaLocation: .topLeft),
      contentLightLevel: ContentLightLevel(maxContentLightLevel: 900, maxPicAverageLightLevel: 9))
    let made = PixelBufferPool(.yuv420p8, width: 16, height: 16)
      .makeBuffer(from: Self.buffer(attachments)) { _ in }
    #expect(made.attachments == attachments)
  }

  @Test func whatShouldNotPropagateStaysBehind() {
    check(.colorPrimaries)
    check(.transferFunction)
    check(.yCbCrMatrix)
    check(.fullRangeVideo)
    check(.chromaLocation)
    check(.masteringDisplayColorVolume)
    check(.contentLightLevelInfo)
    check(.ambientViewingEnvironment)
  }

  private func check<Value: Equatable>(_ key: Attachments.Key<Value>) {
    var attachments = Self.full()
    attachments[mode: key] = .shouldNotPropagate
    let source = Self.buffer(attachments)
    // The source buffer itself has the attachment.
    #expect(source.attachments[key] != nil)
    let made = PixelBufferPool(.yuv420p8, width: 16, height: 16)
      .makeBuffer(from: source) { _ in }
    #expect(made.attachments[key] == nil)
    // The new buffer has all other attachments, except for the RPU, which describes the pixels of
    // the source buffer.
    var expected = Self.full()
    expected[key] = nil
    expected.dolbyVisionRPU = nil
    #expect(made.attachments == expected)
    attachments[mode: key] = .shouldPropagate
    #expect(Self.buffer(attachments).attachments[mode: key] == .shouldPropagate)
  }

  /// Attachments of every kind.
  private static func full() -> Attachments {
    Attachments(
      signal: SignalDescription(color: .hlg, videoFullRangeFlag: true, chromaLocation: .left),
      masteringDisplay: MasteringDisplayColorVolume(
        green: .init(x: 13_250, y: 34_500), blue: .init(x: 7500, y: 3000),
        red: .init(x: 34_000, y: 16_000), whitePoint: .init(x: 15_635, y: 16_450),
        maxDisplayMasteringLuminance: 10_000_000, minDisplayMasteringLuminance: 1),
      contentLightLevel: ContentLightLevel(maxContentLightLevel: 900, maxPicAverageLightLevel: 9),
      ambientViewingEnvironment: AmbientViewingEnvironment(
        ambientIlluminance: 3_140_000, ambientLightX: 15_635, ambientLightY: 16_450),
      dolbyVisionRPU: [25])
  }
}
