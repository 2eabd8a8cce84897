// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

extension DecodedFrame {
  /// Reads the image of a PNG file, with its opacity. The samples are G', B' and R' in 4:4:4, or
  /// gray, with the tags of the file. PNG without color chunks is untagged.
  ///
  /// - Throws: ``LibAVError`` if the file cannot be read or is not PNG.
  package static func png(_ path: String) throws(LibAVError) -> DecodedFrame {
    var packets = DemuxedPackets(try Demuxer(path: path, formats: ["png_pipe"]))
    guard let track = packets.demuxer.tracks.first else {
      throw LibAVError("avformat_open_input", candela_averror_invaliddata(), .openingInput)
    }
    let decoder = try VideoDecoder(track: track)
    decoder.readsOpacity = true
    var frame: DecodedFrame?
    while frame == nil, let packet = try packets.next() {
      try decoder.send(packet)
      frame = try decoder.receive()
    }
    // With frame threads, the decoder returns the frame only after it knows that no packet follows.
    if frame == nil {
      try decoder.send(nil)
      frame = try decoder.receive()
    }
    guard let frame else {
      throw LibAVError("avcodec_receive_frame", candela_averror_invaliddata())
    }
    return frame
  }
}

extension FrameOwner {
  /// The opacity of each pixel; `nil` if the image stores no opacity.
  var opacity: (values: [UInt16], maximum: UInt16)? {
    guard let descriptor = unsafe av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)),
      hasAlpha
    else { return nil }
    let isPalette = unsafe descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    // Opacity is the last component: the second of a gray image, and the fourth of a color image. A
    // palette keeps it in the fourth byte of each entry.
    let component = unsafe isPalette ? 3 : Int32(descriptor.pointee.nb_components) - 1
    let depth = unsafe isPalette ? 8 : descriptor.pointee.comp.3.depth
    let bits = unsafe component == 1 ? descriptor.pointee.comp.1.depth : depth
    let width = unsafe Int(frame.pointee.width)
    var line = [UInt16](repeating: 0, count: width)
    var result: [UInt16] = []
    unsafe result.reserveCapacity(width * Int(frame.pointee.height))
    let data = unsafe (
      UnsafePointer(frame.pointee.data.0), UnsafePointer(frame.pointee.data.1),
      UnsafePointer(frame.pointee.data.2), UnsafePointer(frame.pointee.data.3)
    )
    var planes = unsafe [data.0, data.1, data.2, data.3]
    let rows = unsafe [
      frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2,
      frame.pointee.linesize.3,
    ]
    for y in unsafe 0..<frame.pointee.height {
      unsafe av_read_image_line(
        &line, &planes, rows, descriptor, 0, y, component, Int32(width), isPalette ? 1 : 0)
      result += line
    }
    return (result, UInt16((1 << bits) - 1))
  }
}
