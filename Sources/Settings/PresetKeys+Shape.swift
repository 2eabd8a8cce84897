// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

extension PresetKey {
  static let shape: [PresetKey] = [
    .choice(
      "video.deinterlace", \.video.deinterlace, usual: .off,
      "off: interlaced frames stay interlaced. auto: one whole frame is made of each frame that is "
        + "interlaced, and others stay as they are, sample by sample. frame: one of each frame. "
        + "bob: two of each, one for each field. By bwdif, before all else."),
    .choice(
      "video.rotation", \.video.rotation, usual: .keep,
      "Of frames that the container turns or mirrors for display: keep leaves samples as they are "
        + "and states the matrix in the output; apply turns the samples, so that sizes and "
        + "compositions mean the frame as people see it, and the output's matrix turns nothing."),
    .choice(
      "video.pixelAspect", \.video.pixelAspect, usual: .keep,
      "Of frames whose samples are not square: keep states their shape in the output; square "
        + "scales the frames, one side of which grows, and states 1:1."),
    .choice(
      "video.crop", \.video.crop, usual: VideoSettings.CropMode.none,
      "auto: black bars are cut off, as found in frames of the whole clip; what is lit in any of "
        + "these frames is kept, and so is the active area that Dolby Vision names."),
    frameRate,
  ]

  private static let frameRate = PresetKey(
    path: "video.frameRate",
    values: .textOrNumber(pattern: FrameRateSetting.pattern, FrameRateSetting.range),
    usual: .string("source"),
    summary: "Frames a second. source: every frame at its own time. 30, 29.97 or 30000/1001: a "
      + "constant rate, for which frames are repeated or left out by time. max 30: as source where "
      + "no second has more frames; otherwise frames are left out."
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
          key, "has no value '\(text.shortened)': such as source, 30, 29.97, 30000/1001 or max 30")
      }
      settings.video.frameRate = setting
    }
  }
}
