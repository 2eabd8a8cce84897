// SPDX-License-Identifier: GPL-2.0-or-later
import CodePoints
import LibAV
import MediaCore
import TestSupport
import Testing

@Suite struct DecoderTests {
  /// Frames come in the order of presentation, each with its time and the number of its packet.
  @Test func framesComeInTheirOrder() throws {
    let clip = try Clip.movie()
    let frames = try clip.frames()
    let packets = try clip.packets().filter { $0.trackIndex == 0 }
    #expect(frames.count == 10)
    let times = packets.compactMap(\.presentationTimeStamp)
    #expect(frames.compactMap(\.presentationTimeStamp) == times.sorted())
    #expect(
      frames.map(\.presentationTimeStamp)
        == frames.map { packets[$0.packetNumber - 1].presentationTimeStamp })
    #expect(frames.allSatisfy { $0.duration == MediaTime(value: 24, timescale: 600) })
    #expect(frames.allSatisfy { !$0.isDamaged && !$0.hasAlpha && $0.fieldOrder == .progressive })
  }

  @Test func framesSayWhatTheirSamplesAre() throws {
    let frame = try #require(try Clip.fixture("movie-hdr10").frames().first)
    let buffer = frame.pixelBuffer
    #expect(buffer.format == .yuv420p10)
    #expect(buffer.size == VideoDimensions(width: 64, height: 64))
    let signal = buffer.attachments.signal
    #expect(signal.color == .hlg && signal.videoFullRangeFlag == false)
    #expect(signal.chromaLocation == .topLeft)
    #expect(buffer.attachments.masteringDisplay?.payload == (try Fixture.content("mdcv")))
    #expect(buffer.attachments.contentLightLevel?.payload == (try Fixture.content("clli")))
    let luma = buffer.planes[0]
    // ffmpeg's gray is 126 in 8 bits, which is about 504 in 10 bits.
    let sample = luma.baseAddress.load(as: UInt16.self)
    #expect((500...516).contains(sample), "\(sample)")
  }

  /// Frames of every kind of layout are decoded to planes of the right format.
  @Test(
    arguments: [
      ("yuv420p", "8 bit 4:2:0"), ("yuv422p10le", "10 bit 4:2:2"), ("yuv444p", "8 bit 4:4:4"),
      ("gray", "8 bit 4:0:0"), ("uyvy422", "8 bit 4:2:2"), ("rgb24", "8 bit 4:4:4"),
      ("rgba", "8 bit 4:4:4"),
    ])
  func layouts(format: String, description: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("raw.mov")
    let codec = format.hasPrefix("rgb") ? "png" : format == "uyvy422" ? "rawvideo" : "ffv1"
    let name = codec == "rawvideo" ? path : folder.path("raw.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=32x16:r=25:d=0.08", "-pix_fmt", format, "-c:v", codec, name)
    let frames = try Clip(folder: folder, path: name).frames()
    #expect(frames.count == 2)
    let frame = try #require(frames.first)
    #expect(frame.pixelBuffer.format.description == description)
    #expect(frame.hasAlpha == (format == "rgba"))
    let isRGB = format.hasPrefix("rgb")
    #expect((frame.pixelBuffer.attachments.signal.color.matrixCoefficients == .identity) == isRGB)
    #expect(frame.pixelBuffer.planes.map(\.height).first == 16)
  }

  @Test func oneDamagedPacketCostsItsPictures() throws {
    let clip = try Clip.movie("clip.mov", ["-an"])
    let demuxer = try Demuxer(path: clip.path)
    let decoder = try VideoDecoder(track: try #require(demuxer.tracks.first))
    var (count, problems) = (0, 0)
    func receive() {
      while true {
        do throws(LibAVError) {
          guard let frame = try decoder.receive() else { return }
          count += 1
          if frame.isDamaged { problems += 1 }
        } catch { problems += 1 }
      }
    }
    var packets = DemuxedPackets(demuxer)
    while let packet = try packets.next() {
      // One packet loses its second half, which makes the length inside it wrong.
      let bytes = packet.bytes
      let isCut = decoder.packetCount == 3
      let sent = isCut ? try packet.replacing(Array(bytes.dropLast(bytes.count / 2))) : packet
      do throws(LibAVError) { try decoder.send(sent) } catch {
        #expect(error.kind == .invalidData)
        problems += 1
      }
      receive()
    }
    try decoder.send(nil)
    receive()
    #expect(problems > 0 || decoder.takeComplaint())
    #expect((5...10).contains(count))
  }

  /// FFmpeg's decoder would parse RPUs and report those that it cannot read, so it does not get
  /// them.
  @Test(arguments: ["clip.mov", "clip.hevc"]) func damagedRPUsAreNotDecoded(name: String) throws {
    let clip = try Clip.movie(name, ["-an"])
    let demuxer = try Demuxer(path: clip.path)
    let decoder = try VideoDecoder(track: try #require(demuxer.tracks.first))
    var rpu = try Fixture.bytes("rpu-84")
    // This byte is `rpu_nal_prefix`.
    rpu[2] ^= 0xFF
    let start: [UInt8] =
      name.hasSuffix(".hevc")
      ? [0, 0, 0, 1] : [0, 0, UInt8(rpu.count >> 8), UInt8(rpu.count & 0xFF)]
    var count = 0
    func receive() throws { while try decoder.receive() != nil { count += 1 } }
    var packets = DemuxedPackets(demuxer)
    while let packet = try packets.next() {
      try decoder.send(packet.replacing(packet.bytes + start + rpu))
      try receive()
    }
    // A packet may have nothing but an RPU.
    if let last = try clip.packets().last { try decoder.send(last.replacing(start + rpu)) }
    try decoder.send(nil)
    try receive()
    #expect(count == 10 && decoder.complaintCount == 0)
  }

  /// A PNG file is read with its opacity, which overlays need.
  @Test func stillImages() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("logo.png")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=red@0.5:s=8x4,format=rgba", "-frames:v", "1", path)
    let image = try DecodedFrame.png(path)
    #expect(image.pixelBuffer.size == VideoDimensions(width: 8, height: 4))
    let opacity = try #require(image.opacity)
    #expect(opacity.maximum == 255 && opacity.values.count == 32)
    #expect(opacity.values.allSatisfy { (126...128).contains($0) })
    let png = try ImageEncoder.png([UInt8](repeating: 7, count: 8 * 4 * 3), width: 8, height: 4)
    let again = try DecodedFrame.png(try folder.write(png, to: "own.png"))
    #expect(again.opacity == nil && again.pixelBuffer.size == image.pixelBuffer.size)
    #expect(again.pixelBuffer.planes[0].baseAddress.load(as: UInt8.self) == 7)
  }
}
