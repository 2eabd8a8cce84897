// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Comparison
internal import Segments
internal import Transcoding

/// The report of a command that wrote a movie. `--report` writes it, and `transcode`, `cut`,
/// `segments join` and `metadata convert` print it with `--json`.
struct SessionDocument: JSONObject {
  let session: SessionReport
  var segments: SegmentedSession.Report?
  var comparison: ComparisonReport?

  static let meaning = SessionReport.meaning
  static let fields =
    SessionReport.fields.of { (document: SessionDocument) in document.session } + own

  private static let own: [JSONField<SessionDocument>] = [
    .init("segments", "How the work was divided; absent if one process did it.") {
      $0.segments
    },
    .init(
      "comparison",
      "The comparison of the output with its source; absent if they were not compared."
    ) {
      $0.comparison
    },
  ]
}

/// What `transcode` prints: the report on one file, or the summary of many.
enum TranscodeDocument: JSONDescribed {
  case one(SessionDocument)
  case many(BatchSummary)
  /// The plan, which `--dry-run` prints.
  case planned(PlanDocument)

  static let schema = JSONSchema(
    .anyOf([SessionDocument.schema, BatchSummary.schema, PlanDocument.schema]),
    "What was done with one file; with --into, what became of many; with --dry-run, the plan.")

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .one(let document): try document.encode(to: encoder)
    case .many(let summary): try summary.encode(to: encoder)
    case .planned(let plan): try plan.encode(to: encoder)
    }
  }
}
