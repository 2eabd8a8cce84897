// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit

/// An error that the app itself throws.
struct Failure: Error, CustomStringConvertible {
  let description: String
}

extension ExampleApp {
  /// Returns a reader of the file and the reader's output, which gives frames in sRGB for screens.
  private func screenFrames() async throws -> (AssetReader, AssetReaderTrackOutput) {
    let asset = try await MediaAsset.load(path: input)
    guard let track = asset.videoTrack else { throw Failure(description: "there is no video") }
    let output = try AssetReaderTrackOutput(
      track: track,
      outputSettings: VideoOutputSettings(colorProperties: .sRGB, pixelFormat: .bgra8))
    return (try AssetReader(asset: asset, outputs: [output]), output)
  }

  /// Reads the frames, and prints the average color of every tenth one.
  func read() async throws {
    let (reader, output) = try await screenFrames()
    try reader.startReading()
    var count = 0
    for try await sample in output {
      guard case .frame(let frame) = sample else { continue }
      count += 1
      guard count % 10 == 1 else { continue }
      let color = average(frame.pixelBuffer)
      print("\(frame.presentationTimeStamp.seconds) s: red \(color.red), blue \(color.blue)")
    }
    guard count > 0 else { throw Failure(description: "no frame was read") }
    print("\(count) frames were read")
  }

  private func average(_ image: PixelBuffer) -> (red: Int, blue: Int) {
    var (red, blue) = (0, 0)
    for y in 0..<image.height {
      image.withRow(y, as: UInt8.self) { row in
        for x in 0..<image.width {
          blue += Int(row[x * 4])
          red += Int(row[x * 4 + 2])
        }
      }
    }
    let count = image.width * image.height
    return (red / count, blue / count)
  }

  /// Converts the file to H.264, with a line drawn across each frame.
  func convert(to path: String) async throws {
    let (reader, output) = try await screenFrames()
    try reader.startReading()
    let writer = try AssetWriter(path: path, fileType: .mp4, overwrite: true)
    let video = try AssetWriterInput(
      outputSettings: VideoSettings(outputSettings: [
        "codec": "h264",
        "colorProperties": [
          "colorPrimaries": "ITU_R_709_2", "transferFunction": "ITU_R_709_2",
          "yCbCrMatrix": "ITU_R_709_2",
        ],
      ]))
    try writer.add(video)
    try writer.startWriting()
    for try await sample in output {
      guard case .frame(let frame) = sample else { continue }
      try await video.append(
        withLine(frame.pixelBuffer), withPresentationTime: frame.presentationTimeStamp)
    }
    try await writer.finishWriting()
    for notice in writer.notices { print(notice) }
    print("converted: \(path)")
  }

  private func withLine(_ image: PixelBuffer) throws -> PixelBuffer {
    let pool = try PixelBufferPool(format: .bgra8, width: image.width, height: image.height)
    return pool.makeBuffer(attachments: image.attachments, rowsOf: UInt8.self) { _, y, row in
      let isLine = abs(y - image.height / 2) < 2
      image.withRow(y, as: UInt8.self) { source in
        for x in row.indices { row[x] = isLine ? 255 : source[x] }
      }
    }
  }
}
