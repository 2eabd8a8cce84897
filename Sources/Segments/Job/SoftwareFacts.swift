// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import ColorConversion
internal import Host
internal import LibAV
internal import VideoEncoders

/// The programs and libraries that determine the samples of a segment.
package struct SoftwareFacts: Hashable, Sendable, Codable {
  package let candela: String
  /// The versions of libraries, under names such as `x265` and `libavcodec`.
  package let libraries: [String: String]
  /// The class of the processor. All processors of a class convert frames to the same bits.
  package let kernels: KernelClass

  package static let version = "0.1.0"

  /// The versions of this program and its libraries, and the instructions in use, as text.
  package static var text: String {
    let libraries = allLibraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let encoders = VideoCodec.allCases.map { "\($0.encoder.name) \($0.encoder.version)" }
    return """
      candela \(version)
      FFmpeg \(FFmpeg.release) (\(libraries.joined(separator: ", ")))
      \(encoders.joined(separator: ", "))
      color conversion with \(KernelClass.instructionSet)
      """
  }

  private static var allLibraries: [String: String] {
    FFmpeg.libraries.merging(FFmpeg.filterLibrary) { $1 }
  }

  /// Describes this process.
  ///
  /// - Parameter codec: codec of the output.
  init(codec: VideoCodec) {
    candela = Self.version
    // Encoders of other codecs do not affect the samples, so their versions may differ. The same is
    // true of libavfilter, because interlaced frames are not encoded in segments.
    libraries = FFmpeg.libraries.merging([codec.encoder.name: codec.encoder.version]) { $1 }
    kernels = .current
  }

  init(candela: String, libraries: [String: String], kernels: KernelClass) {
    (self.candela, self.libraries, self.kernels) = (candela, libraries, kernels)
  }

  /// Returns how this host's program, libraries and processor differ from the job's, as texts;
  /// empty if they do not differ.
  func differences(from job: SoftwareFacts) -> [String] {
    var texts: [String] = []
    if candela != job.candela { texts.append("candela is \(candela), not \(job.candela)") }
    for name in Set(libraries.keys).union(job.libraries.keys).sorted()
    where libraries[name] != job.libraries[name] {
      texts.append(
        "\(name) is \(libraries[name] ?? "missing"), not \(job.libraries[name] ?? "missing")")
    }
    // A fused multiply-add rounds once instead of twice, so converted frames can differ by a code
    // value.
    if kernels != job.kernels {
      let has = kernels == .fused ? "has" : "has no"
      texts.append("the processor \(has) fused multiply-add")
    }
    return texts
  }

  /// - Throws: ``TranscodingError`` of kind `unavailable` if segments that this process encodes
  ///   would not match the job's other segments.
  func check(against job: SoftwareFacts) throws {
    let differences = differences(from: job)
    guard !differences.isEmpty else { return }
    throw TranscodingError(
      .unavailable,
      "the job was made on another system, and segments from this host would not match: "
        + differences.joined(separator: "; "))
  }
}

extension SoftwareFacts: JSONObject {
  package static let fields: [JSONField<SoftwareFacts>] = [
    .init("candela", "The version of this program.") { $0.candela },
    .init("libraries", "The versions of libraries by name, such as x265.") { $0.libraries },
    .init(
      "kernels",
      "The processor's class. All processors of a class convert frames to the same bits.",
      JSONSchema(.words(["fused", "separate"]))
    ) { $0.kernels.rawValue },
  ]

  /// The versions of this program and of its libraries, as JSON.
  package struct Versions: Sendable, JSONObject {
    package init() {}

    package static let meaning = "The versions of the program and of its libraries."
    package static let fields: [JSONField<Versions>] = [
      .init("candela", "The version of this program.") { _ in SoftwareFacts.version },
      .init("ffmpeg", "The version of FFmpeg, as FFmpeg states it.") { _ in FFmpeg.release },
      .init("libraries", "The versions of FFmpeg's libraries by name, such as libavcodec.") { _ in
        SoftwareFacts.allLibraries
      },
      .init("encoders", "The versions of the encoders by name, such as x265.") { _ in
        Dictionary(
          VideoCodec.allCases.map { ($0.encoder.name, $0.encoder.version) },
          uniquingKeysWith: { $1 })
      },
      .init(
        "instructionSet",
        "The processor instructions that color conversion uses, such as AVX2."
      ) { _ in
        KernelClass.instructionSet
      },
    ]
  }
}
