// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

extension OpenedFormat {
  /// Returns whether libavformat mistakes audio of an open movie, or its only video, for chapters.
  static func misreadsChapters(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    // One damaged reference (`chap`) is enough for this mistake, and a track that is mistaken for
    // chapters cannot be decoded.
    var (thumbnails, pictures) = (0, 0)
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index],
        let parameters = unsafe stream.pointee.codecpar
      else { continue }
      // Audio that is mistaken for chapters keeps its sample rate.
      if unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_DATA
        && parameters.pointee.codec_id == AV_CODEC_ID_BIN_DATA
        && parameters.pointee.sample_rate > 0
      {
        return true
      }
      guard unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO else { continue }
      let disposition = unsafe stream.pointee.disposition
      if disposition & AV_DISPOSITION_TIMED_THUMBNAILS != 0 {
        // Podcasts have still images for their chapters, and no other video.
        let stills = [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG]
        if unsafe !stills.contains(parameters.pointee.codec_id) { thumbnails += 1 }
      } else if disposition & AV_DISPOSITION_ATTACHED_PIC == 0 {
        pictures += 1
      }
    }
    return thumbnails > 0 && pictures == 0
  }
}
