// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import Planning
internal import Reading
internal import Settings
internal import Transcoding

/// A run that writes a copy of a file's samples.
struct CopyingRun {
  /// What differs from the preset that copies everything, as `--set` takes it.
  var changes: [String] = []
  var range: TimeRange?
  var onError: TranscodeOptions.OnError?
  /// Other files that the run reads.
  var reading: [String] = []
  /// The metadata of another file that the frames get, if any.
  var grafted: GraftedMetadata?
  /// The file whose video takes the place of the input's, if any.
  var video: MediaAsset?

  /// Makes the copy, and prints what is lost.
  func write(
    _ input: String, to output: String, _ arguments: OutputArguments
  ) async throws -> (document: SessionDocument, status: ExitStatus) {
    let settings = try Preset.settings(
      "hevc-match-source",
      changes: [
        "name=AVAssetExportPresetPassthrough", "video.codec=passthrough", "audio=passthrough",
      ] + changes)
    // One list for everything that the run touches: no output may replace the input or another
    // output.
    let files = RunFiles(reading: input, reading)
    let report = try arguments.reservedReport(in: files)
    var options = TranscodeOptions()
    options.files = files
    options.onError = onError
    options.range = range
    options.graftedMetadata = grafted
    options.videoAsset = video
    arguments.apply(to: &options)
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    try await arguments.printPlan(session)
    let result = try await arguments.run(session)
    let document = SessionDocument(session: SessionReport(session, result))
    try report?.store(Console.json(document) + "\n")
    arguments.giveTime(of: input, to: output)
    arguments.finish(session, result, from: input, to: output)
    return (document, arguments.status(of: result))
  }
}
