// SPDX-License-Identifier: GPL-2.0-or-later
import CandelaKit
import Foundation

extension ExampleApp {
  /// Exports the file and prints the progress.
  func export(to path: String) async throws {
    var session = ExportSession(input: input, presetName: .hevcHighestQuality)
    session.outputFileType = .mov
    session.options.overwrite = true
    let export = Task { [session] in try await session.export(to: path) }
    for await state in session.states(updateInterval: .milliseconds(200)) {
      switch state {
      case .pending, .waiting: print(state)
      case .exporting(let progress): print("\(Int((progress.fraction ?? 0) * 100)) %")
      }
    }
    print(try await export.value.summary)
  }

  /// Exports the file with frames that are one stop darker. The light is halved in linear values.
  func compose(to path: String) async throws {
    let asset = try await MediaAsset.load(path: input)
    var composition = try VideoComposition(asset: asset, pixelFormat: .halfRGBA) { request in
      let source = request.sourceFrame
      return request.renderContext.newPixelBuffer(from: source, rowsOf: Float16.self) { _, y, to in
        source.withRow(y, as: Float16.self) { from in
          for x in to.indices { to[x] = x % 4 == 3 ? 1 : from[x] / 2 }
        }
      }
    }
    composition.colorTransferFunction = .linear
    var session = ExportSession(input: input, presetName: .h264At640x480)
    session.videoComposition = composition
    print(try await session.export(to: path, overwrite: true).summary)
  }

  /// Cancels an export, and checks that it leaves no file.
  func cancel(exportTo path: String) async throws {
    let session = ExportSession(input: input, presetName: .hevcHighestQuality)
    let export = Task { try await session.export(to: path) }
    for await state in session.states(updateInterval: .milliseconds(20)) {
      if case .exporting = state { export.cancel() }
    }
    do {
      _ = try await export.value
      throw Failure(description: "the export was not cancelled")
    } catch is CancellationError {
      guard !FileManager.default.fileExists(atPath: path) else {
        throw Failure(description: "a cancelled export left \(path)")
      }
      print("cancelled: nothing is left")
    }
  }
}
