// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Stills have the size that was asked for and show whole frames, even if sizes are odd.
@Suite struct StillShapeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a still, and returns its size and what the program said about it.
  private func still(_ input: String, _ name: String, _ arguments: String...) throws -> (
    size: [String], errors: String
  ) {
    let path = folder.path(name)
    let outcome = try BuiltCandela.run(["still", input, path, "-y"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return (try Tool.probe(path, "stream=width,height"), outcome.errors)
  }

  private static let formats = ["png", "jpg", "webp", "avif"]

  /// A still has exactly the width that was asked for, no matter how the source and the still
  /// subsample chroma. If the frames are smaller than that, the still has their size.
  @Test func widthsAreExact() throws {
    let input = folder.path("in.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.1", "-pix_fmt", "yuv420p", "-c:v",
      "libx264", input)
    let sizes = [(33, "33,19"), (101, "101,57"), (34, "34,19"), (159, "159,89"), (1, "1,1")]
    for format in Self.formats {
      for (width, size) in sizes.shortened(to: 2) {
        let made = try still(input, "x.\(format)", "--width", "\(width)")
        #expect(made.size == [size], "\(format)")
        #expect(!made.errors.contains("as asked for"), "\(made.errors)")
      }
    }
    let larger = try still(input, "x.png", "--width", "400")
    #expect(larger.size == ["160,90"])
    #expect(larger.errors.contains("the frames are 160×90, not 400×225"), "\(larger.errors)")
    #expect(try still(input, "x.png", "--width", "160").errors.contains("asked for") == false)
  }

  /// A small still of an odd width has its colors where they belong, even if the source is 4:2:0.
  @Test func chromaStaysInPlace() throws {
    let input = folder.path("halves.mp4")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "color=red:s=160x90:r=25:d=0.1", "-vf",
      "drawbox=x=80:w=80:h=90:t=fill:c=blue,format=yuv420p", "-c:v", "libx264", "-qp", "1", input)
    _ = try still(input, "x.png", "--width", "33")
    let bytes = try Tool.picture(folder.path("x.png"), format: "rgb24")
    let row = Array(bytes[(9 * 33 * 3)..<(10 * 33 * 3)])
    for column in 0..<14 { #expect(row[3 * column] > row[3 * column + 2], "\(column)") }
    for column in 19..<33 { #expect(row[3 * column] < row[3 * column + 2], "\(column)") }
    // Colors mix only at the border: the last column is as blue as one in the middle of its half.
    #expect(abs(Int(row[3 * 32 + 2]) - Int(row[3 * 25 + 2])) < 6)
    #expect(abs(Int(row[3 * 32]) - Int(row[3 * 25])) < 6)
  }

  /// Frames of odd width and height stay whole in every format.
  @Test(arguments: ["321x183", "3x5", "1x1"].shortened(to: 2)) func oddSides(size: String) throws {
    let input = folder.path("odd.mkv")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=322x184:r=25:d=0.1", "-vf",
      "crop=\(size.replacingOccurrences(of: "x", with: ":")):0:0:exact=1,format=yuv420p", "-c:v",
      "ffv1", input)
    let wanted = size.replacingOccurrences(of: "x", with: ",")
    for format in Self.formats {
      #expect(try still(input, "x.\(format)").size == [wanted], "\(format)")
    }
  }
}
