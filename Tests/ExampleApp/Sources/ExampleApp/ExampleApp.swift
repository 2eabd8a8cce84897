// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import Foundation

/// `ExampleApp INPUT FOLDER` reads a file, converts it, exports it with progress, exports it with
/// composed frames, and cancels an export. `ExampleApp sample PATH` makes a movie for INPUT.
@main struct ExampleApp {
  let input: String
  let folder: String

  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: ExampleApp INPUT FOLDER | sample PATH")
      exit(64)
    }
    do {
      guard arguments[1] != "sample" else {
        return try await SampleMovie(width: 320, height: 180, seconds: 1).write(to: arguments[2])
      }
      try await ExampleApp(input: arguments[1], folder: arguments[2]).run()
    } catch let error as LocalizedError {
      print(error.errorDescription ?? "\(error)")
      if let suggestion = error.recoverySuggestion { print(suggestion) }
      exit(1)
    } catch {
      print(error)
      exit(1)
    }
  }

  func run() async throws {
    try await describe()
    try await read()
    try await convert(to: path("converted.mp4"))
    try await export(to: path("exported.mov"))
    try await compose(to: path("composed.mp4"))
    try await cancel(exportTo: path("cancelled.mov"))
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Prints what the file contains.
  private func describe() async throws {
    let asset = try await MediaAsset.load(path: input)
    for track in asset.tracks {
      let rate = track.estimatedDataRate.map { "\(Int($0 / 1000)) kbit/s" } ?? "?"
      print("track \(track.trackID): \(track.mediaType.rawValue), \(rate)")
      guard track.mediaType == .video else { continue }
      print("  \(track.naturalSize), \(track.nominalFrameRate ?? 0) frames a second")
      print("  HDR: \(track.containsHDRVideo), upright: \(track.preferredTransform == .identity)")
    }
    for (key, value) in asset.metadata.sorted(by: { $0.key < $1.key }) {
      print("\(key): \(value)")
    }
  }
}
