// SPDX-License-Identifier: GPL-2.0-or-later
#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#endif

/// The instruction sets that row kernels are compiled for. With all of them, kernels give the same
/// results, to the bit.
package enum InstructionSet: String, CaseIterable, Sendable {
  /// Instructions that every processor of the architecture has.
  case baseline
  /// AVX2, FMA and F16C (Intel Haswell, AMD Zen).
  case avx2
  /// AVX-512 F, BW, DQ, VL (Intel Skylake-X, AMD Zen 4).
  case avx512

  /// The instruction set that the environment variable ``variable`` names. If it names none that
  /// this processor has, the best one.
  static let current = (try? named()) ?? best

  /// The best instruction set that the processor and the system support.
  static let best = available.last ?? .baseline

  /// The instruction sets that this processor has, the slowest first.
  static let available: [InstructionSet] = {
    let flags = processorFlags()
    return allCases.filter { $0.flags.isSubset(of: flags) }
  }()

  /// Linux's names for the instructions that are used.
  private var flags: Set<Substring> {
    #if arch(x86_64)
    switch self {
    case .baseline: []
    // The compiler may use all instructions of the processor that `-target-cpu` names, so more are
    // required than the kernels themselves need.
    case .avx2: ["avx2", "fma", "f16c", "bmi1", "bmi2", "movbe"]
    case .avx512:
      Self.avx2.flags.union(["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"])
    }
    #else
    self == .baseline ? [] : ["never"]
    #endif
  }

  /// Returns the processor's flags, or nothing if the system gives none.
  private static func processorFlags() -> Set<Substring> {
    // Linux leaves out instructions whose registers it does not save when threads switch. The
    // instruction `cpuid` alone does not show that.
    guard let file = unsafe fopen("/proc/cpuinfo", "re") else { return [] }
    defer { unsafe _ = fclose(file) }
    var text = [CChar](repeating: 0, count: 8192)
    // The first processor's lines are enough, because all processors are alike.
    let count = unsafe fread(&text, 1, text.count - 1, file)
    let lines = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let line = lines.split(separator: "\n").first { $0.hasPrefix("flags") }
    return Set(line?.split(separator: " ") ?? [])
  }

  /// The name as text for people.
  var title: String {
    switch self {
    case .baseline: "the baseline"
    case .avx2: "AVX2"
    case .avx512: "AVX-512"
    }
  }
}

// Row kernels give the same bits on all processors, but their tables are made with the C library.
// On processors without fused multiply-add, its logarithm and exponential use other code, and the
// last bits of the results differ.

/// A class of processors that convert frames to the same samples, to the bit.
package enum KernelClass: String, Sendable, Codable {
  /// Processors with fused multiply-add instructions: AVX2, AVX-512.
  case fused
  /// Processors without fused multiply-add instructions.
  case separate

  /// The instruction set in use, as text for people.
  package static var instructionSet: String { InstructionSet.current.title }

  /// The class of this processor, for the instruction set in use.
  package static let current: KernelClass =
    InstructionSet.current == .baseline ? .separate : .fused
}
