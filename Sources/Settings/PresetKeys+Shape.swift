// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

extension PresetKey {
  static let shape: [PresetKey] = [
    .choice(
      "video.deinterlace", \.video.deinterlace, usual: .off,
      "off: interlaced frames stay interlaced. auto: each interlaced frame becomes one progressive "
        + "frame, and the other frames stay unchanged. frame: every frame becomes one progressive "
        + "frame. bob: every frame becomes two, one for each field. The filter is bwdif, which "
        + "runs before all other steps."),
    .choice(
      "video.rotation", \.video.rotation, usual: .keep,
      "For frames that the container turns or mirrors for display: keep leaves the frames "
        + "unchanged and states the matrix in the output; apply turns the frames. With apply, "
        + "sizes and compositions refer to the frame as people see it, and the output needs no "
        + "matrix."),
    .choice(
      "video.pixelAspect", \.video.pixelAspect, usual: .keep,
      "For frames whose pixels are not square. keep: the output states their shape. square: one "
        + "side of the frames is enlarged, and the output states 1:1."),
    .choice(
      "video.crop", \.video.crop, usual: VideoSettings.CropMode.none,
      "auto: crops black bars, which are detected in frames from all over the clip. Whatever is "
        + "lit in any of these frames is kept, and so is Dolby Vision's active area."),
    frameRate,
  ]

  private static let frameRate = PresetKey(
    path: "video.frameRate",
    values: .textOrNumber(pattern: FrameRateSetting.pattern, FrameRateSetting.range),
    usual: .string("source"),
    summary: "Frames a second. source: every frame at its own time. 30, 29.97 or 30000/1001: a "
      + "constant rate; frames are repeated or dropped to reach it. max 30: like source, but "
      + "frames are dropped if any second has more than 30."
  ) { (reader, key, settings) throws(TranscodingError) in
    switch reader.value(key) {
    case .number:
      let value = try reader.number(key, in: FrameRateSetting.range)
      guard let rate = value.flatMap(FrameRate.init(nearest:)) else { return }
      settings.video.frameRate = .exactly(rate)
    default:
      guard let text = try reader.string(key) else { return }
      guard let setting = FrameRateSetting(spelling: text) else {
        throw reader.error(
          key,
          "cannot be '\(text.shortened)': use source, or a rate such as 30, 29.97, 30000/1001 or "
            + "max 30")
      }
      settings.video.frameRate = setting
    }
  }
}
