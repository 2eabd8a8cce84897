// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import MediaCore
import Testing

/// What a buffer that is made from another takes over.
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

  @Test(arguments: Attachments.Key.allCases)
  func whatShouldNotPropagateStaysBehind(key: Attachments.Key) {
    var attachments = Attachments(
      signal: SignalDescription(color: .hlg, videoFullRangeFlag: true, chromaLocation: .left),
      masteringDisplay: nil,
      contentLightLevel: ContentLightLevel(maxContentLightLevel: 900, maxPicAverageLightLevel: 9),
      dolbyVisionRPU: [25])
    attachments[mode: key] = .shouldNotPropagate
    let source = Self.buffer(attachments)
    // The buffer itself has it.
    #expect(source.attachments.signal.color == .hlg)
    let made = PixelBufferPool(.yuv420p8, width: 16, height: 16)
      .makeBuffer(from: source) { _ in }
    var expected = attachments
    expected.remove(key)
    expected.dolbyVisionRPU = nil
    expected[mode: key] = .shouldPropagate
    #expect(made.attachments == expected)
    attachments[mode: key] = .shouldPropagate
    #expect(Self.buffer(attachments).attachments[mode: key] == .shouldPropagate)
  }
}
